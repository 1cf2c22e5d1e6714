"""A note that a file carries: this program wrote it, and as it is now."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

ATTRIBUTE = "user.cleanplate"
"""Extended attribute of the file, with its size in bytes and its time of change in ns."""

if sys.platform == "linux":

    def mark(path: Path) -> bool:
        """Note on a file that it is a result, as it is now; False where its file system keeps no notes."""
        try:
            os.setxattr(path, ATTRIBUTE, _note(path.lstat()), follow_symlinks=False)
        except OSError:
            return False
        return True

    def is_marked(path: Path) -> bool:
        """Tell whether this is a regular file that was not changed after `mark`."""
        try:
            found = path.lstat()
            noted = os.getxattr(path, ATTRIBUTE, follow_symlinks=False)
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode) and noted == _note(found)

else:

    def mark(path: Path) -> bool:
        """Tell that there are no notes here."""
        return False

    def is_marked(path: Path) -> bool:
        """Tell that there are no notes here."""
        return False


def _note(found: os.stat_result) -> bytes:
    return f"{found.st_size} {found.st_mtime_ns}".encode()
