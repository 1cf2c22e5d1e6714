"""Kernels of cells: what each small square of pixels shows, and by how much it leaves the background."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Floats, Samples, Scalar
from core.kernels.neighbourhoods import leave_range

AT_ONCE = 1 << 13
"""Samples, about, that are taken together: bytes, and how far they leave, stay in the first-level cache."""

_u = np.uint64  # for places: the check for negative ones keeps loops from being vectorised


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
    many = max(1, AT_ONCE // (width * side))
    apart, room = np.empty(many * side * width, seen.dtype), np.empty((3, shown.shape[1] * side), np.float32)
    most, pairs = np.empty(shown.shape[1] * side, seen.dtype), side == 2 and width % 2 == 0
    now, then, less = seen.reshape(seen.size), known.reshape(known.size), zero * unit
    means, means_then = shown.reshape(shown.size), expected.reshape(expected.size)
    squares, peaks = square.reshape(square.size), peak.reshape(peak.size)
    for top in range(start, stop, many):
        end = min(top + many, stop)
        leave_range(now, then, height, width, top * side, min(end * side, height), apart)
        if side == 1:  # All of them lie in a row.
            at, size = _u(top * width), _u((end - top) * width)
            _singles(now, at, size, unit, less, means, at)
            _singles(then, at, size, unit, less, means_then, at)
            _squares(apart, size, unit * unit, squares, at)
            if peak.size:
                _singles(apart, _u(0), size, unit, np.float32(0), peaks, at)
            continue
        for i in range(top, end):
            to = (i - top) * side * width
            if pairs and height - i * side > 1:
                at, of, w, share = _u(i * side * width), _u(i * shown.shape[1]), _u(width), unit / np.float32(4)
                _pairs(now, at, w, share, less, means, of)
                _pairs(then, at, w, share, less, means_then, of)
                _pairs_of_squares(apart, _u(to), w, share * unit, squares, of)
                if peak.size:
                    _largest_of_pairs(apart, _u(to), w, unit, peaks, of)
            else:
                _any_cells(i, seen, known, apart[to:], side, less, unit, room, most, shown, expected, peak, square)


@njit(cache=True, nogil=True)
def _singles(a: Samples, at: np.uint64, n: np.uint64, unit: Scalar, less: Scalar, out: Floats, to: np.uint64) -> None:
    """Write ``unit`` times each sample, less a number."""
    for j in range(n):
        out[to + j] = unit * np.float32(a[at + j]) - less


@njit(cache=True, nogil=True)
def _squares(a: Samples, n: np.uint64, share: Scalar, out: Floats, to: np.uint64) -> None:
    """Write ``share`` times the square of each sample."""
    for j in range(n):
        x = np.float32(a[j])
        out[to + j] = share * (x * x)


@njit(cache=True, nogil=True)
def _pairs(
    a: Samples, at: np.uint64, width: np.uint64, share: Scalar, less: Scalar, out: Floats, to: np.uint64
) -> None:
    """Write ``share`` times the sum of every 2×2 samples of two rows, less a number."""
    below = at + width
    for j in range(width // _u(2)):
        p, q = at + _u(2) * j, below + _u(2) * j
        left = np.float32(a[p]) + np.float32(a[q])
        out[to + j] = share * (left + (np.float32(a[p + _u(1)]) + np.float32(a[q + _u(1)]))) - less


@njit(cache=True, nogil=True)
def _pairs_of_squares(a: Samples, at: np.uint64, width: np.uint64, share: Scalar, out: Floats, to: np.uint64) -> None:
    """Write ``share`` times the sum of squares of every 2×2 samples of two rows."""
    below = at + width
    for j in range(width // _u(2)):
        p, q = at + _u(2) * j, below + _u(2) * j
        x, y = np.float32(a[p]), np.float32(a[q])
        z, v = np.float32(a[p + _u(1)]), np.float32(a[q + _u(1)])
        out[to + j] = share * ((x * x + y * y) + (z * z + v * v))


@njit(cache=True, nogil=True)
def _largest_of_pairs(a: Samples, at: np.uint64, width: np.uint64, unit: Scalar, out: Floats, to: np.uint64) -> None:
    """Write ``unit`` times the largest of every 2×2 samples of two rows."""
    below = at + width
    for j in range(width // _u(2)):
        p, q = at + _u(2) * j, below + _u(2) * j
        x, y, z, v = a[p], a[p + _u(1)], a[q], a[q + _u(1)]
        x, z = x if x > y else y, z if z > v else v
        out[to + j] = unit * np.float32(x if x > z else z)


@njit(cache=True, nogil=True)
def _any_cells(
    i: int, seen: Samples, known: Samples, apart: Samples, side: int, less: Scalar, unit: Scalar, room: Floats,
    most: Samples, shown: Floats, expected: Floats, peak: Floats, square: Floats,
) -> None:  # fmt: skip
    """Do row ``i`` of cells of any size; room (3, w side) and ``most`` (w side,) are overwritten."""
    (height, width), n = seen.shape, shown.shape[1]
    a, b, power = room[0], room[1], room[2]
    first, last = i * side, min(i * side + side, height)
    for y in range(first, last):
        row, base, e = seen[y], known[y], apart[(y - first) * width : (y - first + 1) * width]
        if y == first:  # Each loop by itself: all in one are too many arrays to vectorise.
            for j in range(width):
                a[j] = row[j]
            for j in range(width):
                b[j] = base[j]
            for j in range(width):
                x = np.float32(e[j])
                power[j] = x * x
            if peak.size:
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
        if peak.size:
            for j in range(width):
                most[j] = e[j] if e[j] > most[j] else most[j]
    rows = last - first
    whole = width // side
    share = unit / np.float32(rows * side)
    _gather(a, side, whole, share, less, shown[i])
    _gather(b, side, whole, share, less, expected[i])
    _gather(power, side, whole, share * unit, np.float32(0), square[i])
    if peak.size:
        _largest(most, side, whole, unit, peak[i])
    if whole < n:  # A cell that the edge cuts.
        s = t = p = np.float32(0)
        for k in range(whole * side, width):
            s += a[k]
            t += b[k]
            p += power[k]
        share = unit / np.float32(rows * (width - whole * side))
        shown[i, whole], expected[i, whole] = s * share - less, t * share - less
        square[i, whole] = p * share * unit
        if peak.size:
            _largest(most[whole * side :], width - whole * side, 1, unit, peak[i, whole:])


@njit(cache=True, nogil=True)
def _gather(sums: Floats, side: int, n: int, share: Scalar, less: Scalar, out: Floats) -> None:
    """Write ``share`` times the sum over every ``side`` columns, less a number."""
    if side == 2:
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
