"""Has what was written on the disk, before anything rests on it: a power cut takes what only the system holds.

Names may reach a disk before the contents of their files do; then a file is complete for all programs, and empty after
a power cut.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
"""Error numbers that mean: this file system writes when it wants to."""


def sync_file(path: Path) -> None:
    """Have a file on the disk. Raises OSError, also where the system could not write earlier what it had taken."""
    # Windows does it for those alone who may write.
    descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk; not every system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


if sys.platform == "linux":
    import ctypes

    def sync_all_beside(path: Path) -> None:
        """Have everything on the disk that its file system holds: once for any number of files. Raises OSError."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            # ``os.sync`` would wait for every other drive too.
            if ctypes.CDLL(None, use_errno=True).syncfs(descriptor) != 0:
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number), str(path))
        finally:
            os.close(descriptor)

elif sys.platform == "win32":

    def sync_all_beside(path: Path) -> None:
        """Do nothing: there is no such call."""

else:

    def sync_all_beside(path: Path) -> None:
        """Have everything on the disk that the system holds: once for any number of files."""
        os.sync()
