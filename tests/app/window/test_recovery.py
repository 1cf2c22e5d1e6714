"""What a window keeps of the work is found by the next one when the window is over, also where there are no locks."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.window.recovery import FILE, Recovery
from core.errors import CleanplateError
from core.runtime import file_lock


@pytest.fixture
def _no_locks(monkeypatch):
    """The file system has no locks."""

    def refuse(descriptor):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(file_lock, "_lock", refuse)


def ended_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.usefixtures("_no_locks")
@pytest.mark.skipif(sys.platform == "win32", reason="file systems have locks there")
def test_without_locks_the_work_is_kept_and_offered_once_its_process_is_over(tmp_path, monkeypatch):
    first = Recovery(tmp_path)
    file = first.claim()
    file.write_bytes(b"work")
    assert first.claim() == file
    assert Recovery(tmp_path).left_behind() is None  # This process goes on.

    pid, here = file.parent.name.split("-")[:2]
    left = file.parent.rename(tmp_path / file.parent.name.replace(pid, str(ended_process()), 1)) / FILE
    elsewhere = tmp_path / left.parent.name.replace(here, "00000000")
    elsewhere.mkdir()
    (elsewhere / FILE).write_bytes(b"of another machine, where that process may go on")
    os.utime(elsewhere / FILE, (2e9, 2e9))
    next_one = Recovery(tmp_path)
    assert next_one.left_behind() == left
    assert next_one.claim() == left
    next_one.remove()
    assert list(tmp_path.iterdir()) == [elsewhere]


@pytest.mark.usefixtures("_no_locks")
def test_without_locks_nothing_is_left_of_a_window_that_ends(tmp_path):
    for _ in range(3):
        recovery = Recovery(tmp_path)
        recovery.claim()
        recovery.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_held_is_removed_again(tmp_path, monkeypatch):
    def refuse(descriptor):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(file_lock, "_lock", refuse)
    with pytest.raises(CleanplateError, match=r"cannot be made \(Input/output error\)"):
        Recovery(tmp_path).claim()
    assert list(tmp_path.iterdir()) == []


def test_what_another_window_just_removes_does_not_hide_the_rest(tmp_path, monkeypatch):
    before = Recovery(tmp_path)
    file = before.claim()
    file.write_bytes(b"work")
    before.leave()
    monkeypatch.setattr(Path, "glob", lambda root, _: iter([root / "gone" / FILE, file]))
    assert Recovery(tmp_path).left_behind() == file


def test_what_lay_beside_work_that_was_saved_goes_once_its_run_is_over(tmp_path):
    windows = [Recovery(tmp_path) for _ in range(3)]
    over, goes_on, new = (window.claim().parent for window in windows)
    for window in (windows[0], windows[2]):
        window.leave()
    (over / "work.data").mkdir()
    (over / "work.data" / "learnt-0.npz").write_bytes(b"a model")
    for folder in (over, goes_on, new):
        (folder / "lock").touch()
    for folder in (over, goes_on):
        os.utime(folder, (1e9, 1e9))
    assert Recovery(tmp_path).left_behind() is None
    assert {*tmp_path.iterdir()} == {goes_on, new}
    windows[1].remove()
