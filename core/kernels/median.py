"""Kernel of the median of frames."""

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
        for i in range(middle + 1):  # after round i, row i holds the (i + 1)-th smallest
            low = rows[i]
            for j in range(i + 1, count):
                high = rows[j]
                for p in range(n):
                    x, y = low[p], high[p]
                    low[p] = x if x < y else y
                    high[p] = y if x < y else x
        for p in range(n):
            out[a + p] = rows[middle, p]
