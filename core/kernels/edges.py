"""Kernels that take what is known of cells to pixels: a mask along the edges that the picture has, and what is near."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Floats, Integers, Samples, Scalar
from core.kernels.arrays import add_runs, longer

_u = np.uint64  # for indices: the check for negative ones keeps loops from being vectorised


@njit(cache=True, nogil=True, error_model="numpy")
def refine_band(
    start: int, stop: int, seen: Samples, known: Samples, side: int, unit: Scalar, logit: Floats, shown: Floats,
    expected: Floats, variance: Floats, half: Scalar, bar: Scalar, pull: Scalar, mask: Bytes,
) -> Integers:  # fmt: skip
    """Write 255 where the logit of a pixel is over a bar, 0 elsewhere, for a band of rows of cells.

    A pixel's logit is interpolated between the cells around it; a pixel that departs from the background by more than
    what is around it is drawn to the foreground, one that departs by less to the background: ``pull`` times the
    difference of ``d / (d + half σ)`` is added, where d is how far a pixel departs, and the mean of a cell.

    Parameters
    ----------
    start, stop : int
        The band, rows of cells.
    seen, known : (H, W) uint8 or uint16
        Luma of the frame and of the background.
    side : int
        Rows and columns of a cell, samples.
    unit : float32
        Grey levels to a sample.
    logit : (h, w) float32
    shown, expected : (h, w) float32
        Mean luma of cells of the frame and of the background, grey levels.
    variance : (h, w) float32
        σ², grey levels².
    half : float32
        Noise scales by which a pixel that departs is drawn by half of the pull.
    bar : float32
    pull : float32
        How much of a logit it is worth.
    mask : (H, W) uint8
        Written; 0 where the cell and all around it lie below the bar by more than the pull.

    Returns
    -------
    (3, n) int32
        Row, start and stop (exclusive) of each run of 255 in the band, in their order: found here, where they are
        looked for in rows that were just written, and nowhere else.
    """
    height, width = mask.shape
    rows, columns = logit.shape
    one, middle, inverse = np.float32(1), np.float32(0.5), np.float32(1) / np.float32(side)
    most, asked = np.empty(columns + 2, np.float32), np.zeros(columns, np.uint8)
    level, mixed = np.empty((3, columns + 2), np.float32), np.empty(columns + 2, np.float32)
    z, spread = np.empty(columns * side, np.float32), np.empty(columns * side, np.float32)
    few, wide = np.empty(columns, np.float32), np.empty(columns * side, np.uint8)
    runs, n_runs = np.empty((3, width), np.int32), 0
    for i in range(start, stop):
        above, below = max(i - 1, 0), min(i + 1, rows - 1)
        first, last = i * side, min(i * side + side, height)
        some = _largest_around(logit[above], logit[i], logit[below], bar - pull, most, asked)
        for y in range(first, last):
            mask[y] = 0
        if not some:
            continue
        c, stop_at = columns, 0  # From the first to the last cell that is asked for: few cells between them are not.
        for j in range(columns):
            if asked[j]:
                c, stop_at = min(c, j), j + 1
        n, low, high = stop_at - c, max(c - 1, 0), min(stop_at + 1, columns)
        for k in range(3):
            r = above if k == 0 else (i if k == 1 else below)
            _level(logit[r, low:high], shown[r, low:high], expected[r, low:high], variance[r, low:high], half, pull,
                   level[k, 1 - (c - low) : high - c + 1])  # fmt: skip
            if low == c:
                level[k, 0] = level[k, 1]
            if high == stop_at:
                level[k, n + 1] = level[k, n]
        _half_pull(variance[i, c:stop_at], half, few)
        _widen(few[: stop_at - c], side, spread)
        _widen(asked[c:stop_at], side, wide)
        left, right = c * side, min(stop_at * side, width)
        for y in range(first, last):
            v = (np.float32(y - first) + middle) * inverse - middle
            here, other = level[1], level[2] if v > 0 else level[0]
            v = abs(v)
            for j in range(n + 2):
                mixed[j] = (one - v) * here[j] + v * other[j] - bar
            _between(mixed, n, side, z)
            _compare(seen[y, left:right], known[y, left:right], z, spread, wide, unit, pull, mask[y, left:right])
            if n_runs + right - left > runs.shape[1]:  # A row has no more runs than pixels.
                runs = longer(runs, width)
            n_runs = add_runs(mask, y, left, right, n_runs, runs)
    return runs[:, :n_runs].copy()


@njit(cache=True, nogil=True)
def _largest_around(above: Floats, here: Floats, below: Floats, bar: Scalar, most: Floats, out: Bytes) -> bool:
    """Write 255 where the largest of 3×3 cells is over a bar, else 0; return whether any is.

    Parameters
    ----------
    above, here, below : (w,) float32
        Rows of cells.
    bar : float32
    most : (w + 2,) float32
        Room.
    out : (w,) or longer, uint8
        Written.
    """
    n = here.size
    inside = most[1 : n + 1]
    for j in range(n):
        a, b, c = above[j], here[j], below[j]
        ab = a if a > b else b
        inside[j] = ab if ab > c else c
    most[0], most[n + 1] = most[1], most[n]
    left, right = most[0:n], most[2 : n + 2]
    some = np.uint8(0)
    for j in range(n):
        found = np.uint8(255) if (left[j] > bar) | (inside[j] > bar) | (right[j] > bar) else np.uint8(0)
        out[j] = found
        some |= found
    found_any: bool = some != 0
    return found_any


@njit(cache=True, nogil=True, error_model="numpy")
def _level(
    logit: Floats, shown: Floats, expected: Floats, variance: Floats, half: Scalar, pull: Scalar, out: Floats
) -> None:
    """Write logits, less what the pull of a pixel like the whole cell is."""
    for j in range(logit.size):
        d = abs(shown[j] - expected[j])
        out[j] = logit[j] - pull * (d / (d + half * np.sqrt(variance[j])))


@njit(cache=True, nogil=True)
def _half_pull(variance: Floats, half: Scalar, out: Floats) -> None:
    """Write by how much a pixel of each cell departs where it is drawn by half."""
    for j in range(variance.size):
        out[j] = half * np.sqrt(variance[j])


@njit(cache=True, nogil=True)
def _widen(cells: NDArray[np.generic], side: int, out: NDArray[np.generic]) -> None:
    """Write each number ``side`` times; loops of fixed length for the sides of most frames, as those are vectorised."""
    n = _u(cells.size)
    if side == 2:
        for j in range(n):
            x, at = cells[j], _u(2) * j
            out[at], out[at + _u(1)] = x, x
    elif side == 4:
        for j in range(n):
            x, at = cells[j], _u(4) * j
            out[at], out[at + _u(1)], out[at + _u(2)], out[at + _u(3)] = x, x, x, x
    elif side == 8:
        for j in range(n):
            x, at = cells[j], _u(8) * j
            for k in range(_u(8)):
                out[at + k] = x
    else:
        for j in range(n):
            for k in range(_u(side)):
                out[j * _u(side) + k] = cells[j]


@njit(cache=True, nogil=True)
def _between(cells: Floats, n: int, side: int, out: Floats) -> None:
    """Write cells 1 to n, interpolated linearly to ``side`` samples each."""
    left, here, right = cells[0:n], cells[1 : n + 1], cells[2 : n + 2]
    if side == 2:
        near, far = np.float32(0.75), np.float32(0.25)
        for j in range(_u(n)):
            x, at = near * here[j], _u(2) * j
            out[at], out[at + _u(1)] = x + far * left[j], x + far * right[j]
        return
    inverse, half, zero = np.float32(1) / np.float32(side), np.float32(0.5), np.float32(0)
    own, before, after = np.empty(side, np.float32), np.empty(side, np.float32), np.empty(side, np.float32)
    for k in range(side):
        u = (np.float32(k) + half) * inverse - half
        own[k], before[k], after[k] = np.float32(1) - abs(u), max(-u, zero), max(u, zero)
    if side == 4:
        a, b, c, d = own[0], own[1], before[0], before[1]
        for j in range(_u(n)):
            x, y, at = a * here[j], b * here[j], _u(4) * j
            out[at], out[at + _u(1)] = x + c * left[j], y + d * left[j]
            out[at + _u(2)], out[at + _u(3)] = y + d * right[j], x + c * right[j]
    elif side == 8:
        for j in range(_u(n)):
            x, y, z, at = here[j], left[j], right[j], _u(8) * j
            for k in range(_u(8)):
                out[at + k] = own[k] * x + before[k] * y + after[k] * z
    else:
        for j in range(_u(n)):
            for k in range(_u(side)):
                out[j * _u(side) + k] = own[k] * here[j] + before[k] * left[j] + after[k] * right[j]


@njit(cache=True, nogil=True)
def _compare(
    seen: Samples, known: Samples, z: Floats, spread: Floats, asked: Bytes, unit: Scalar, pull: Scalar, mask: Bytes
) -> None:
    """Write 255 where it is asked for and ``z + pull d / (d + spread)`` is over 0, else 0; without a division."""
    for j in range(seen.size):
        d = unit * abs(np.float32(seen[j]) - np.float32(known[j]))
        mask[j] = asked[j] if z[j] * (d + spread[j]) + pull * d > np.float32(0) else np.uint8(0)


@njit(cache=True, nogil=True)
def cover_band(
    start: int, stop: int, logit: Floats, bar: Scalar, low: Scalar, side: int, covered: Bytes, doubted: Bytes
) -> None:
    """Write 255 for pixels of cells whose logit, or that of a cell around, is over a bar, else 0, for a band of rows.

    Parameters
    ----------
    start, stop : int
        The band, rows of cells.
    logit : (h, w) float32
    bar, low : float32
        Of ``covered`` and of ``doubted``; the second is no higher.
    side : int
        Rows and columns of a cell, pixels.
    covered, doubted : (H, W) uint8
        Written.
    """
    rows, columns = logit.shape
    most, found = np.empty(columns + 2, np.float32), np.empty(columns, np.uint8)
    wide = np.empty(columns * side, np.uint8)
    for i in range(start, stop):
        above, below = logit[max(i - 1, 0)], logit[min(i + 1, rows - 1)]
        first, last = i * side, min(i * side + side, covered.shape[0])
        some = _largest_around(above, logit[i], below, low, most, found)
        _write_rows(some, found, side, wide, doubted, first, last)
        some = some and _largest_around(above, logit[i], below, bar, most, found)
        _write_rows(some, found, side, wide, covered, first, last)


@njit(cache=True, nogil=True)
def _write_rows(some: bool, found: Bytes, side: int, wide: Bytes, out: Bytes, first: int, last: int) -> None:
    """Write what was found of cells, if any, to rows of pixels; ``wide`` is overwritten."""
    if not some:
        for y in range(first, last):
            out[y] = 0
        return
    _widen(found, side, wide)
    for y in range(first, last):
        row = out[y]
        for j in range(row.size):
            row[j] = wide[j]
