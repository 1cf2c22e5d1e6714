"""Kernels of the learned head: what cells are told by, and a small convolutional network over those that differ.

All maps are padded by `PAD` cells on every side, and by `BEHIND` on the right. The network runs on active blocks only;
outside of them its activations are 0, as they were while it was trained. Work goes by in tiles of a few neighbouring
blocks: loops of fixed length, over numbers that stay in the first-level cache, cost the same for short runs of active
blocks as for long ones. Indices are unsigned, as the check for negative ones keeps loops from being vectorised.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Scalar

BLOCK = 4
"""Side of a block, cells."""

PAD = 8
"""The farthest that a layer looks, cells."""

N = 16
"""Features of a cell, and channels of each layer."""

BLOCKS = 4
"""Blocks of a tile, side by side: of loops shorter than 16 none are vectorised."""

BEHIND = (BLOCKS - 1) * BLOCK
"""A tile may begin at the last block, cells."""

_WIDE = BLOCKS * BLOCK
_TILE = BLOCK * _WIDE
_AROUND, _ROWS = _WIDE + 4, BLOCK + 4  # with what lies two cells around
_PLANES = 15

# Unsigned, for indices.
_u = np.uint64
_N, _W, _T, _A, _R, _B = _u(N), _u(_WIDE), _u(_TILE), _u(_AROUND), _u(_ROWS), _u(BLOCK)


@njit(cache=True, nogil=True)
def find_active(square: Floats, variance: Floats, bar: Scalar, least: int, active: Bytes) -> None:
    """Write 1 for blocks near which something differs, else 0.

    In one of the planes ``least`` cells of the block, or of one of the eight around it, differ by over ``bar`` noise
    scales.

    Parameters
    ----------
    square, variance : (P, h, w) float32
        Mean squares of differences, and squares of the noise.
    bar : float32
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
                    counts[j] += np.int32(e[j] > limit * s[j])
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
def _squash(x: Scalar, half: Scalar) -> np.float32:
    return x / (half + abs(x))


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


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _structure(top: int, left: int, height: int, width: int, middle: Scalar, y: Floats, b: Floats, noise: Floats, sums: Floats,
               counts: Floats, out: Floats) -> None:  # fmt: skip
    """Write the features of 5×5 cells, given less ``middle``: correlation, contrasts, and relative brightness."""
    zero, half, eight = np.float32(0), np.float32(0.5), np.float32(8)
    base = np.float32(16) + np.float32(2) * middle
    for j in range(_W):
        x = left + np.int64(j)
        counts[j] = np.float32(max(min(x + 3, width) - max(x - 2, 0), 1))
    for i in range(_B):
        a = i * _A
        s, t = _u(5) * _A, _u(0)
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
        rows = np.float32(max(min(top + np.int64(i) + 3, height) - max(top + np.int64(i) - 2, 0), 1))
        for k in range(_u(5)):
            t = k * _A
            for j in range(_W):
                q = t + j
                sums[s + k * _W + j] = (
                    sums[q] + sums[q + _u(1)] + sums[q + _u(2)] + sums[q + _u(3)] + sums[q + _u(4)]
                ) / (rows * counts[j])
        to = i * _W
        for j in range(_W):
            q = s + j
            m0, m1, m2, m3, m4 = sums[q], sums[q + _W], sums[q + _u(2) * _W], sums[q + _u(3) * _W], sums[q + _u(4) * _W]
            now, then = m2 - m0 * m0, m3 - m1 * m1
            now, then = now if now > zero else zero, then if then > zero else zero
            k = to + j
            doubt = half * noise[k]
            now_, then_ = np.sqrt(now), np.sqrt(then)
            out[_u(8) * _T + k] = (m4 - m0 * m1 + doubt) / (now_ * then_ + doubt)
            out[_u(9) * _T + k] = _squash(now_, eight)
            out[_u(10) * _T + k] = _squash(then_, eight)
            out[_u(11) * _T + k] = (m0 - m1) / (m0 + m1 + base)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _features(x: Floats, out: Floats) -> None:
    """Write the features of single cells of a tile, from the planes of the tile in the order of `enter_band`."""
    one, four, eight, sixteen = np.float32(1), np.float32(4), np.float32(8), np.float32(16)
    for j in range(_T):
        sigma = np.sqrt(x[_u(6) * _T + j])
        scale = one / sigma
        now = x[j]
        d = now - x[_u(3) * _T + j]
        e = np.sqrt(x[_u(10) * _T + j])
        out[j] = _squash(d * scale, four)
        out[_T + j] = _squash(x[_u(9) * _T + j] * scale, four)
        out[_u(2) * _T + j] = _squash(e * scale, four)
        out[_u(5) * _T + j] = _squash(d, sixteen)
        out[_u(7) * _T + j] = e / (e + x[_u(11) * _T + j] + one)
        out[_u(14) * _T + j] = _squash(sigma, four)
        out[_u(15) * _T + j] = _squash(abs(now - x[_u(14) * _T + j]) * scale, four)
    for j in range(_T):
        du, dv = x[_T + j] - x[_u(4) * _T + j], x[_u(2) * _T + j] - x[_u(5) * _T + j]
        out[_u(3) * _T + j] = _squash(du / np.sqrt(x[_u(7) * _T + j]), four)
        out[_u(4) * _T + j] = _squash(dv / np.sqrt(x[_u(8) * _T + j]), four)
        out[_u(6) * _T + j] = _squash(np.sqrt(du * du + dv * dv), eight)
    for j in range(_T):
        out[_u(12) * _T + j] = x[_u(12) * _T + j]
    for j in range(_T):
        out[_u(13) * _T + j] = x[_u(13) * _T + j]


