"""What is kept of the work in case the program ends without warning, and what an earlier run has left so."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from core.errors import CleanplateError
from core.runtime.file_lock import FileLock

FILE = "work.cleanplate"
LOCK = "lock"


class Recovery:
    """A folder for the work of this window, held by a lock that ends with the process.

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
            folder = self._root / f"{os.getpid()}-{secrets.token_hex(4)}"
            try:
                folder.mkdir(parents=True, mode=0o700)
                lock = FileLock(folder / LOCK)
                lock.acquire()
            except OSError as error:
                raise CleanplateError(
                    f"The work cannot be kept for after a crash: {folder} cannot be made ({error.strerror}); "
                    f"save the project by hand."
                ) from error
            self._folder, self._lock = folder, lock
        return self._folder / FILE

    def left_behind(self) -> Path | None:
        """Return the newest work that a run which is over has left, and hold it from now on; None where none is."""
        left: list[tuple[float, Path]] = []
        with contextlib.suppress(OSError):
            for file in self._root.glob(f"*/{FILE}"):
                left.append((file.stat().st_mtime, file))
        for _, file in sorted(left, reverse=True):
            lock = FileLock(file.parent / LOCK)
            with contextlib.suppress(OSError):
                if lock.acquire():
                    self.remove()
                    self._folder, self._lock = file.parent, lock
                    return file
        return None

    def remove(self) -> None:
        """Remove what is kept; nothing of it is needed any more."""
        if self._folder is None or self._lock is None:
            return
        from core.project.store import remove_project  # noqa: PLC0415 - the engine is there by now

        remove_project(self._folder / FILE)
        self._lock.release(remove=True)
        with contextlib.suppress(OSError):
            self._folder.rmdir()
        self._folder = self._lock = None

    def leave(self) -> None:
        """Let go of what is kept; the next start offers it."""
        if self._lock is not None:
            self._lock.release(remove=False)
        self._folder = self._lock = None
