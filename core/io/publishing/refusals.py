"""What the operating system refuses, in one sentence."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from core.errors import FullError, RefusedError

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG} if hasattr(errno, "EDQUOT") else {errno.ENOSPC, errno.EFBIG}
"""Error numbers that mean: no more room here."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses while ``path`` is written into one sentence."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise FullError(
                f"The disk is full: {path} could not be written; free some space or choose another folder."
            ) from error
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise RefusedError(f"{path} could not be written ({reason}); choose another folder.") from error
