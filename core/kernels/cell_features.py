"""Kernels of what the learned head tells cells by, and of which it looks at.

Features of a few neighbouring blocks are computed together: loops of fixed length, over numbers that stay in the
first-level cache. Indices are unsigned, as the check for negative ones keeps loops from being vectorised.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Scalar
from core.kernels.instructions import BROAD, HIGH
from core.kernels.vectors import copy_around, copy_tile

BLOCK = 4
"""Side of a block, cells."""

N = 16
"""Features of a cell."""

BLOCKS = 4
"""Blocks side by side whose features are computed together: of loops shorter than 16 none are vectorised."""

WIDE = BLOCKS * BLOCK
TILE = BLOCK * WIDE
ROWS, AROUND = HIGH, BROAD
"""Rows and columns with what lies two cells around, as `copy_around` copies them."""
PLANES = 15

COLOUR = np.float32(10)
"""Colour counts as light does as far as it differs by more than so many noise scales of its own: a green coat before a
wall as bright.

With 5, `caviar2`, whose film has blocks of colour, loses 0.007 of F, and `cavignal` and `foliage` gain 0.004 and 0.002.
"""

MOMENTS = 6
"""Of a cell's surroundings: variances of frame and background and what they share, in luma, and in both of chroma."""

SUMS = 5 * (AROUND + WIDE) + 2 * WIDE + (MOMENTS + 1) * TILE
"""Room for the sums that features are made of."""


class CellMaps(NamedTuple):
    """What features are made of.

    Attributes
    ----------
    shown, expected : (P, h, w) float32
        Means of the frame and of the background, grey levels: luma, or luma and two planes of chroma, neutral at 0.
    before : (h, w) float32
        Luma of the frame before.
    peak, square : (h, w) float32
        See `core.kernels.cells.measure_band`; of luma.
    variance : (P or more, h, w) float32
        Squares of their noise.
    usual, unrest, cover : (h, w) float32
        See `core.kernels.noise.learn_cells_band`.
    """

    shown: Floats
    expected: Floats
    before: Floats
    peak: Floats
    square: Floats
    variance: Floats
    usual: Floats
    unrest: Floats
    cover: Floats


# Unsigned, for indices.
_u = np.uint64
_W, _T, _A, _R, _B = _u(WIDE), _u(TILE), _u(AROUND), _u(ROWS), _u(BLOCK)


@njit(cache=True, nogil=True)
def find_active(square: Floats, variance: Floats, bar: Scalar, most: Scalar, least: int, active: Bytes) -> None:
    """Write 1 for blocks near which something differs, else 0.

    In one of the planes ``least`` cells of the block, or of one of the eight around it, differ by over ``bar`` noise
    scales, of which none counts as more than the root of ``most``.

    Parameters
    ----------
    square, variance : (P, h, w) and (P or more, h, w) float32
        Mean squares of differences, and squares of the noise.
    bar, most : float32
    least : int
    active : (r, c) uint8
        Written.
    """
    planes, height, width = square.shape
    rows, columns = active.shape
    counts = np.zeros(width + BLOCK, np.int32)
    found = np.zeros((rows + 2, columns + 2), np.uint8)
    limit = bar * bar
    for r in range(rows):
        for p in range(planes):
            counts[:] = 0
            for i in range(r * BLOCK, min(r * BLOCK + BLOCK, height)):
                e, s = square[p, i], variance[p, i]
                for j in range(width):
                    counts[j] += np.int32(e[j] > limit * min(s[j], most))
            for c in range(columns):
                k = c * BLOCK
                if counts[k] + counts[k + 1] + counts[k + 2] + counts[k + 3] >= least:
                    found[r + 1, c + 1] = 1
    for r in range(rows):
        above, here, below = found[r], found[r + 1], found[r + 2]
        for c in range(columns):
            active[r, c] = (
                above[c] | above[c + 1] | above[c + 2] | here[c] | here[c + 1] | here[c + 2] | below[c] | below[c + 1]
                | below[c + 2]
            )  # fmt: skip


@njit(cache=True, nogil=True, inline="always", error_model="numpy")
def _squash(x: np.float32, half: np.float32) -> np.float32:
    out: np.float32 = x / (half + abs(x))
    return out


