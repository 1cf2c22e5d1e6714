"""What is kept of the work in case the program ends without warning, and what an earlier run has left so."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import secrets
import shutil
import sys
import time
import zlib
from pathlib import Path

from core.errors import CleanplateError
from core.runtime.file_lock import FileLock, NoLocksError

FILE = "work.cleanplate"
LOCK = "lock"

NEW_S = 60.0
"""A folder that has changed since is left alone though it holds no work."""

NAME = re.compile(r"(\d{1,9})-([0-9a-f]{8})-[0-9a-f]{8}")
"""Of a folder: its process, the machine that this runs on, and what tells two of them apart."""


class Recovery:
    """A folder for the work of this window, held by a lock that ends with the process.

    Where the file system has no locks, the folder's name tells whether its process is over.

    Parameters
    ----------
    root : Path
        Where the folders of all windows are.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder: Path | None = None
        self._lock: FileLock | None = None

    def claim(self) -> Path:
        """Return the file for the work of this window.

        Raises
        ------
        CleanplateError
            The folder cannot be made.
        """
        if self._folder is None:
            folder = self._root / f"{os.getpid()}-{_machine()}-{secrets.token_hex(4)}"
            lock = FileLock(folder / LOCK)
            try:
                folder.mkdir(parents=True, mode=0o700)
                with contextlib.suppress(NoLocksError):
                    lock.acquire()
            except OSError as error:
                _remove_empty(folder)
                raise CleanplateError(
                    f"The work cannot be kept for after a crash: {folder} cannot be made ({error.strerror}); "
                    f"save the project by hand."
                ) from error
            self._folder, self._lock = folder, lock
        return self._folder / FILE

    def left_behind(self) -> Path | None:
        """Return the newest work that a run which is over has left, and hold it from now on; None where none is.

        What such a run has left beside work that was saved since is removed.
        """
        self._remove_rests()
        left: list[tuple[float, Path]] = []
        for file in self._root.glob(f"*/{FILE}"):
            with contextlib.suppress(OSError):  # Another window may just remove it.
                left.append((file.stat().st_mtime, file))
        for _, file in sorted(left, reverse=True):
            lock = FileLock(file.parent / LOCK)
            with contextlib.suppress(OSError):
                if _is_over(lock, file.parent.name):
                    self.remove()
                    self._folder, self._lock = file.parent, lock
                    return file
        return None

    def _remove_rests(self) -> None:
        for file in self._root.glob(f"*/{LOCK}"):
            folder, lock = file.parent, FileLock(file)
            with contextlib.suppress(OSError):
                # Not of a window that has just made it, and holds it in a moment.
                is_new = time.time() - folder.stat().st_mtime < NEW_S
                if not is_new and not (folder / FILE).exists() and _is_over(lock, folder.name):
                    lock.release(remove=True)
                    shutil.rmtree(folder, ignore_errors=True)

    def remove(self) -> None:
        """Remove what is kept; nothing of it is needed any more."""
        if self._folder is None or self._lock is None:
            return
        from core.project.store import remove_project  # noqa: PLC0415 - the engine is there by now

        remove_project(self._folder / FILE)
        self._lock.release(remove=True)
        _remove_empty(self._folder)
        self._folder = self._lock = None

    def leave(self) -> None:
        """Let go of what is kept; the next start offers it."""
        if self._lock is not None:
            self._lock.release(remove=False)
        self._folder = self._lock = None


def _machine() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _is_over(lock: FileLock, name: str) -> bool:
    """Tell whether the process of a folder of that name has ended, and take its lock, if there are any."""
    try:
        return lock.acquire()
    except NoLocksError:
        found = NAME.fullmatch(name)
        return found is not None and found[2] == _machine() and not _runs(int(found[1]))


def _runs(process: int) -> bool:
    if sys.platform == "win32":
        return True  # Its file systems have locks, and a signal would end the process there.
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _remove_empty(folder: Path) -> None:
    """Remove a folder that holds nothing but a lock, which nobody has."""
    for remove in ((folder / LOCK).unlink, folder.rmdir):
        with contextlib.suppress(OSError):
            remove()