@njit(cache=True, nogil=True, fastmath={"contract"})
def _mix(x: Floats, weights: Floats, bias: Floats, out: Floats) -> None:
    """Write ``weights x + bias`` of a tile."""
    for o in range(_u(bias.size)):
        w, z, to = weights[o], bias[o], o * _T
        w0, w1, w2, w3, w4, w5, w6, w7 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
        w8, w9, w10, w11, w12, w13, w14, w15 = w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15]
        for j in range(_T):
            out[to + j] = (
                z + w0 * x[j] + w1 * x[_T + j] + w2 * x[_u(2) * _T + j] + w3 * x[_u(3) * _T + j]
                + w4 * x[_u(4) * _T + j] + w5 * x[_u(5) * _T + j] + w6 * x[_u(6) * _T + j] + w7 * x[_u(7) * _T + j]
                + w8 * x[_u(8) * _T + j] + w9 * x[_u(9) * _T + j] + w10 * x[_u(10) * _T + j]
                + w11 * x[_u(11) * _T + j] + w12 * x[_u(12) * _T + j] + w13 * x[_u(13) * _T + j]
                + w14 * x[_u(14) * _T + j] + w15 * x[_u(15) * _T + j]
            )  # fmt: skip


@njit(cache=True, nogil=True, fastmath={"contract"})
def _around(x: Floats, at: np.uint64, columns: np.uint64, reach: np.uint64, spread: Floats, out: Floats) -> None:
    """Write the depthwise 3×3 of a tile whose first cell is ``at`` of a map that lies as one row."""
    line = _N * columns
    up = reach * line
    for o in range(_N):
        k = spread[o]
        k0, k1, k2, k3, k4, k5, k6, k7, k8 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8]
        for y in range(_B):
            b = at + y * line + o * columns
            a, c, to = b - up, b + up, o * _T + y * _W
            for j in range(_W):
                out[to + j] = (
                    k0 * x[a - reach + j] + k1 * x[a + j] + k2 * x[a + reach + j] + k3 * x[b - reach + j] + k4 * x[b + j]
                    + k5 * x[b + reach + j] + k6 * x[c - reach + j] + k7 * x[c + j] + k8 * x[c + reach + j]
                )  # fmt: skip


