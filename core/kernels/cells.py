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
    peak : (⌈H/side⌉, ⌈W/side⌉) float32
        Written: largest difference, grey levels. Empty, (0, 0): nobody asks for it.
    square : (⌈H/side⌉, ⌈W/side⌉) float32
        Written: mean square of the difference, grey levels².
    """
    height, width = seen.shape
    n, has_peak = shown.shape[1], peak.size > 0
    padded = n * side
    high, low, e = np.empty(width + 2, seen.dtype), np.empty(width + 2, seen.dtype), np.empty(width, seen.dtype)
    a, b, power = np.zeros(padded, np.float32), np.zeros(padded, np.float32), np.zeros(padded, np.float32)
    most = np.zeros(padded, seen.dtype)
    for i in range(start, stop):
        first, last = i * side, min(i * side + side, height)
        for y in range(first, last):
            row, base = seen[y], known[y]
            leave_range(row, known, y, high, low, e)
            if y == first:  # Each loop by itself: all in one are too many arrays to vectorise.
                for j in range(width):
                    a[j] = row[j]
                for j in range(width):
                    b[j] = base[j]
                for j in range(width):
                    x = np.float32(e[j])
                    power[j] = x * x
                if has_peak:
                    for j in range(width):
                        most[j] = e[j]
                continue
            for j in range(width):
                a[j] += np.float32(row[j])
            for j in range(width):
                b[j] += np.float32(base[j])
            for j in range(width):
                x = np.float32(e[j])
                power[j] += x * x
            if has_peak:
                for j in range(width):
                    most[j] = e[j] if e[j] > most[j] else most[j]
        rows = last - first
        whole = width // side
        share, dark = unit / np.float32(rows * side), zero * unit
        _gather(a, side, whole, share, dark, shown[i])
        _gather(b, side, whole, share, dark, expected[i])
        _gather(power, side, whole, share * unit, np.float32(0), square[i])
        if has_peak:
            _largest(most, side, whole, unit, peak[i])
        if whole < n:  # A cell that the edge cuts.
            s = t = p = np.float32(0)
            for k in range(whole * side, width):
                s += a[k]
                t += b[k]
                p += power[k]
            share = unit / np.float32(rows * (width - whole * side))
            shown[i, whole], expected[i, whole] = s * share - dark, t * share - dark
            square[i, whole] = p * share * unit
            if has_peak:
                _largest(most[whole * side :], width - whole * side, 1, unit, peak[i, whole:])


@njit(cache=True, nogil=True)
def _gather(sums: Floats, side: int, n: int, share: Scalar, less: Scalar, out: Floats) -> None:
    """Write ``share`` times the sum over every ``side`` columns, less a number."""
    if side == 1:
        for j in range(n):
            out[j] = share * sums[j] - less
    elif side == 2:
        for j in range(n):
            out[j] = share * (sums[2 * j] + sums[2 * j + 1]) - less
    elif side == 4:
        for j in range(n):
            out[j] = share * (sums[4 * j] + sums[4 * j + 1] + sums[4 * j + 2] + sums[4 * j + 3]) - less
    else:
        for j in range(n):
            s = np.float32(0)
            for k in range(j * side, j * side + side):
                s += sums[k]
            out[j] = share * s - less


@njit(cache=True, nogil=True)
def _largest(differences: Samples, side: int, n: int, unit: Scalar, out: Floats) -> None:
    """Write ``unit`` times the largest of every ``side`` columns."""
    if side == 1:
        for j in range(n):
            out[j] = unit * np.float32(differences[j])
    elif side == 2:
        for j in range(n):
            x, z = differences[2 * j], differences[2 * j + 1]
            out[j] = unit * np.float32(x if x > z else z)
    elif side == 4:
        for j in range(n):
            a, b, c, d = differences[4 * j], differences[4 * j + 1], differences[4 * j + 2], differences[4 * j + 3]
            a, c = a if a > b else b, c if c > d else d
            out[j] = unit * np.float32(a if a > c else c)
    else:
        for j in range(n):
            x = differences[j * side]
            for k in range(j * side + 1, j * side + side):
                x = differences[k] if differences[k] > x else x
            out[j] = unit * np.float32(x)
