"""Kernels of the learned head: what cells are told by, and a small convolutional network over those that differ.

All maps are padded by `PAD` cells on every side; the N channels of a cell lie side by side. The network runs on active
blocks only; outside of them its activations are 0, as they were while it was trained. Loops have a fixed length over
numbers that stay in the first-level cache, so that short runs of active blocks cost the same a cell as long ones.
Indices are unsigned, as the check for negative ones keeps loops from being vectorised.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Scalar
from core.kernels.cell_features import AROUND, BLOCK, BLOCKS, PLANES, ROWS, TILE, WIDE, N, write_features

PAD = 8
"""The farthest that a layer looks, cells."""

# Unsigned, for indices.
_u = np.uint64
_N, _T, _B = _u(N), _u(TILE), _u(BLOCK)
_ROW = _u(BLOCK * N)  # activations of a row of a block


@njit(cache=True, nogil=True, fastmath={"contract"})
def _mix(x: Floats, at: np.uint64, weights: Floats, bias: Floats, out: Floats) -> None:
    """Write ``weights x + bias`` of two cells: their weights are loaded once; ``weights`` (N N,) are transposed."""
    w, p, q = weights, at, at + _N
    a0, a1, a2, a3, a4, a5 = x[p], x[p + _u(1)], x[p + _u(2)], x[p + _u(3)], x[p + _u(4)], x[p + _u(5)]
    a6, a7, a8, a9, a10 = x[p + _u(6)], x[p + _u(7)], x[p + _u(8)], x[p + _u(9)], x[p + _u(10)]
    a11, a12, a13, a14, a15 = x[p + _u(11)], x[p + _u(12)], x[p + _u(13)], x[p + _u(14)], x[p + _u(15)]
    b0, b1, b2, b3, b4, b5 = x[q], x[q + _u(1)], x[q + _u(2)], x[q + _u(3)], x[q + _u(4)], x[q + _u(5)]
    b6, b7, b8, b9, b10 = x[q + _u(6)], x[q + _u(7)], x[q + _u(8)], x[q + _u(9)], x[q + _u(10)]
    b11, b12, b13, b14, b15 = x[q + _u(11)], x[q + _u(12)], x[q + _u(13)], x[q + _u(14)], x[q + _u(15)]
    for o in range(_N):
        z = bias[o]
        w0, w1, w2, w3, w4 = w[o], w[_u(16) + o], w[_u(32) + o], w[_u(48) + o], w[_u(64) + o]
        w5, w6, w7, w8, w9 = w[_u(80) + o], w[_u(96) + o], w[_u(112) + o], w[_u(128) + o], w[_u(144) + o]
        w10, w11, w12, w13 = w[_u(160) + o], w[_u(176) + o], w[_u(192) + o], w[_u(208) + o]
        w14, w15 = w[_u(224) + o], w[_u(240) + o]
        out[p + o] = (
            z + w0 * a0 + w1 * a1 + w2 * a2 + w3 * a3 + w4 * a4 + w5 * a5 + w6 * a6 + w7 * a7 + w8 * a8 + w9 * a9
            + w10 * a10 + w11 * a11 + w12 * a12 + w13 * a13 + w14 * a14 + w15 * a15
        )  # fmt: skip
        out[q + o] = (
            z + w0 * b0 + w1 * b1 + w2 * b2 + w3 * b3 + w4 * b4 + w5 * b5 + w6 * b6 + w7 * b7 + w8 * b8 + w9 * b9
            + w10 * b10 + w11 * b11 + w12 * b12 + w13 * b13 + w14 * b14 + w15 * b15
        )  # fmt: skip


@njit(cache=True, nogil=True, fastmath={"contract"})
def _around(x: Floats, at: np.uint64, up: np.uint64, across: np.uint64, spread: Floats, out: Floats) -> None:
    """Write the depthwise 3×3 of a row of a block, whose first cell is ``at`` of a map that lies as one row."""
    k, above, below = spread, at - up, at + up
    for o in range(_ROW):
        out[o] = (
            k[o] * x[above - across + o] + k[_ROW + o] * x[above + o] + k[_u(2) * _ROW + o] * x[above + across + o]
            + k[_u(3) * _ROW + o] * x[at - across + o] + k[_u(4) * _ROW + o] * x[at + o]
            + k[_u(5) * _ROW + o] * x[at + across + o] + k[_u(6) * _ROW + o] * x[below - across + o]
            + k[_u(7) * _ROW + o] * x[below + o] + k[_u(8) * _ROW + o] * x[below + across + o]
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _transposed(weights: Floats) -> Floats:
    out = np.empty(N * N, np.float32)
    for o in range(N):
        for k in range(N):
            out[k * N + o] = weights[o, k]
    return out


@njit(cache=True, nogil=True)
def _repeated(spread: Floats) -> Floats:
    """Return the weights of each neighbour, for each of the cells of a row of a block."""
    out = np.empty(9 * BLOCK * N, np.float32)
    for k in range(9):
        for o in range(BLOCK * N):
            out[k * BLOCK * N + o] = spread[o % N, k]
    return out


@njit(cache=True, nogil=True)
def _store(values: Floats, n: np.uint64, at: np.uint64, out: Floats) -> None:
    """Write what is over 0 of a row of a block; 0 elsewhere."""
    zero = np.float32(0)
    if n == _ROW:
        for o in range(_ROW):
            out[at + o] = values[o] if values[o] > zero else zero
        return
    for o in range(n):
        out[at + o] = values[o] if values[o] > zero else zero


@njit(cache=True, nogil=True)
def _add(values: Floats, n: np.uint64, at: np.uint64, x: Floats, out: Floats) -> None:
    """Write what is over 0 of the sum of a row of a block and of a map; 0 elsewhere."""
    zero = np.float32(0)
    if n == _ROW:
        for o in range(_ROW):
            v = values[o] + x[at + o]
            out[at + o] = v if v > zero else zero
        return
    for o in range(n):
        v = values[o] + x[at + o]
        out[at + o] = v if v > zero else zero


@njit(cache=True, nogil=True)
def enter_band(
    start: int, stop: int, active: Bytes, shown: Floats, expected: Floats, before: Floats, peak: Floats,
    square: Floats, variance: Floats, usual: Floats, unrest: Floats, cover: Floats, weights: Floats,
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
    usual, unrest, cover : (h, w) float32
        See `core.kernels.noise.learn_cells_band`.
    weights, bias : (N, N) and (N,) float32
    filled : (r, c) uint8
        Changed: in which blocks the two maps are not 0; where they are inactive now both are set to 0.
    out, idle : (BLOCK r + 2 PAD, BLOCK c + 2 PAD, N) float32
        Changed.
    """
    height, width = peak.shape
    zero = np.float32(0)
    planes, features = np.empty(PLANES * TILE, np.float32), np.empty(N * TILE, np.float32)
    around, sums = np.empty((2, ROWS * AROUND), np.float32), np.empty(5 * (AROUND + WIDE) + WIDE, np.float32)
    x, room, mix = np.empty(_ROW, np.float32), np.empty(_ROW, np.float32), _transposed(weights)
    flat, line = out.reshape(out.size), _u(out.shape[1]) * _N
    for r in range(start, stop):
        for c in range(active.shape[1]):
            if filled[r, c] and not active[r, c]:
                for i in range(r * BLOCK + PAD, r * BLOCK + BLOCK + PAD):
                    out[i, c * BLOCK + PAD : c * BLOCK + BLOCK + PAD] = zero
                    idle[i, c * BLOCK + PAD : c * BLOCK + BLOCK + PAD] = zero
            filled[r, c] = active[r, c]
        c = _next(active[r], 0)
        while c < active.shape[1]:
            top, left = r * BLOCK, c * BLOCK
            write_features(
                top, left, shown, expected, before, peak, square, variance, usual, unrest, cover, planes, around, sums,
                features,
            )  # fmt: skip
            for block in range(c, min(c + BLOCKS, active.shape[1])):
                if not active[r, block]:
                    continue
                n = _u(min(BLOCK, width - block * BLOCK)) * _N
                for i in range(min(BLOCK, height - top)):
                    first = _u(i * WIDE + (block - c) * BLOCK)
                    for k in range(_N):
                        for j in range(_B):
                            x[j * _N + k] = features[k * _T + first + j]
                    _mix(x, _u(0), mix, bias, room)
                    _mix(x, _u(2) * _N, mix, bias, room)
                    _store(room, n, _u(top + i + PAD) * line + _u(block * BLOCK + PAD) * _N, flat)
            c = _next(active[r], c + BLOCKS)