@njit(cache=True, nogil=True)
def _load(
    plane: Floats, top: int, left: int, rows: np.uint64, columns: np.uint64, at: np.uint64, less: Scalar, out: Floats
) -> None:
    """Copy part of a map, less a number; 0 beyond its edges."""
    height, width = plane.shape
    inside = left >= 0 and left + np.int64(columns) <= width
    for y in range(rows):
        i, to = top + np.int64(y), at + y * columns
        if inside and 0 <= i < height:
            row, first = plane[i], _u(left)
            for j in range(columns):
                out[to + j] = row[first + j] - less
            continue
        for j in range(columns):
            x = left + np.int64(j)
            out[to + j] = plane[i, x] - less if 0 <= i < height and 0 <= x < width else np.float32(0)


@njit(cache=True, nogil=True, inline="always")
def _load_planes(top: int, left: int, maps: CellMaps, out: Floats) -> None:
    """Copy a tile of all maps; 0 beyond their edges, and for chroma where there is none."""
    height, width = maps.peak.shape
    for k in range(_u(maps.shown.shape[0]), _u(3)):
        for j in range(_T):
            out[k * _T + j] = out[(k + _u(3)) * _T + j] = out[(k + _u(6)) * _T + j] = np.float32(0)
    if top + BLOCK <= height and left + WIDE <= width:  # Of whole maps: each view of a part is counted, and costs.
        at, line, size = _u(top * width + left), _u(width), _u(height * width)
        for k in range(_u(maps.shown.shape[0])):
            copy_tile(maps.shown, k * size + at, line, out, k * _T)
            copy_tile(maps.expected, k * size + at, line, out, (k + _u(3)) * _T)
            copy_tile(maps.variance, k * size + at, line, out, (k + _u(6)) * _T)
        copy_tile(maps.peak, at, line, out, _u(9) * _T)
        copy_tile(maps.square, at, line, out, _u(10) * _T)
        copy_tile(maps.usual, at, line, out, _u(11) * _T)
        copy_tile(maps.unrest, at, line, out, _u(12) * _T)
        copy_tile(maps.cover, at, line, out, _u(13) * _T)
        copy_tile(maps.before, at, line, out, _u(14) * _T)
    else:
        zero = np.float32(0)
        for k in range(maps.shown.shape[0]):
            _load(maps.shown[k], top, left, _B, _W, _u(k) * _T, zero, out)
            _load(maps.expected[k], top, left, _B, _W, _u(3 + k) * _T, zero, out)
            _load(maps.variance[k], top, left, _B, _W, _u(6 + k) * _T, zero, out)
        _load(maps.peak, top, left, _B, _W, _u(9) * _T, zero, out)
        _load(maps.square, top, left, _B, _W, _u(10) * _T, zero, out)
        _load(maps.usual, top, left, _B, _W, _u(11) * _T, zero, out)
        _load(maps.unrest, top, left, _B, _W, _u(12) * _T, zero, out)
        _load(maps.cover, top, left, _B, _W, _u(13) * _T, zero, out)
        _load(maps.before, top, left, _B, _W, _u(14) * _T, zero, out)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _add_moments(
    top: int, left: int, height: int, width: int, middle: Scalar, y: Floats, b: Floats, sums: Floats, counts: Floats,
    first: np.uint64, moments: Floats, brightness: Floats,
) -> None:  # fmt: skip
    """Add the moments of 5×5 cells of a plane, given less ``middle``, from ``first`` on; write relative brightness."""
    zero, one = np.float32(0), np.float32(1)
    base = np.float32(16) + np.float32(2) * middle
    for x in range(WIDE):
        counts[x] = np.float32(max(min(left + x + 3, width) - max(left + x - 2, 0), 1))
    s = _u(5) * _A
    for i in range(BLOCK):
        a = _u(i) * _A
        for j in range(_A):
            k = a + j
            y0, y1, y2, y3, y4 = y[k], y[k + _A], y[k + _u(2) * _A], y[k + _u(3) * _A], y[k + _u(4) * _A]
            sums[j] = y0 + y1 + y2 + y3 + y4
            sums[_u(2) * _A + j] = y0 * y0 + y1 * y1 + y2 * y2 + y3 * y3 + y4 * y4
        for j in range(_A):
            k = a + j
            y0, y1, y2, y3, y4 = b[k], b[k + _A], b[k + _u(2) * _A], b[k + _u(3) * _A], b[k + _u(4) * _A]
            sums[_A + j] = y0 + y1 + y2 + y3 + y4
            sums[_u(3) * _A + j] = y0 * y0 + y1 * y1 + y2 * y2 + y3 * y3 + y4 * y4
        for j in range(_A):
            k = a + j
            sums[_u(4) * _A + j] = (
                y[k] * b[k] + y[k + _A] * b[k + _A] + y[k + _u(2) * _A] * b[k + _u(2) * _A]
                + y[k + _u(3) * _A] * b[k + _u(3) * _A] + y[k + _u(4) * _A] * b[k + _u(4) * _A]
            )  # fmt: skip
        rows = np.float32(max(min(top + i + 3, height) - max(top + i - 2, 0), 1))
        for j in range(_W):
            counts[_W + j] = one / (rows * counts[j])
        for part in range(5):
            t, to = _u(part) * _A, s + _u(part) * _W
            for j in range(_W):
                q = t + j
                sums[to + j] = counts[_W + j] * (
                    sums[q] + sums[q + _u(1)] + sums[q + _u(2)] + sums[q + _u(3)] + sums[q + _u(4)]
                )
        to = _u(i) * _W
        for j in range(_W):
            q = s + j
            m0, m1, m2, m3, m4 = sums[q], sums[q + _W], sums[q + _u(2) * _W], sums[q + _u(3) * _W], sums[q + _u(4) * _W]
            now, then = m2 - m0 * m0, m3 - m1 * m1
            now, then = now if now > zero else zero, then if then > zero else zero
            k = to + j
            moments[first + k] += now
            moments[first + _T + k] += then
            moments[first + _u(2) * _T + k] += m4 - m0 * m1
            brightness[k] = (m0 - m1) / (m0 + m1 + base)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _structure(moments: Floats, noise: Floats, share: Floats, out: Floats) -> None:
    """Write the features of 5×5 cells from their moments, those of chroma by its share: correlation and contrasts."""
    half, eight = np.float32(0.5), np.float32(8)
    for k in range(_T):
        w = share[k]
        doubt = half * (noise[k] + w * (noise[_T + k] + noise[_u(2) * _T + k]))
        now = np.sqrt(moments[k] + w * moments[_u(3) * _T + k])
        then = np.sqrt(moments[_T + k] + w * moments[_u(4) * _T + k])
        out[_u(8) * _T + k] = (moments[_u(2) * _T + k] + w * moments[_u(5) * _T + k] + doubt) / (now * then + doubt)
        out[_u(9) * _T + k] = _squash(now, eight)
        out[_u(10) * _T + k] = _squash(then, eight)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _features(x: Floats, share: Floats, out: Floats) -> bool:
    """Write the features of single cells of a tile, from the planes of the tile in the order of `enter_band`.

    Writes as well by what share, 0 to 1, colour tells more than light does, and returns whether it does anywhere.
    """
    zero, one, four, eight, sixteen = np.float32(0), np.float32(1), np.float32(4), np.float32(8), np.float32(16)
    bar, found = COLOUR * COLOUR, np.uint8(0)
    for j in range(_T):
        du, dv = x[_T + j] - x[_u(4) * _T + j], x[_u(2) * _T + j] - x[_u(5) * _T + j]
        out[_u(3) * _T + j] = _squash(du / np.sqrt(x[_u(7) * _T + j]), four)
        out[_u(4) * _T + j] = _squash(dv / np.sqrt(x[_u(8) * _T + j]), four)
        out[_u(6) * _T + j] = _squash(np.sqrt(du * du + dv * dv), eight)
        u, v = du * du - bar * x[_u(7) * _T + j], dv * dv - bar * x[_u(8) * _T + j]
        share[j] = (u if u > zero else zero) + (v if v > zero else zero)
    for j in range(_T):
        found |= np.uint8(share[j] > zero)
    for j in range(_T):
        sigma = np.sqrt(x[_u(6) * _T + j])
        scale = one / sigma
        now = x[j]
        d = now - x[_u(3) * _T + j]
        colour = share[j]
        share[j] = colour / (colour + d * d + x[_u(6) * _T + j])
        colour *= share[j]
        e, peak = np.sqrt(x[_u(10) * _T + j] + colour), np.sqrt(x[_u(9) * _T + j] * x[_u(9) * _T + j] + colour)
        size = np.sqrt(d * d + colour)
        d = size if (d > zero) | (colour > d * d) else -size
        out[j] = _squash(d * scale, four)
        out[_T + j] = _squash(peak * scale, four)
        out[_u(2) * _T + j] = _squash(e * scale, four)
        out[_u(5) * _T + j] = _squash(d, sixteen)
        out[_u(7) * _T + j] = e / (e + x[_u(11) * _T + j] + one)
        out[_u(14) * _T + j] = _squash(sigma, four)
        out[_u(15) * _T + j] = _squash(abs(now - x[_u(14) * _T + j]) * scale, four)
    for j in range(_T):
        out[_u(12) * _T + j] = x[_u(12) * _T + j] / (x[_u(12) * _T + j] + four)
    for j in range(_T):
        out[_u(13) * _T + j] = x[_u(13) * _T + j]
    return bool(found)