@njit(cache=True, nogil=True)
def _keep(active: Bytes, r: int, c: int, height: int, width: int, out: Floats) -> bool:
    """Return whether all cells of a tile lie in active blocks; else write 1 for those that do, and 0."""
    whole = (r + 1) * BLOCK <= height and (c + BLOCKS) * BLOCK <= width
    if whole and active[r, c] and active[r, c + 1] and active[r, c + 2] and active[r, c + 3]:
        return True
    for k in range(BLOCKS):
        on = c + k < active.shape[1] and active[r, c + k] != 0
        for j in range(k * BLOCK, k * BLOCK + BLOCK):
            inside = on and c * BLOCK + j < width
            for y in range(BLOCK):
                out[y * _WIDE + j] = np.float32(inside and r * BLOCK + y < height)
    return False


@njit(cache=True, nogil=True)
def _store(values: Floats, keep: Floats, at: np.uint64, columns: np.uint64, out: Floats) -> None:
    """Write a tile of a map, cut at 0; 0 where it is not kept."""
    zero = np.float32(0)
    for o in range(_N):
        for y in range(_B):
            p, q, k = at + (y * _N + o) * columns, o * _T + y * _W, y * _W
            for j in range(_W):
                v = values[q + j] * keep[k + j]
                out[p + j] = v if v > zero else zero


@njit(cache=True, nogil=True)
def _add(x: Floats, values: Floats, at: np.uint64, columns: np.uint64, out: Floats) -> None:
    """Write the sum of a map and of a tile, cut at 0."""
    zero = np.float32(0)
    for o in range(_N):
        for y in range(_B):
            p, q = at + (y * _N + o) * columns, o * _T + y * _W
            for j in range(_W):
                v = values[q + j] + x[p + j]
                out[p + j] = v if v > zero else zero


@njit(cache=True, nogil=True)
def _add_some(x: Floats, values: Floats, keep: Floats, at: np.uint64, columns: np.uint64, out: Floats) -> None:
    """Do the same, 0 where it is not kept."""
    zero = np.float32(0)
    for o in range(_N):
        for y in range(_B):
            p, q, k = at + (y * _N + o) * columns, o * _T + y * _W, y * _W
            for j in range(_W):
                v = (values[q + j] + x[p + j]) * keep[k + j]
                out[p + j] = v if v > zero else zero


