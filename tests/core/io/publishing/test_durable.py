"""After a power cut there is what was before, or all that came after: names rest on contents that are on the disk."""

import errno
import os

import pytest

from core.errors import CleanplateError
from core.io.publishing import ownership
from core.io.publishing.durable import sync_all_beside, sync_file
from core.io.publishing.publication import Publication
from core.io.publishing.single_file import replacing
from core.io.publishing.transaction import Transaction

FSYNC = os.fsync
"""The true one: while tests run, others wait for no disk."""


@pytest.fixture(autouse=True)
def _true_disk(monkeypatch):
    monkeypatch.setattr(os, "fsync", FSYNC)


def test_a_file_is_on_the_disk_before_it_replaces_another_and_then_its_name(tmp_path, disk):
    path = tmp_path / "model.npz"
    path.write_bytes(b"old")
    with replacing(path) as beside:
        beside.write_bytes(b"new")
    place, inode = disk.named("model.npz")
    assert disk.is_synced_before(inode, place)
    assert disk.place("sync", tmp_path.stat().st_ino) > place


def test_what_is_not_waited_for_takes_its_name_at_once(tmp_path, disk):
    with replacing(tmp_path / "window.json", waits=False) as beside:
        beside.write_bytes(b"new")
    assert (tmp_path / "window.json").read_bytes() == b"new"
    assert all(step[0] != "sync" for step in disk.steps)


def published(folder, names, n_images=2, **more):
    transaction = Transaction(folder, [folder / name for name in names], **{"overwrite": True, **more})
    for name in names:
        if "." in name:
            (transaction.new / name).write_bytes(b"result")
            continue
        (transaction.new / name).mkdir()
        for number in range(n_images):
            (transaction.new / name / f"{number}.png").write_bytes(b"result")
    transaction.publish(lambda: None)


@pytest.mark.parametrize("names", [("mask.mkv", "plate.png"), ("mask", "plate.png")])
def test_results_are_on_the_disk_before_they_are_named_and_their_names_before_old_ones_go(tmp_path, disk, names):
    published(tmp_path, names)
    disk.steps.clear()
    published(tmp_path, names)
    named = [disk.named(name) for name in names]
    assert all(disk.is_synced_before(inode, place) for place, inode in named)
    names_are_safe = disk.place("sync", tmp_path.stat().st_ino)
    undone_no_more = disk.place("gone", "journal.json")
    assert max(place for place, _ in named) < names_are_safe < undone_no_more
    assert disk.steps[undone_no_more + 1][0] == "sync"
    assert disk.place("gone", "plate.png") > undone_no_more + 1


def test_a_list_of_results_is_on_the_disk_before_it_is_named(tmp_path, disk, monkeypatch):
    monkeypatch.setattr(ownership, "mark", lambda path: False)
    published(tmp_path, ("plate.png",))
    place, inode = disk.named(ownership.LIST)
    assert disk.is_synced_before(inode, place)


def test_no_more_is_waited_for_however_many_images_there_are(tmp_path, disk):
    counts = []
    for n_images in (2, 200):
        disk.steps.clear()
        published(tmp_path, ("mask", "plate.png"), n_images)
        counts.append(sum(step[0].startswith("sync") for step in disk.steps))
    assert counts[0] == counts[1] < 8


def test_a_folder_that_was_made_for_results_is_on_the_disk_with_them(tmp_path, disk):
    publication = Publication(tmp_path / "a" / "b", [tmp_path / "a" / "b" / "plate.png"], overwrite=False)
    (publication.new / "plate.png").write_bytes(b"result")
    publication.publish()
    for folder in (tmp_path, tmp_path / "a"):
        assert ("sync", folder.stat().st_ino) in disk.steps


@pytest.mark.parametrize("sync", [sync_file, sync_all_beside])
def test_what_the_disk_has_is_waited_for(tmp_path, sync):
    (tmp_path / "a").write_bytes(b"contents")
    sync(tmp_path / "a")
    with pytest.raises(FileNotFoundError):
        sync(tmp_path / "b")


def test_what_the_disk_did_not_take_is_not_published(tmp_path, monkeypatch):
    path = tmp_path / "model.npz"
    path.write_bytes(b"old")

    def refused(number):
        def fsync(descriptor):
            raise OSError(number, "")

        return fsync

    monkeypatch.setattr(os, "fsync", refused(errno.EIO))
    with pytest.raises(CleanplateError, match="could not be written"), replacing(path) as beside:
        beside.write_bytes(b"new")
    assert path.read_bytes() == b"old"
    monkeypatch.setattr(os, "fsync", refused(errno.EINVAL))  # A file system that has no such thing.
    with replacing(path) as beside:
        beside.write_bytes(b"new")
    assert path.read_bytes() == b"new"