@njit(cache=True, nogil=True, inline="always")
def write_features(
    top: int, left: int, maps: CellMaps, planes: Floats, around: Floats, sums: Floats, out: Floats
) -> None:
    """Write the features of `BLOCK` × `WIDE` cells from a row and a column on.

    Parameters
    ----------
    top, left : int
        Row and column.
    maps : CellMaps
    planes : (PLANES TILE,) float32
        Room.
    around : (2, ROWS AROUND) float32
        Room.
    sums : (SUMS,) float32
        Room.
    out : (N TILE,) float32
        Written: feature by feature; beyond the edges anything finite.
    """
    height, width = maps.peak.shape
    zero = np.float32(0)
    _load_planes(top, left, maps, planes)
    for k in range(_u(6) * _T, _u(9) * _T):  # beyond the edges as well
        noise = planes[k]
        planes[k] = noise if noise > zero else np.float32(1)
    counts, moments = sums[5 * (AROUND + WIDE) :], sums[5 * (AROUND + WIDE) + 2 * WIDE :]
    share, y, b = moments[MOMENTS * TILE :], around[0], around[1]
    moments[: MOMENTS * TILE] = zero
    is_coloured = _features(planes, share, out)
    inside = top >= 2 and left >= 2 and top - 2 + ROWS <= height and left - 2 + AROUND <= width
    for p in range(maps.shown.shape[0] if is_coloured else 1):
        middle = maps.expected[p, top, left]  # Squares of what lies near 0 lose no digits.
        if inside:
            at, line = _u((p * height + top - 2) * width + left - 2), _u(width)
            copy_around(maps.shown, at, line, middle, y)
            copy_around(maps.expected, at, line, middle, b)
        else:
            _load(maps.shown[p], top - 2, left - 2, _R, _A, _u(0), middle, y)
            _load(maps.expected[p], top - 2, left - 2, _R, _A, _u(0), middle, b)
        brightness = out[11 * TILE :] if p == 0 else sums  # Of colour nobody asks for it.
        _add_moments(
            top, left, height, width, middle, y, b, sums, counts, _u(3 * TILE if p else 0), moments, brightness
        )  # fmt: skip
    _structure(moments, planes[6 * TILE : 9 * TILE], share, out)


@njit(cache=True, nogil=True)
def write_all(active: Bytes, maps: CellMaps, out: Floats) -> None:
    """Write the features (N, h, w) of all cells in active blocks, for who learns from them; leave the others."""
    height, width = maps.peak.shape
    planes, features = np.empty(PLANES * TILE, np.float32), np.empty(N * TILE, np.float32)
    around, sums = np.empty((2, ROWS * AROUND), np.float32), np.empty(SUMS, np.float32)
    for r in range(active.shape[0]):
        for c in range(active.shape[1]):
            if not active[r, c]:
                continue
            top, left = r * BLOCK, c * BLOCK
            write_features(top, left, maps, planes, around, sums, features)
            for k in range(N):
                for i in range(min(BLOCK, height - top)):
                    for j in range(min(BLOCK, width - left)):
                        out[k, top + i, left + j] = features[k * TILE + i * WIDE + j]
