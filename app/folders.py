"""Where a person begins to look for a file or a folder."""

from __future__ import annotations

import os
from pathlib import Path

from core.io.home import expanded


def folder_beside(path: str) -> str:
    """Return the folder in which an input lies; a person's own where it is no file or folder."""
    return str(Path(path).parent) if os.path.exists(path) else str(Path.home())


def folder_near(gone: str, otherwise: Path) -> Path:
    """Return the nearest folder above what is not there any more; another one where that is the root of a disk."""
    near = Path(nearest_folder(os.path.dirname(gone)))
    return otherwise if near == Path(near.anchor) else near


def nearest_folder(typed: str) -> str:
    """Return a folder that is named, or the nearest above it that exists; a person's own where none is named."""
    if not typed.strip() or "\0" in typed:
        return str(Path.home())
    named = Path(os.path.abspath(expanded(typed)))
    return str(next((path for path in (named, *named.parents) if path.is_dir()), Path.home()))
