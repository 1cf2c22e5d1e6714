"""Kernels of the median of frames."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Vector

BLOCK = 2048
"""Values in a block: one of bytes from 15 frames is 30 KiB."""


@njit(cache=True, nogil=True)
def median_band(start: int, stop: int, frames: Vector, count: int, out: Vector) -> None:
    """Write the median over the first ``count`` frames for each value of a band.

    Parameters
    ----------
    start, stop : int
        The band.
    frames : (N, F) uint8, uint16 or float32
    count : int
        Frames to use; for an even count the lower of the middle two.
    out : (F,)
        Written, of the same type.
    """
    middle = (count - 1) // 2
    rows = np.empty((count, BLOCK), frames.dtype)
    for a in range(start, stop, BLOCK):
        b = min(a + BLOCK, stop)
        n = b - a
        for i in range(count):
            for p in range(n):  # Assigning a slice compiles for seconds: it formats what it would say.
                rows[i, p] = frames[i, a + p]
        sort_columns(rows)
        for p in range(n):
            out[a + p] = rows[middle, p]


@njit(cache=True, nogil=True)
def sort_columns(rows: Vector) -> None:
    """Put each column of (N, P) in order: by merge exchange (Knuth, vol. 3, 5.2.2, algorithm M).

    Which rows are compared does not depend on what is in them, so all columns are sorted at once.
    """
    n = len(rows)
    n_levels = 0
    for _ in range(n):
        n_levels += int(1 << n_levels < n)
    for level in range(n_levels):
        part = 1 << n_levels - 1 - level
        for merge in range(level + 1):
            apart = part if merge == 0 else (1 << n_levels - merge) - part
            wanted = 0 if merge == 0 else part
            for i in range(n - apart):
                if i & part == wanted:
                    _exchange(rows[i], rows[i + apart])


@njit(cache=True, nogil=True)
def _exchange(low: Vector, high: Vector) -> None:
    """Put the smaller of two values into the first of two rows, at each column."""
    for p in range(low.size):
        x, y = low[p], high[p]
        low[p] = min(x, y)
        high[p] = max(x, y)
