"""Which document lies at a path: whoever saves over it can tell whether it is still the one that was opened there."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TypeAlias

from core.errors import CleanplateError
from core.io.regular_file import read_regular
from core.project.document import Document
from core.project.packing import MOST_BYTES, encode

Revision: TypeAlias = str
"""Tells a document from every other: a digest of its bytes."""

UNKNOWN: Revision = ""
"""No document is of this revision."""


class ChangedElsewhereError(CleanplateError):
    """Another window, or another program, has saved a project since it was opened or saved here."""


def revision_of(document: Document) -> Revision:
    """Return the revision of a document as `core.project.store.save_project` returns it."""
    return _digest(encode(document))


def revision_at(path: Path) -> Revision | None:
    """Return the revision of what lies at a path; None where nothing does, `UNKNOWN` where it cannot be read."""
    try:
        return _digest(read_regular(path, MOST_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, CleanplateError):
        return UNKNOWN


def check_unchanged(path: Path, known: Revision) -> None:
    """Raise ChangedElsewhereError where something else lies at a path than what is known to."""
    if revision_at(path) not in (None, known):
        raise ChangedElsewhereError(f"{path.name} was changed elsewhere since it was opened here; save it as another.")


def _digest(packed: bytes) -> Revision:
    return hashlib.sha256(packed).hexdigest()
