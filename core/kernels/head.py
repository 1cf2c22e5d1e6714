"""Kernels of the learned head: what cells are told by, and a small convolutional network over those that differ.

All maps are padded by `PAD` cells on every side. The network runs on active blocks only; outside of them its
activations are 0, as they were while it was trained.
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


@njit(cache=True, nogil=True)
def find_active(square: Floats, variance: Floats, bar: Scalar, least: int, active: Bytes) -> None:
    """Add 1 to a block for each plane in which ``least`` of its cells differ by over ``bar`` noise scales."""
    height, width = square.shape
    for r in range(-(-height // BLOCK)):
        for c in range(-(-width // BLOCK)):
            count = 0
            for i in range(r * BLOCK, min(r * BLOCK + BLOCK, height)):
                for j in range(c * BLOCK, min(c * BLOCK + BLOCK, width)):
                    count += square[i, j] > bar * bar * variance[i, j]
            if count >= least:
                active[r, c] += 1


@njit(cache=True, nogil=True, inline="always")
def _squash(x: Scalar, half: Scalar) -> np.float32:
    return x / (half + abs(x))


@njit(cache=True, nogil=True)
def features_row(
    i: int, left: int, right: int, shown: Floats, expected: Floats, before: Floats, peak: Floats, square: Floats,
    variance: Floats, usual: Floats, unrest: Floats, cover: Floats, sums: Floats, out: Floats,
) -> None:  # fmt: skip
    """Write the features of cells ``left`` to ``right`` of row ``i``.

    Parameters
    ----------
    i, left, right : int
    shown, expected, variance : (3, h, w) float32
        Means of luma and chroma of the frame and of the background, grey levels; and squares of their noise.
        Chroma is neutral at 0, and without noise where there is none.
    before : (h, w) float32
        Luma of the frame before.
    peak, square : (h, w) float32
        See `core.kernels.cells.measure_band`; of luma.
    usual, unrest, cover : (h, w) float32
        See `core.kernels.noise.learn_cells_band`.
    sums : (5, w + 4) float32
        Room.
    out : (N, w') float32
        Written, from column 0 on.
    """
    height, width = peak.shape
    one, four, sixteen, eight = np.float32(1), np.float32(4), np.float32(16), np.float32(8)
    y, b = shown[0], expected[0]
    top, bottom = max(i - 2, 0), min(i + 3, height)
    low, high = max(left - 2, 0), min(right + 2, width)
    for k in range(5):
        sums[k, low : high + 4] = 0
    s0, s1, s2, s3, s4 = sums[0], sums[1], sums[2], sums[3], sums[4]
    for r in range(top, bottom):
        p, q = y[r], b[r]
        for j in range(low, high):
            u, v = p[j], q[j]
            s0[j + 2] += u
            s1[j + 2] += v
            s2[j + 2] += u * u
            s3[j + 2] += v * v
            s4[j + 2] += u * v
    for k in range(5):  # columns beyond the edge count as none
        if low == 0:
            sums[k, 0], sums[k, 1] = 0, 0
        if high == width:
            sums[k, width + 2], sums[k, width + 3] = 0, 0
    rows = bottom - top
    for j in range(left, right):
        k = j - left
        n = one / np.float32(rows * (min(j + 3, width) - max(j - 2, 0)))
        m0 = (s0[j] + s0[j + 1] + s0[j + 2] + s0[j + 3] + s0[j + 4]) * n
        m1 = (s1[j] + s1[j + 1] + s1[j + 2] + s1[j + 3] + s1[j + 4]) * n
        m2 = (s2[j] + s2[j + 1] + s2[j + 2] + s2[j + 3] + s2[j + 4]) * n
        m3 = (s3[j] + s3[j + 1] + s3[j + 2] + s3[j + 3] + s3[j + 4]) * n
        m4 = (s4[j] + s4[j + 1] + s4[j + 2] + s4[j + 3] + s4[j + 4]) * n
        noise = variance[0, i, j]
        now, then = max(m2 - m0 * m0, np.float32(0)), max(m3 - m1 * m1, np.float32(0))
        out[8, k] = (m4 - m0 * m1 + np.float32(0.5) * noise) / (np.sqrt(now * then) + np.float32(0.5) * noise)
        out[9, k] = _squash(np.sqrt(now), eight)
        out[10, k] = _squash(np.sqrt(then), eight)
        out[11, k] = (m0 - m1) / (m0 + m1 + sixteen)
    for j in range(left, right):
        k = j - left
        sigma = np.sqrt(variance[0, i, j])
        d = y[i, j] - b[i, j]
        out[0, k] = _squash(d / sigma, four)
        out[1, k] = _squash(peak[i, j] / sigma, four)
        e = np.sqrt(square[i, j])
        out[2, k] = _squash(e / sigma, four)
        out[7, k] = e / (e + usual[i, j] + one)
        out[5, k] = _squash(d, sixteen)
        out[12, k] = unrest[i, j] / (unrest[i, j] + four)
        out[13, k] = cover[i, j]
        out[14, k] = _squash(sigma, four)
        out[15, k] = _squash(abs(y[i, j] - before[i, j]) / sigma, four)
    for j in range(left, right):
        k = j - left
        du, dv = shown[1, i, j] - expected[1, i, j], shown[2, i, j] - expected[2, i, j]
        out[3, k] = _squash(du / np.sqrt(variance[1, i, j]), four)
        out[4, k] = _squash(dv / np.sqrt(variance[2, i, j]), four)
        out[6, k] = _squash(np.sqrt(du * du + dv * dv), eight)


@njit(cache=True, nogil=True)
def _pointwise(x: Floats, weights: Floats, bias: Floats, n: int, out: Floats) -> None:
    """Write ``weights x + bias`` for ``n`` columns of N rows."""
    x0, x1, x2, x3, x4, x5, x6, x7 = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
    x8, x9, x10, x11, x12, x13, x14, x15 = x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]
    for o in range(weights.shape[0]):
        w, z, row = weights[o], bias[o], out[o]
        w0, w1, w2, w3, w4, w5, w6, w7 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
        w8, w9, w10, w11, w12, w13, w14, w15 = w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15]
        for j in range(n):
            row[j] = (
                z + w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j] + w4 * x4[j] + w5 * x5[j] + w6 * x6[j]
                + w7 * x7[j] + w8 * x8[j] + w9 * x9[j] + w10 * x10[j] + w11 * x11[j] + w12 * x12[j] + w13 * x13[j]
                + w14 * x14[j] + w15 * x15[j]
            )  # fmt: skip


@njit(cache=True, nogil=True)
def enter_band(
    start: int, stop: int, active: Bytes, shown: Floats, expected: Floats, before: Floats, peak: Floats,
    square: Floats, variance: Floats, usual: Floats, unrest: Floats, cover: Floats, weights: Floats,
    bias: Floats, filled: Bytes, out: Floats, idle: Floats,
) -> None:  # fmt: skip
    """Write the first layer's activations of a band of rows of blocks.

    ``filled`` tells in which blocks the two maps are not 0; where they are inactive now both are set to 0.
    """
    height, width = peak.shape
    zero = np.float32(0)
    sums, features = np.empty((5, width + 4), np.float32), np.empty((N, width), np.float32)
    room = np.empty((N, width), np.float32)
    columns = active.shape[1]
    for r in range(start, stop):
        for i in range(r * BLOCK, min(r * BLOCK + BLOCK, height)):
            c = 0
            while c < columns:
                c, last = _run(active[r], c)
                if c == last:
                    break
                left, right = c * BLOCK, min(last * BLOCK, width)
                features_row(
                    i,
                    left,
                    right,
                    shown,
                    expected,
                    before,
                    peak,
                    square,
                    variance,
                    usual,
                    unrest,
                    cover,
                    sums,
                    features,
                )
                _pointwise(features, weights, bias, right - left, room)
                for o in range(N):
                    row, x = out[i + PAD, o, left + PAD : right + PAD], room[o]
                    for j in range(right - left):
                        row[j] = max(x[j], zero)
                c = last
        for c in range(columns):
            if filled[r, c] and not active[r, c]:
                left, right = c * BLOCK + PAD, min(c * BLOCK + BLOCK, width) + PAD
                for i in range(r * BLOCK + PAD, min(r * BLOCK + BLOCK, height) + PAD):
                    for o in range(N):
                        for j in range(left, right):
                            out[i, o, j] = zero
                            idle[i, o, j] = zero
            filled[r, c] = active[r, c]


@njit(cache=True, nogil=True, inline="always")
def _run(active: Bytes, c: int) -> tuple[int, int]:
    """Return the first active block from ``c`` on and the one behind the last of its run; equal where there is none."""
    n = active.size
    while c < n and not active[c]:
        c += 1
    last = c
    while last < n and active[last]:
        last += 1
    return c, last


@njit(cache=True, nogil=True)
def layer_band(
    start: int, stop: int, active: Bytes, height: int, width: int, reach: int, spread: Floats, weights: Floats,
    bias: Floats, x: Floats, out: Floats,
) -> None:  # fmt: skip
    """Write ``relu(x + weights (spread * x) + bias)``: depthwise 3×3 with dilation ``reach``, then pointwise."""
    zero = np.float32(0)
    around, room = np.empty((N, width), np.float32), np.empty((N, width), np.float32)
    columns = active.shape[1]
    for r in range(start, stop):
        for i in range(r * BLOCK, min(r * BLOCK + BLOCK, height)):
            y = i + PAD
            c = 0
            while c < columns:
                c, last = _run(active[r], c)
                if c == last:
                    break
                left, right = c * BLOCK, min(last * BLOCK, width)
                n = right - left
                at = left + PAD
                for o in range(N):
                    above, here, below = x[y - reach, o], x[y, o], x[y + reach, o]
                    a0, a1, a2 = (
                        above[at - reach : at - reach + n],
                        above[at : at + n],
                        above[at + reach : at + reach + n],
                    )
                    b0, b1, b2 = here[at - reach : at - reach + n], here[at : at + n], here[at + reach : at + reach + n]
                    c0, c1, c2 = (
                        below[at - reach : at - reach + n],
                        below[at : at + n],
                        below[at + reach : at + reach + n],
                    )
                    k = spread[o]
                    k0, k1, k2, k3, k4, k5, k6, k7, k8 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8]
                    row = around[o]
                    for j in range(n):
                        row[j] = (
                            k0 * a0[j] + k1 * a1[j] + k2 * a2[j] + k3 * b0[j] + k4 * b1[j] + k5 * b2[j] + k6 * c0[j]
                            + k7 * c1[j] + k8 * c2[j]
                        )  # fmt: skip
                _pointwise(around, weights, bias, n, room)
                for o in range(N):
                    to, z, old = out[y, o, at : at + n], room[o], x[y, o, at : at + n]
                    for j in range(n):
                        to[j] = max(z[j] + old[j], zero)
                c = last


@njit(cache=True, nogil=True)
def leave_band(
    start: int, stop: int, active: Bytes, weights: Floats, bias: Floats, x: Floats, logit: Floats, shadow: Floats,
    nothing: Scalar,
) -> None:  # fmt: skip
    """Write the two outputs of a band of rows of blocks; ``nothing`` in inactive blocks."""
    height, width = logit.shape
    room, inside = np.empty((2, width), np.float32), np.empty((N, width), np.float32)
    columns = active.shape[1]
    for r in range(start, stop):
        for i in range(r * BLOCK, min(r * BLOCK + BLOCK, height)):
            logit[i] = nothing
            shadow[i] = nothing
            c = 0
            while c < columns:
                c, last = _run(active[r], c)
                if c == last:
                    break
                left, right = c * BLOCK, min(last * BLOCK, width)
                n = right - left
                inside[:, :n] = x[i + PAD, :, left + PAD : right + PAD]
                _pointwise(inside, weights, bias, n, room)
                logit[i, left:right] = room[0, :n]
                shadow[i, left:right] = room[1, :n]
                c = last
