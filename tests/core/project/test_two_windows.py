"""A project that two windows have open: whatever one does while the other saves, what is named is there."""

import errno
import os
import threading

import numpy as np
import pytest

from core.errors import CleanplateError
from core.project import lock, store
from core.project.document import Document, ProjectInput
from core.project.naming import data_folder
from core.project.revision import ChangedElsewhereError, revision_at
from core.project.store import Project, load_document, load_project, save_project, tidy_project
from core.runtime import file_lock
from core.runtime.file_lock import FileLock

FRAME = {
    "mask": np.zeros((4, 4), np.uint8), "may_hide": np.zeros((4, 4), np.uint8), "background": np.zeros(16, np.uint16),
    "shift": np.zeros(2), "h": np.zeros(1), "objective": np.array(0.0), "n_done": np.array(1),
}  # fmt: skip


def project(picture, **parts):
    return Project(Document(input=ProjectInput(path="sample:street")), picture=picture, **parts)


def is_whole(path):
    return all((data_folder(path) / name).is_file() for name in load_document(path).data.all)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "day.cleanplate"
    save_project(project(b"first", frame=FRAME), path)
    return path


@pytest.fixture
def while_writing(monkeypatch):
    """Do something once while a saving writes its picture, after another file of it."""
    true_write, actions = store.write_bytes, []

    def write(packed, beside):
        if actions:
            actions.pop()()
        true_write(packed, beside)

    monkeypatch.setattr(store, "write_bytes", write)
    return actions.append


def test_opening_a_project_leaves_what_another_window_is_just_saving(path, while_writing):
    while_writing(lambda: tidy_project(path, load_project(path).document))
    save_project(project(b"second", frame=FRAME), path)
    assert is_whole(path)
    assert load_project(path).picture == b"second"
    assert load_project(path).frame is not None


def test_of_two_windows_that_save_at_once_the_later_waits(path, while_writing):
    ended = threading.Event()

    def save_later():
        save_project(project(b"later", frame=FRAME), path)
        ended.set()

    later = threading.Thread(target=save_later)

    def begin():
        later.start()
        assert not ended.wait(0.3)

    while_writing(begin)
    first = save_project(project(b"second", frame=FRAME), path)
    later.join()
    assert load_document(path).data != first.data
    assert is_whole(path)
    assert load_project(path).picture == b"later"
    assert not any(file.name.endswith(".lock") for file in path.parent.iterdir())


def test_one_that_waited_for_another_window_does_not_save_over_what_that_has_written(path, while_writing):
    known, raised = revision_at(path), []

    def save_over():
        with pytest.raises(ChangedElsewhereError):
            save_project(project(b"later"), path, known)
        raised.append(True)

    later = threading.Thread(target=save_over)
    while_writing(later.start)
    save_project(project(b"second", frame=FRAME), path)
    later.join()
    assert raised
    assert is_whole(path)
    assert load_project(path).picture == b"second"


def test_a_project_that_is_saved_while_it_is_read_is_read_again(path, monkeypatch):
    true_read, saved = store.read_frame, []

    def read(file):
        if not saved:
            saved.append(save_project(project(b"second", frame=FRAME), path))
        return true_read(file)

    monkeypatch.setattr(store, "read_frame", read)
    assert load_project(path).document.data == saved[0].data


def test_tidying_leaves_the_models_of_a_project_that_was_saved_since_it_was_read(path, tmp_path):
    (tmp_path / "model.npz").write_bytes(b"learnt")
    applied = save_project(project(b"second", model=tmp_path / "model.npz"), path)
    read = load_project(path)
    save_project(project(b"third"), path)
    tidy_project(path, read.document)
    assert (data_folder(path) / applied.data.model).is_file(), "whoever has read it applies it"
    tidy_project(path, load_document(path))
    assert not (data_folder(path) / applied.data.model).exists()


def test_a_lock_that_is_not_given_back_is_said_and_the_project_stays(path, monkeypatch):
    monkeypatch.setattr(lock, "WAIT_S", 0.1)
    other = FileLock(lock.lock_path(path))
    assert other.acquire()
    with pytest.raises(CleanplateError, match=r"Another window has been saving day\.cleanplate"):
        save_project(project(b"second"), path)
    other.release(remove=True)
    assert load_project(path).picture == b"first"


def test_without_locks_it_is_saved_and_nothing_is_tidied_that_another_may_be_saving(path, tmp_path, monkeypatch):
    (tmp_path / "model.npz").write_bytes(b"learnt")
    applied = save_project(project(b"second", model=tmp_path / "model.npz"), path)

    def refuse(_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(file_lock, "_lock", refuse)
    save_project(project(b"third"), path)
    tidy_project(path, load_document(path))
    assert load_project(path).picture == b"third"
    assert not lock.lock_path(path).exists()
    assert (data_folder(path) / applied.data.model).is_file()
