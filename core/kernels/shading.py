"""Kernels of smooth shadings of a plate, of which a dictionary begins."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Floats, Scalar


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def shade_band(start: int, stop: int, plate: Floats, more: Scalar, down: Floats, across: Floats, out: Floats) -> float:
    """Write ``(plate + more) (1 + down across) / 2`` for a band of rows; return the sum of squares of what is written.

    Parameters
    ----------
    start, stop : int
        The band.
    plate : (H, W) float32
    more : float32
    down, across : (H,) and (W,) float32
        Waves.
    out : (H, W) float32
        Written.
    """
    half, total = np.float32(0.5), 0.0
    for i in range(start, stop):
        seen, row, wave = plate[i], out[i], half * down[i]
        squares = np.float32(0)
        for j in range(seen.size):
            x = (seen[j] + more) * (half + wave * across[j])
            row[j] = x
            squares += x * x
        total += np.float64(squares)
    return total
