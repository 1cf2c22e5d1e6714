"""The hidden folder in which a run writes, and what becomes of those that a killed run leaves behind."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from core.errors import CleanplateError
from core.io.publishing.journal import JOURNAL, UNFINISHED, Journal
from core.runtime.file_lock import FileLock, NoLocksError

LOCK = ".cleanplate.lock"
"""Held while a run begins in a folder, publishes there, or is tidied away."""

LOCK_WAIT_S = 30.0
"""What is done under the lock takes well below a second; an ended program holds none."""

NAME = re.compile(r"\.cleanplate-[0-9a-f]{8}")
NAMES = "names"
"""What the results of a run are to be called, a name a line."""

PARTS = {"lock", "new", "old", NAMES, JOURNAL, UNFINISHED}


class RunFolder:
    """What a run writes lies in ``new/`` of it, hidden beside the results; the run holds its lock to the end.

    Parameters
    ----------
    path : Path
        Its name is like `NAME`, and it lies in the folder of the results.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.new, self.old = path / "new", path / "old"
        self.journal = Journal(path)
        self._lock = FileLock(path / "lock")

    @classmethod
    def claim(cls, folder: Path, names: Collection[str] = ()) -> RunFolder:
        """Make one for a run that begins, whose results get ``names`` at its end; whoever does it holds `folder_lock`.

        Raises OSError.
        """
        run = cls(folder / f".cleanplate-{secrets.token_hex(4)}")
        run.path.mkdir()
        try:
            with contextlib.suppress(NoLocksError):
                run._lock.acquire()
            run.new.mkdir()
            run.old.mkdir()
            (run.path / NAMES).write_bytes(b"\n".join(map(os.fsencode, names)))
        except BaseException:
            run.remove()
            raise
        return run

    def take_over(self) -> bool:
        """Tell whether its run has ended; what it left is this process' then."""
        try:
            return self._is_ours() and self._lock.acquire()
        except OSError:  # Also where there are no locks: nobody can tell then.
            return False

    def claimed(self) -> set[str]:
        """Return what the results of its run are to be called; none where it has ended or there are no locks."""
        try:
            if self._is_ours() and not self._lock.acquire():
                return set(map(os.fsdecode, (self.path / NAMES).read_bytes().split(b"\n")))
        except OSError:
            return set()
        self.release()
        return set()

    def settle(self) -> bool:
        """Remove the folder, and first undo what was begun and not completed; tell whether there was such a thing.

        Raises
        ------
        CleanplateError
            What was begun cannot be undone; everything stays where it is.
        OSError
        """
        is_begun = self.journal.exists
        if is_begun:
            self.journal.undo()
        self.remove()
        return is_begun

    def remove(self) -> None:
        """Remove the folder as far as the system lets; nothing in it is needed by anyone."""
        self._lock.release(remove=False)
        shutil.rmtree(self.path, ignore_errors=True)

    def release(self) -> None:
        """Leave the folder to whoever comes next."""
        self._lock.release(remove=False)

    def _is_ours(self) -> bool:
        if not stat.S_ISDIR(self.path.lstat().st_mode):
            return False
        with os.scandir(self.path) as entries:
            kinds = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
        return kinds.keys() <= PARTS and all(is_dir == (name in {"new", "old"}) for name, is_dir in kinds.items())


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold a folder of results alone, where its file system has locks.

    Raises
    ------
    CleanplateError
        Another process does not give it back.
    OSError
        The folder is not there or cannot be written.
    """
    lock = FileLock(folder / LOCK)
    with contextlib.suppress(NoLocksError):
        if not lock.acquire_within(LOCK_WAIT_S):
            raise CleanplateError(
                f"Another run has been writing its results into {folder} for {LOCK_WAIT_S:.0f} s; "
                f"end it, or use another folder."
            )
    try:
        yield
    finally:
        lock.release(remove=True)


def recover(folder: Path) -> tuple[int, int]:
    """Tidy away what ended runs left in a folder; return of how many, and how many had begun to publish.

    What these had moved has its place again. Runs that still go on are left alone. Does nothing where nothing was left.

    Raises
    ------
    CleanplateError
        Results of a killed run are in the way of someone else's files.
    OSError
    """
    if not _left_in(folder):
        return 0, 0
    with folder_lock(folder):
        return recover_locked(folder)


def recover_locked(folder: Path) -> tuple[int, int]:
    """Do the same for one who holds `folder_lock`."""
    begun: list[bool] = []
    for path in _left_in(folder):
        run = RunFolder(path)
        if path.name != LOCK and run.take_over():
            try:
                begun.append(run.settle())
            finally:
                run.release()
    return len(begun), sum(begun)


def claimed_in(folder: Path) -> set[str]:
    """Return what results of other runs that go on are to be called, for one who holds `folder_lock`."""
    return {name for path in _left_in(folder) if path.name != LOCK for name in RunFolder(path).claimed()}


def _left_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.name == LOCK or NAME.fullmatch(entry.name)]
    except (FileNotFoundError, NotADirectoryError):
        return []
