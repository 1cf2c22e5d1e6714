"""However a saving ends, also by a power cut, the document that is there names files that are there."""

import errno
import os
import pathlib
import sys

import pytest

from core.errors import CleanplateError
from core.io.publishing.run_folder import RunFolder
from core.project.document import Document, ProjectInput
from core.project.naming import data_folder
from core.project.store import Project, load_document, load_project, save_project


def project(folder, picture):
    return Project(Document(input=ProjectInput(path=str(folder / "clip.mkv"))), picture=picture)


def test_each_file_is_on_the_disk_before_the_document_and_that_before_the_old_ones_go(tmp_path, disk):
    path = tmp_path / "day.cleanplate"
    save_project(project(tmp_path, b"first"), path)
    old = load_document(path).data.picture
    disk.steps.clear()
    save_project(project(tmp_path, b"second"), path)
    place, document = disk.named(path.name)
    _, picture = disk.named(load_document(path).data.picture)
    assert disk.is_synced_before(document, place)
    assert disk.is_synced_before(picture, place)
    assert disk.steps.index(("sync", data_folder(path).stat().st_ino)) < place
    assert place < disk.place("sync", tmp_path.stat().st_ino) < disk.place("gone", old)


def test_a_saving_that_is_broken_off_once_the_document_has_its_name_leaves_what_it_names(tmp_path, monkeypatch):
    path = tmp_path / "day.cleanplate"
    save_project(project(tmp_path, b"first"), path)
    before = path.read_bytes()
    true_remove = RunFolder.remove

    def remove(run):
        true_remove(run)
        if path.read_bytes() != before:
            raise KeyboardInterrupt

    monkeypatch.setattr(RunFolder, "remove", remove)
    with pytest.raises(KeyboardInterrupt):
        save_project(project(tmp_path, b"second"), path)
    assert load_project(path).picture == b"second"


def test_a_saving_that_fails_before_leaves_nothing_of_itself(tmp_path, monkeypatch):
    path = tmp_path / "day.cleanplate"
    save_project(project(tmp_path, b"first"), path)
    files = set(data_folder(path).iterdir())
    true_replace = os.replace

    def replace(old, new):
        if new == path:
            raise KeyboardInterrupt
        true_replace(old, new)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        save_project(project(tmp_path, b"second"), path)
    assert set(data_folder(path).iterdir()) == files
    assert load_project(path).picture == b"first"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="open files are named in /proc, which only Linux has")
def test_locks_that_a_drive_of_the_network_gives_back_badly_are_no_reason_to_say_that_it_was_not_saved(
    tmp_path, monkeypatch
):
    path = tmp_path / "day.cleanplate"
    true_close, refused = os.close, []

    def close(descriptor):
        name = os.readlink(f"/proc/self/fd/{descriptor}")
        true_close(descriptor)
        if os.path.basename(name).startswith(("lock", ".cleanplate.lock")):
            refused.append(name)
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "close", close)
    save_project(project(tmp_path, b"first"), path)
    assert load_project(path).picture == b"first"
    assert len(refused) == 4
    assert set(tmp_path.iterdir()) == {path, data_folder(path)}


@pytest.mark.parametrize("call", ["mkdir", "claim"])
def test_what_is_refused_beside_the_document_is_said_of_the_project(tmp_path, monkeypatch, call):
    path = tmp_path / "day.cleanplate"

    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(*{"mkdir": (pathlib.Path, "mkdir"), "claim": (RunFolder, "claim")}[call], refuse)
    with pytest.raises(CleanplateError) as raised:
        save_project(project(tmp_path, b"first"), path)
    assert str(raised.value) == f"{path} could not be written (Read-only file system); choose another folder."
