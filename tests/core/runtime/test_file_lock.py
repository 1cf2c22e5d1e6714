"""One holder at a time, in one process and in several, and none after an end."""

import errno
import os
import subprocess
import sys

import pytest

from core.runtime import file_lock
from core.runtime.file_lock import FileLock, NoLocksError
from tests.patience import aside, until

HOLD = "import sys, pathlib, core.runtime.file_lock as f; l = f.FileLock(pathlib.Path(sys.argv[1])); " \
       "print(l.acquire(), flush=True); sys.stdin.read()"  # fmt: skip


def test_one_holds_it_and_the_file_goes_with_it(tmp_path):
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.acquire()
    assert not second.acquire()
    first.release(remove=True)
    assert not list(tmp_path.iterdir())
    assert second.acquire()
    second.release(remove=False)
    second.release(remove=False)


def test_who_waits_has_it_once_it_is_free_and_gives_up_where_it_never_is(tmp_path):
    first, second = (FileLock(tmp_path / "lock") for _ in range(2))
    assert first.acquire()
    assert not second.acquire_within(0.05)
    got = []
    with aside(lambda: got.append(second.acquire_within(60)), lambda: first.release(remove=True)):
        assert not got, "it waits"
    assert got == [True]
    second.release(remove=True)


def test_a_process_that_is_killed_holds_it_no_more(tmp_path):
    held = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path / "lock")], stdin=-1, stdout=-1, text=True)
    assert held.stdout.readline() == "True\n"
    lock = FileLock(tmp_path / "lock")
    assert not lock.acquire()
    held.kill()
    held.communicate()
    until(lock.acquire, "the lock of a process that is no more")
    lock.release(remove=True)


def test_a_file_system_without_locks_is_an_error_of_its_own(tmp_path, monkeypatch):
    def refuse(_):
        raise OSError(errno.ENOLCK, "")

    monkeypatch.setattr(file_lock, "_lock", refuse)
    with pytest.raises(NoLocksError):
        FileLock(tmp_path / "lock").acquire()


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path):
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        FileLock(tmp_path / "lock").acquire()
    assert not (tmp_path / "elsewhere").exists()


def test_a_lock_that_another_user_has_made_is_waited_for(tmp_path, monkeypatch):
    first, second = (FileLock(tmp_path / "lock") for _ in range(2))
    assert first.acquire()
    open_file = os.open

    def refused(path, flags, *mode):
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return open_file(path, flags, *mode)

    with monkeypatch.context() as patched:
        patched.setattr(file_lock.os, "open", refused)
        assert not second.acquire()
        first.release(remove=False)
        assert second.acquire()
        second.release(remove=True)
        with pytest.raises(PermissionError):  # Not that there is no such file: none may be made.
            second.acquire()
    assert first.acquire()

    def given_back(path, flags, *mode):
        monkeypatch.undo()
        first.release(remove=True)
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(file_lock.os, "open", given_back)
    assert second.acquire(), "it was another's until just now"
    second.release(remove=True)