@njit(cache=True, nogil=True)
def enter_band(
    start: int, stop: int, active: Bytes, shown: Floats, expected: Floats, before: Floats, peak: Floats,
    square: Floats, variance: Floats, usual: Floats, flicker: Floats, cover: Floats, weights: Floats,
    bias: Floats, filled: Bytes, out: Floats, idle: Floats,
) -> None:  # fmt: skip
    """Write the first layer's activations of a band of rows of blocks.

    Parameters
    ----------
    start, stop : int
        The band.
    active : (r, c) uint8
        Not 0 where a block is looked at.
    shown, expected, variance : (3, h, w) float32
        Means of luma and chroma of the frame and of the background, grey levels; and squares of their noise.
        Chroma is neutral at 0, and without noise where there is none.
    before : (h, w) float32
        Luma of the frame before.
    peak, square : (h, w) float32
        See `core.kernels.cells.measure_band`; of luma.
    usual, flicker, cover : (h, w) float32
        See `core.kernels.noise.learn_band`.
    weights, bias : (N, N) and (N,) float32
    filled : (r, c) uint8
        Changed: in which blocks the two maps are not 0; where they are inactive now both are set to 0.
    out, idle : (BLOCK r + 2 PAD, N, BLOCK c + 2 PAD + BEHIND) float32
        Changed.
    """
    height, width = peak.shape
    zero = np.float32(0)
    planes, features, room = np.empty(_PLANES * _TILE, np.float32), np.empty(N * _TILE, np.float32), np.empty(
        N * _TILE, np.float32)  # fmt: skip
    y, b = np.empty(_ROWS * _AROUND, np.float32), np.empty(_ROWS * _AROUND, np.float32)
    sums, counts, keep = np.empty(5 * (_AROUND + _WIDE), np.float32), np.empty(_WIDE, np.float32), np.empty(
        _TILE, np.float32)  # fmt: skip
    flat, columns = out.reshape(out.size), _u(out.shape[2])
    for r in range(start, stop):
        for c in range(active.shape[1]):
            if filled[r, c] and not active[r, c]:
                for i in range(r * BLOCK + PAD, r * BLOCK + BLOCK + PAD):
                    for o in range(N):
                        for j in range(c * BLOCK + PAD, c * BLOCK + BLOCK + PAD):
                            out[i, o, j] = zero
                            idle[i, o, j] = zero
            filled[r, c] = active[r, c]
        c = _next(active[r], 0)
        while c < active.shape[1]:
            top, left = r * BLOCK, c * BLOCK
            middle = expected[0, top, left]  # Squares of what lies near 0 lose no digits.
            _load(shown[0], top - 2, left - 2, _R, _A, _u(0), middle, y)
            _load(expected[0], top - 2, left - 2, _R, _A, _u(0), middle, b)
            for k in range(3):
                _load(shown[k], top, left, _B, _W, _u(k) * _T, zero, planes)
                _load(expected[k], top, left, _B, _W, _u(3 + k) * _T, zero, planes)
                _load(variance[k], top, left, _B, _W, _u(6 + k) * _T, zero, planes)
            _load(peak, top, left, _B, _W, _u(9) * _T, zero, planes)
            _load(square, top, left, _B, _W, _u(10) * _T, zero, planes)
            _load(usual, top, left, _B, _W, _u(11) * _T, zero, planes)
            _load(flicker, top, left, _B, _W, _u(12) * _T, zero, planes)
            _load(cover, top, left, _B, _W, _u(13) * _T, zero, planes)
            _load(before, top, left, _B, _W, _u(14) * _T, zero, planes)
            if _keep(active, r, c, height, width, keep):
                keep[:] = np.float32(1)
            for k in range(3 * _TILE):  # beyond the edges as well
                noise = planes[6 * _TILE + k]
                planes[6 * _TILE + k] = noise if noise > zero else np.float32(1)
            _structure(top, left, height, width, middle, y, b, planes[6 * _TILE : 7 * _TILE], sums, counts, features)
            _features(planes, features)
            _mix(features, weights, bias, room)
            _store(room, keep, _u(top + PAD) * _N * columns + _u(left + PAD), columns, flat)
            c = _next(active[r], c + BLOCKS)


@njit(cache=True, nogil=True, inline="always")
def _next(active: Bytes, c: int) -> int:
    """Return the first active block from ``c`` on; the number of blocks where there is none."""
    while c < active.size and not active[c]:
        c += 1
    return c


@njit(cache=True, nogil=True, inline="always")
def _layer(
    active: Bytes, r: int, c: int, height: int, width: int, reach: int, spread: Floats, weights: Floats, bias: Floats,
    x: Floats, columns: np.uint64, around: Floats, room: Floats, keep: Floats, out: Floats,
) -> np.uint64:  # fmt: skip
    """Write a tile of a layer; return where in the map it begins."""
    at = _u(r * BLOCK + PAD) * _N * columns + _u(c * BLOCK + PAD)
    _around(x, at, columns, _u(reach), spread, around)
    _mix(around, weights, bias, room)
    if _keep(active, r, c, height, width, keep):
        _add(x, room, at, columns, out)
    else:
        _add_some(x, room, keep, at, columns, out)
    return at


