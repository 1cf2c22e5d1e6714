"""Removing what was written, as far as the system lets."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path


def remove(path: Path) -> None:
    """Remove a file, a link, or a folder with all that is in it; what cannot be removed stays. Never raises OSError."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