@njit(cache=True, nogil=True, inline="always")
def _next(active: Bytes, c: int) -> int:
    """Return the first active block from ``c`` on; the number of blocks where there is none."""
    while c < active.size and not active[c]:
        c += 1
    return c


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
    x, out : (BLOCK r + 2 PAD, BLOCK c + 2 PAD, N) float32
        ``out`` is written in active blocks.
    """
    around, room = np.empty(_ROW, np.float32), np.empty(_ROW, np.float32)
    wide, mix = _repeated(spread), _transposed(weights)
    flat, to, line = x.reshape(x.size), out.reshape(out.size), _u(x.shape[1]) * _N
    up, across = _u(reach) * line, _u(reach) * _N
    for r in range(start, stop):
        c = _next(active[r], 0)
        while c < active.shape[1]:
            n = _u(min(BLOCK, width - c * BLOCK)) * _N
            for i in range(r * BLOCK, min(r * BLOCK + BLOCK, height)):
                at = _u(i + PAD) * line + _u(c * BLOCK + PAD) * _N
                _around(flat, at, up, across, wide, around)
                _mix(around, _u(0), mix, bias, room)
                _mix(around, _u(2) * _N, mix, bias, room)
                _add(room, n, at, flat, to)
            c = _next(active[r], c + 1)


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _outputs(x: Floats, at: np.uint64, weights: Floats) -> tuple[np.float32, np.float32]:
    """Return two weighted sums of the activations of a cell; ``weights`` (2 N,)."""
    s = t = np.float32(0)
    for o in range(_N):
        s += x[at + o] * weights[o]
        t += x[at + o] * weights[_N + o]
    return s, t


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
    to, line = out.reshape(out.size), _u(out.shape[1]) * _N
    layer_band(start, stop, active, height, width, reach, spread, weights, bias, x, out)
    last = leave.reshape(2 * N)
    for r in range(start, stop):
        for i in range(r * BLOCK, min(r * BLOCK + BLOCK, height)):
            logit[i] = nothing
            shadow[i] = nothing
            c = _next(active[r], 0)
            while c < active.shape[1]:
                for j in range(c * BLOCK, min(c * BLOCK + BLOCK, width)):
                    at = _u(i + PAD) * line + _u(j + PAD) * _N
                    first, second = _outputs(to, at, last)
                    logit[i, j], shadow[i, j] = leave_bias[0] + first, leave_bias[1] + second
                c = _next(active[r], c + 1)


@njit(cache=True, nogil=True)
def judge(
    active: Bytes, shown: Floats, expected: Floats, before: Floats, peak: Floats, square: Floats, variance: Floats,
    usual: Floats, unrest: Floats, cover: Floats, enter: Floats, enter_bias: Floats, reaches: tuple[int, ...],
    spread: Floats, mix: Floats, mix_bias: Floats, leave: Floats, leave_bias: Floats, filled: Bytes, x: Floats,
    out: Floats, logit: Floats, shadow: Floats, nothing: Scalar,
) -> None:  # fmt: skip
    """Do what `enter_band`, `layer_band` and `leave_band` do, in one call: of small frames calls are most of the time.

    There is an even number of layers, so that the last activations are in ``x``.
    """
    rows, (height, width) = active.shape[0], logit.shape
    enter_band(
        0, rows, active, shown, expected, before, peak, square, variance, usual, unrest, cover, enter, enter_bias,
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
