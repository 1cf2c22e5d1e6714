"""Spares what is made to stay from being looked through for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def lasting() -> Iterator[None]:
    """Import and make inside what stays to the end of the process: it is never looked through for garbage.

    Else all of it is, again and again while it grows, for a tenth of the time that a short run takes.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
