"""What the C library does with memory that is given back."""

from __future__ import annotations

import ctypes
import os
import sys

TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD, ARENA_MAX = -1, -2, -3, -8  # of malloc.h

KEPT = 256 << 20
"""So much freed memory stays with the process, bytes: the arrays that a frame of 4K in colour takes on its way."""

GROWTH = 8 << 20
"""By so much the heap grows at a time, bytes: a frame of 1080p as RGB. With more, arrays that should be mapped by
themselves find room in what it grew by, and leave holes."""

OWN_MAPPING = 32 << 20
"""Larger arrays, which live as long as a dictionary does, are mapped by themselves, bytes. The manual of mallopt
allows no larger number."""


def keep() -> None:
    """Let arrays of the size of a frame use memory again that earlier ones gave back.

    By default glibc returns each to the system, which hands it out anew as empty pages, one fault after another: at
    1080p some 2,600 a frame, and a tenth of the processor time of a run that writes films. Other C libraries, and
    environments that say how it is to be, are left alone. All threads share one heap: frames are read by one thread and
    dropped by another, and a heap for each keeps what it has freed to itself, 15 MiB at 1080p. Hardly anything here is
    allocated often enough for them to wait for each other.
    """
    if not sys.platform.startswith("linux") or any(name.startswith("MALLOC_") for name in os.environ):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        limits = {TRIM_THRESHOLD: KEPT, TOP_PAD: GROWTH, MMAP_THRESHOLD: OWN_MAPPING, ARENA_MAX: 1}
        for parameter, value in limits.items():
            mallopt(parameter, value)


def give_back() -> None:
    """Return freed memory to the system: for when what comes needs other sizes than what was, as another pass does."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform.startswith("linux") else None
    if trim is not None:
        trim(0)
