"""Kernels of cells: what each small square of pixels shows, and by how much it leaves the background."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Floats, Samples, Scalar
from core.kernels.neighbourhoods import leave_range


@njit(cache=True, nogil=True)
def measure_band(
    start: int, stop: int, seen: Samples, known: Samples, side: int, zero: Scalar, unit: Scalar, shown: Floats,
    expected: Floats, peak: Floats, square: Floats,
) -> None:  # fmt: skip
    """Write means over cells of a plane and of its background, and by how much the plane leaves it, for a band of rows.

    What a sample differs by is how far it leaves the range of the background's 3×3 neighbourhood: a camera that
    trembles by a pixel, and texture that sways by one, stay inside.

    Parameters
    ----------
    start, stop : int
        The band, rows of cells.
    seen, known : (H, W) uint8 or uint16
        A plane of the frame and of the background.
    side : int
        Rows and columns of a cell, samples.
    zero, unit : float32
        Sample of no light, or no colour; grey levels to a sample.
    shown, expected : (⌈H/side⌉, ⌈W/side⌉) float32
        Written: means, grey levels.
    peak, square : (⌈H/side⌉, ⌈W/side⌉) float32
        Written: largest difference, grey levels, and mean square of it.
    """
    height, width = seen.shape
    n = peak.shape[1]
    padded = n * side
    high, low, e = np.empty(width + 2, seen.dtype), np.empty(width + 2, seen.dtype), np.empty(width, seen.dtype)
    a, b = np.zeros(padded, np.float32), np.zeros(padded, np.float32)
    most, power = np.zeros(padded, np.float32), np.zeros(padded, np.float32)
    for i in range(start, stop):
        a[:], b[:], most[:], power[:] = 0, 0, 0, 0
        first, last = i * side, min(i * side + side, height)
        for y in range(first, last):
            row, base = seen[y], known[y]
            leave_range(row, known, y, high, low, e)
            for j in range(width):
                x = np.float32(e[j])
                a[j] += np.float32(row[j])
                b[j] += np.float32(base[j])
                most[j] = max(most[j], x)
                power[j] += x * x
        rows = last - first
        for j in range(n):
            left, right = j * side, min(j * side + side, width)
            s = t = p = m = np.float32(0)
            for x in range(left, right):
                s += a[x]
                t += b[x]
                p += power[x]
                m = max(m, most[x])
            share = unit / np.float32(rows * (right - left))
            shown[i, j], expected[i, j] = s * share - zero * unit, t * share - zero * unit
            square[i, j], peak[i, j] = p * share * unit, m * unit
