"""What the frame that was processed last showed, in a file; where that cannot be read, it is found anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.errors import CleanplateError
from core.io.array_file import ArrayFileError, array_file
from core.session.standing import KEPT, Kept
from core.state_schema import MisfitError


def write_frame(kept: Kept, path: Path) -> None:
    """Write it at ``path`` itself; the same gives the same bytes. Raises OSError."""
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **kept)


def read_frame(path: Path) -> Kept | None:
    """Return what was written; None where there is none that can be read, which nothing depends on."""
    try:
        with array_file(path) as file:
            KEPT.check_declared(file.declared)
            kept = {name: file.read(name) for name in file.declared}
            KEPT.check_contents(kept)
            return kept
    except (ArrayFileError, MisfitError, CleanplateError, OSError):
        return None
