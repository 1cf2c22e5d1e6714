"""A model that is applied lies elsewhere, where it may be written anew while a project is saved."""

import errno
import os
import sys
from pathlib import Path

import pytest

from core.errors import CleanplateError
from core.io.input_spec import InputSpec
from core.project import data_files, store
from core.project.document import Document, input_of
from core.project.naming import data_folder
from core.project.store import Project, load_project, save_project

OPEN = data_files.open_regular
FIRST, OTHER = bytes(3 << 20), b"other" * 999_999


class ChangedMeanwhile:
    """A file that is written anew once some of it was read."""

    def __init__(self, model):
        self._model, self._file = model, OPEN(model)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def fileno(self):
        return self._file.fileno()

    def read(self, n_bytes):
        part = self._file.read(n_bytes)
        if self._model is not None:
            write_over(self._model)
            self._model = None
        return part


def write_over(model: Path):
    model.write_bytes(OTHER)
    os.utime(model, ns=(0, model.stat().st_mtime_ns + 10**9))  # The clock of a file system may be coarse.


def replaced(model: Path):
    (model.parent / "new").write_bytes(OTHER)
    (model.parent / "new").replace(model)
    return OPEN(model)


def refused(_):
    raise PermissionError(errno.EACCES, "Permission denied")


@pytest.fixture
def applied(tmp_path):
    """A project in which a model is applied, which is not looked into."""
    model = tmp_path / "model.npz"
    model.write_bytes(FIRST)
    return Project(Document(input=input_of(InputSpec("sample:street"), (64, 48))), model=model)


def changing(monkeypatch, change, times):
    """Let a model be changed so often, each time when it is opened to be copied."""
    copied, copy = [], data_files.copy_model

    def copy_it(*given):
        copied.append(given)
        with monkeypatch.context() as patch:
            if len(copied) <= times:
                patch.setattr(data_files, "open_regular", change)
            copy(*given)

    monkeypatch.setattr(store, "copy_model", copy_it)
    monkeypatch.setattr(store, "AGAIN_S", 0.0)


@pytest.mark.parametrize("change", [replaced, ChangedMeanwhile])
def test_a_model_that_changes_while_it_is_copied_is_copied_whole_under_the_name_of_what_it_is(
    applied, tmp_path, monkeypatch, change
):
    path = tmp_path / "day.cleanplate"
    changing(monkeypatch, change, times=1)
    save_project(applied, path)
    assert load_project(path).model.read_bytes() == OTHER
    save_project(applied, path)
    assert len([*data_folder(path).iterdir()]) == 1, "it is there already"


def test_a_model_that_is_written_on_and_on_is_one_sentence_and_the_project_is_as_before(applied, tmp_path, monkeypatch):
    path = tmp_path / "day.cleanplate"
    save_project(applied, path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.cleanplate*/*")} | {path: path.read_bytes()}
    write_over(applied.model)
    changing(monkeypatch, ChangedMeanwhile, times=1000)
    with pytest.raises(CleanplateError, match=r"model\.npz that is applied is being written; [a-z ]+\.$"):
        save_project(applied, path)
    assert {file: file.read_bytes() for file in before} == before
    assert load_project(path).model.read_bytes() == FIRST
    assert len([*data_folder(path).iterdir()]) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_what_belongs_to_a_private_project_is_private_too(applied, tmp_path):
    path = tmp_path / "day.cleanplate"
    save_project(applied, path)
    path.chmod(0o600)
    write_over(applied.model)
    save_project(applied, path)
    assert [file.stat().st_mode & 0o777 for file in (path, load_project(path).model)] == [0o600, 0o600]


def test_a_model_that_may_not_be_read_says_what_to_do(applied, tmp_path, monkeypatch):
    monkeypatch.setattr(data_files, "open_regular", refused)
    with pytest.raises(CleanplateError, match=r"\(Permission denied\); check the drive .*, or learn again\.$"):
        save_project(applied, tmp_path / "of.cleanplate")
