"""A person's home, where a path begins with ``~``."""

from __future__ import annotations

import os
from pathlib import Path


def expanded(path: str | Path) -> Path:
    """Return a path with the home that its ``~`` or ``~name`` stands for, or as it is where there is no such home.

    `pathlib.Path.expanduser` raises RuntimeError instead, for names that are as good as any other.
    """
    return Path(os.path.expanduser(path))