@njit(cache=True, nogil=True)
def layer_band(
    start: int, stop: int, active: Bytes, height: int, width: int, reach: int, spread: Floats, weights: Floats,
    bias: Floats, x: Floats, out: Floats,
) -> None:  # fmt: skip
    """Write ``relu(x + weights (spread * x) + bias)``: depthwise 3×3 with dilation ``reach``, then pointwise.

    Parameters
    ----------
    start, stop : int
        A band of rows of blocks.
    active : (r, c) uint8
    height, width : int
        Rows and columns of cells.
    reach : int
        Cells, `PAD` at most.
    spread, weights, bias : (N, 9), (N, N) and (N,) float32
    x, out : (BLOCK r + 2 PAD, N, BLOCK c + 2 PAD + BEHIND) float32
        ``out`` is written in active blocks.
    """
    around, room, keep = np.empty(N * _TILE, np.float32), np.empty(N * _TILE, np.float32), np.empty(_TILE, np.float32)
    flat, to, columns = x.reshape(x.size), out.reshape(out.size), _u(x.shape[2])
    for r in range(start, stop):
        c = _next(active[r], 0)
        while c < active.shape[1]:
            _layer(active, r, c, height, width, reach, spread, weights, bias, flat, columns, around, room, keep, to)
            c = _next(active[r], c + BLOCKS)


@njit(cache=True, nogil=True)
def leave_band(
    start: int, stop: int, active: Bytes, reach: int, spread: Floats, weights: Floats, bias: Floats, leave: Floats,
    leave_bias: Floats, x: Floats, out: Floats, logit: Floats, shadow: Floats, nothing: Scalar,
) -> None:  # fmt: skip
    """Write the last layer of a band of rows of blocks, as `layer_band` does, and the two outputs.

    Parameters
    ----------
    leave, leave_bias : (2, N) and (2,) float32
    logit, shadow : (h, w) float32
        Written; ``nothing`` in inactive blocks.
    nothing : float32
    """
    height, width = logit.shape
    around, room, keep = np.empty(N * _TILE, np.float32), np.empty(N * _TILE, np.float32), np.empty(_TILE, np.float32)
    flat, to, columns = x.reshape(x.size), out.reshape(out.size), _u(x.shape[2])
    for r in range(start, stop):
        top, bottom = r * BLOCK, min(r * BLOCK + BLOCK, height)
        for i in range(top, bottom):
            logit[i] = nothing
            shadow[i] = nothing
        c = _next(active[r], 0)
        while c < active.shape[1]:
            at = _layer(active, r, c, height, width, reach, spread, weights, bias, flat, columns, around, room, keep, to)
            for o in range(_N):
                for y in range(_B):
                    p, q = at + (y * _N + o) * columns, o * _T + y * _W
                    for j in range(_W):
                        around[q + j] = to[p + j]
            _mix(around, leave, leave_bias, room)
            left = c * BLOCK
            for i in range(top, bottom):
                q = (i - top) * _WIDE
                for j in range(min(_WIDE, width - left)):
                    if active[r, c + j // BLOCK]:
                        logit[i, left + j] = room[q + j]
                        shadow[i, left + j] = room[_TILE + q + j]
            c = _next(active[r], c + BLOCKS)


@njit(cache=True, nogil=True)
def judge(
    active: Bytes, shown: Floats, expected: Floats, before: Floats, peak: Floats, square: Floats, variance: Floats,
    usual: Floats, flicker: Floats, cover: Floats, enter: Floats, enter_bias: Floats, reaches: tuple[int, ...],
    spread: Floats, mix: Floats, mix_bias: Floats, leave: Floats, leave_bias: Floats, filled: Bytes, x: Floats,
    out: Floats, logit: Floats, shadow: Floats, nothing: Scalar,
) -> None:  # fmt: skip
    """Do what `enter_band`, `layer_band` and `leave_band` do, in one call: of small frames calls are most of the time.

    There is an even number of layers, so that the last activations are in ``x``.
    """
    rows, (height, width) = active.shape[0], logit.shape
    enter_band(
        0, rows, active, shown, expected, before, peak, square, variance, usual, flicker, cover, enter, enter_bias,
        filled, x, out,
    )  # fmt: skip
    last = len(reaches) - 1
    for k in range(last):
        layer_band(0, rows, active, height, width, reaches[k], spread[k], mix[k], mix_bias[k], x, out)
        x, out = out, x
    leave_band(
        0, rows, active, reaches[last], spread[last], mix[last], mix_bias[last], leave, leave_bias, x, out, logit,
        shadow, nothing,
    )  # fmt: skip
