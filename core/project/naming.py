"""How projects are named; light to import, as the window asks before the engine is there."""

from __future__ import annotations

import os
from pathlib import Path

from core.io.input_spec import is_file, is_remote, live_name

SUFFIX = ".cleanplate"
"""Of a project's file."""


def is_project(path: str | Path) -> bool:
    """Tell whether a path is named as projects are."""
    return str(path).lower().endswith(SUFFIX)


def beside(source: str) -> Path:
    """Return where a project of an input may be: beside it and named after it, where it has a place and a name."""
    if not is_file(source):
        return Path((Path(source).stem if is_remote(source) else live_name(source)) + SUFFIX)
    path = Path(source)
    if path.name in {"", ".."}:  # Of "." too.
        path = Path(os.path.abspath(path))
    return path.with_suffix(SUFFIX) if path.name else path / f"project{SUFFIX}"


def document_at(path: Path) -> Path:
    """Return where the document is that is meant by ``path``, which may be a link to it."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def data_folder(path: Path) -> Path:
    """Return the folder of what does not fit into the document at ``path``, or at where a link there leads."""
    document = document_at(path)
    return document.with_name(document.name + ".data")
