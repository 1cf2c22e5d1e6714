"""A lock between processes, held on a file: the system frees it when its holder ends, however that ends."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from pathlib import Path

UNSUPPORTED = {errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP}
"""Error numbers that mean: this file system has no locks."""

FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Made where it is not there; a link is not followed, and a pipe of that name is not waited for."""


POLL_S = 0.01
"""Between two looks whether a lock is free."""


class NoLocksError(OSError):
    """The file system has no locks."""


class FileLock:
    """One lock; two of the same path exclude each other, in one process too.

    Parameters
    ----------
    path : Path
        A file that is there for the lock alone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """Take the lock, without waiting; False where another has it.

        Raises
        ------
        NoLocksError
            The file system has none.
        OSError
            The file cannot be made.
        """
        while True:
            descriptor = self._opened()
            try:
                if not _lock(descriptor):
                    os.close(descriptor)
                    return False
                # Its holder may have removed the file after it was opened here: that lock excludes nobody.
                is_current = self._is_current(descriptor)
            except BaseException as error:
                os.close(descriptor)
                if isinstance(error, OSError) and error.errno in UNSUPPORTED:
                    raise NoLocksError(*error.args) from error
                raise
            if is_current:
                self._descriptor = descriptor
                return True
            os.close(descriptor)

    def acquire_within(self, patience_s: float) -> bool:
        """Take the lock as soon as it is free; False where another has it for so many seconds.

        Raises
        ------
        NoLocksError, OSError
            As `acquire` does.
        """
        deadline = time.monotonic() + patience_s
        while not self.acquire():
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_S)
        return True

    def release(self, *, remove: bool) -> None:
        """Give the lock back, if it is held, whatever the system says; ``remove``: the file is removed too."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        try:
            if remove and sys.platform != "win32":
                self._remove()  # While it is held: afterwards it may be another's.
        finally:
            with contextlib.suppress(OSError):  # Of a drive of the network; the file is closed in any case.
                os.close(descriptor)
        if remove and sys.platform == "win32":
            self._remove()  # Open files cannot be removed there, so not another's either.

    def _opened(self) -> int:
        try:
            return os.open(self._path, FLAGS, 0o666)
        except PermissionError as refused:
            try:  # Another user's: it can be waited for all the same.
                return os.open(self._path, FLAGS & ~(os.O_RDWR | os.O_CREAT))
            except FileNotFoundError:  # It was given back meanwhile, or none may be made here.
                with contextlib.suppress(PermissionError):
                    return os.open(self._path, FLAGS, 0o666)
                raise refused from None

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink()


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in {errno.EACCES, errno.EDEADLK}:
                return False
            raise
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
