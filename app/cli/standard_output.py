"""Standard output where it cannot take all: terminals without some signs, full disks, pipes that nobody reads."""

from __future__ import annotations

import errno
import io
import os
import sys

REFUSALS = {errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EPIPE}
"""What the system says of standard output without a name; what it says of files comes with theirs."""


def write_every_sign() -> None:
    """Write signs that the locale lacks as escapes: they are no reason to fail when the results are complete."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def flush() -> None:
    """Write what is still to be printed; Python would do it at its end, and fail with a status of its own.

    Raises
    ------
    OSError
        The system refuses; what was to be printed is dropped.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        raise
