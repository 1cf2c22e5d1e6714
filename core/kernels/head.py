"""Kernels of the learned head: what cells are told by, and a small convolutional network over those that differ.

All maps are padded by `PAD` cells on every side; the N channels of a cell lie side by side. The network runs on active
blocks only; outside of them its activations are 0, as they were while it was trained. Its layers are instructions on
vectors (`core.kernels.vectors`), four cells at a time, so that short runs of active blocks cost the same a cell as long
ones. Indices are unsigned, as the check for negative ones keeps loops from being vectorised.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Scalar
from core.kernels.cell_features import (
    AROUND,
    BLOCK,
    BLOCKS,
    PLANES,
    ROWS,
    SUMS,
    TILE,
    WIDE,
    CellMaps,
    N,
    write_features,
)
from core.kernels.vectors import layer_row, mix_row, sum_row

PAD = 8
"""The farthest that a layer looks, cells."""


class Network(NamedTuple):
    """The weights of a pointwise layer, of L that look around, and of two outputs.

    Attributes
    ----------
    enter, enter_bias : (N, N) and (N,) float32
        Of the first layer.
    spread, mix, mix_bias : (L, N, 9), (L, N, N) and (L, N) float32
        Of those that look around, as `layer_band` has them of one.
    leave, leave_bias : (2, N) and (2,) float32
        Of the outputs: foreground and cast shadow.
    """

    enter: Floats
    enter_bias: Floats
    spread: Floats
    mix: Floats
    mix_bias: Floats
    leave: Floats
    leave_bias: Floats


# Unsigned, for indices.
_u = np.uint64
_N, _T = _u(N), _u(TILE)
_ROW = _u(BLOCK * N)  # activations of a row of a block


@njit(cache=True, nogil=True)
def _transposed(weights: Floats) -> Floats:
    out = np.empty(weights.size, np.float32)
    rows, columns = weights.shape
    for i in range(rows):
        for j in range(columns):
            out[j * rows + i] = weights[i, j]
    return out


@njit(cache=True, nogil=True)
def enter_band(
    start: int, stop: int, active: Bytes, maps: CellMaps, weights: Floats, bias: Floats, filled: Bytes, out: Floats,
    idle: Floats,
) -> None:  # fmt: skip
    """Write the first layer's activations of a band of rows of blocks.

    Parameters
    ----------
    start, stop : int
        The band.
    active : (r, c) uint8
        Not 0 where a block is looked at.
    maps : CellMaps
    weights, bias : (N, N) and (N,) float32
    filled : (r, c) uint8
        Changed: in which blocks the two maps are not 0; where they are inactive now both are set to 0.
    out, idle : (BLOCK r + 2 PAD, BLOCK c + 2 PAD, N) float32
        Changed.
    """
    height, width = maps.peak.shape
    zero = np.float32(0)
    planes, features = np.empty(PLANES * TILE, np.float32), np.empty(N * TILE, np.float32)
    around, sums = np.empty((2, ROWS * AROUND), np.float32), np.empty(SUMS, np.float32)
    part, mix = np.empty(_ROW, np.float32), _transposed(weights)
    flat, line = out.reshape(out.size), _u(out.shape[1]) * _N
    for r in range(start, stop):
        for c in range(active.shape[1]):
            if filled[r, c] and not active[r, c]:
                for i in range(r * BLOCK + PAD, r * BLOCK + BLOCK + PAD):
                    out[i, c * BLOCK + PAD : c * BLOCK + BLOCK + PAD] = zero
                    idle[i, c * BLOCK + PAD : c * BLOCK + BLOCK + PAD] = zero
            filled[r, c] = active[r, c]
        looked_at = active[r]
        c = _next(looked_at, 0)
        while c < looked_at.size:
            top, left = r * BLOCK, c * BLOCK
            write_features(top, left, maps, planes, around, sums, features)
            for block in range(c, min(c + BLOCKS, looked_at.size)):
                if not looked_at[block]:
                    continue
                n = _u(min(BLOCK, width - block * BLOCK)) * _N
                for i in range(min(BLOCK, height - top)):
                    first = _u(i * WIDE + (block - c) * BLOCK)
                    to = _u(top + i + PAD) * line + _u(block * BLOCK + PAD) * _N
                    if n == _ROW:
                        mix_row(features, first, _u(1), _T, mix, bias, flat, to)
                    else:
                        mix_row(features, first, _u(1), _T, mix, bias, part, _u(0))
                        for o in range(n):
                            flat[to + o] = part[o]
            c = _next(looked_at, c + BLOCKS)


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
    room, taps, mix = np.empty(2 * BLOCK * N, np.float32), _transposed(spread), _transposed(weights)
    for r in range(start, stop):
        _layer_blocks(r, active[r], height, width, reach, taps, mix, bias, x, room, out)


@njit(cache=True, nogil=True)
def _layer_blocks(
    r: int, active: Bytes, height: int, width: int, reach: int, taps: Floats, mix: Floats, bias: Floats, x: Floats,
    room: Floats, out: Floats,
) -> None:  # fmt: skip
    """Do a row of blocks of `layer_band`; ``room`` (2 BLOCK N,)."""
    flat, to, line = x.reshape(x.size), out.reshape(out.size), _u(x.shape[1]) * _N
    up, across = _u(reach) * line, _u(reach) * _N
    c = _next(active, 0)
    while c < active.size:
        n = _u(min(BLOCK, width - c * BLOCK)) * _N
        for i in range(r * BLOCK, min(r * BLOCK + BLOCK, height)):
            at = _u(i + PAD) * line + _u(c * BLOCK + PAD) * _N
            if n == _ROW:
                layer_row(flat, at, up, across, taps, mix, bias, room, to, at)
            else:
                layer_row(flat, at, up, across, taps, mix, bias, room, room, _ROW)
                for o in range(n):
                    to[at + o] = room[_ROW + o]
        c = _next(active, c + 1)


@njit(cache=True, nogil=True)
def leave_band(
    start: int, stop: int, active: Bytes, reach: int, spread: Floats, weights: Floats, bias: Floats, leave: Floats,
    leave_bias: Floats, nothing: Scalar, x: Floats, out: Floats, logit: Floats, shadow: Floats,
) -> None:  # fmt: skip
    """Write the last layer of a band of rows of blocks, as `layer_band` does, and the two outputs.

    Parameters
    ----------
    leave, leave_bias : (2, N) and (2,) float32
    nothing : float32
    logit, shadow : (h, w) float32
        Written; ``nothing`` in inactive blocks.
    """
    height, width = logit.shape
    to, line = out.reshape(out.size), _u(out.shape[1]) * _N
    room, taps, mix = np.empty(2 * BLOCK * N, np.float32), _transposed(spread), _transposed(weights)
    last, sums = leave.reshape(2 * N), np.empty(2 * BLOCK, np.float32)
    for r in range(start, stop):
        looked_at, rows = active[r], min(BLOCK, height - r * BLOCK)
        _layer_blocks(r, looked_at, height, width, reach, taps, mix, bias, x, room, out)
        for i in range(_u(r * BLOCK), _u(r * BLOCK + rows)):
            for j in range(_u(width)):
                logit[i, j] = nothing
            for j in range(_u(width)):
                shadow[i, j] = nothing
        c = _next(looked_at, 0)
        while c < looked_at.size:
            first, cells = _u(c * BLOCK), _u(min(BLOCK, width - c * BLOCK))
            for i in range(_u(r * BLOCK), _u(r * BLOCK + rows)):
                sum_row(to, (i + _u(PAD)) * line + (first + _u(PAD)) * _N, last, sums)
                for j in range(cells):
                    logit[i, first + j] = leave_bias[0] + sums[_u(2) * j]
                    shadow[i, first + j] = leave_bias[1] + sums[_u(2) * j + _u(1)]
            c = _next(looked_at, c + 1)


@njit(cache=True, nogil=True)
def judge_band(
    start: int, stop: int, active: Bytes, maps: CellMaps, network: Network, reaches: tuple[int, ...], nothing: Scalar,
    filled: Bytes, x: Floats, out: Floats, logit: Floats, shadow: Floats,
) -> None:  # fmt: skip
    """Do what `enter_band`, `layer_band` and `leave_band` do, in one call, for a band of rows of blocks.

    Each layer is done as far beyond the band as those after it look, so that bands that are done at the same time need
    nothing of each other but maps of their own: ``filled``, ``x`` and ``out``. These hold what was left by bands of
    earlier frames; beyond what this band does they may hold anything, which no value of the band depends on.

    Parameters
    ----------
    start, stop, active, maps
        See `enter_band`.
    network : Network
    reaches : tuple of L int
        Dilation of each layer that looks around, cells, `PAD` at most. L is even, so that the last activations are in
        ``x``.
    nothing : float32
    filled : (r, c) uint8
        Changed: in which blocks ``x`` or ``out`` is not 0.
    x, out : (BLOCK r + 2 PAD, BLOCK c + 2 PAD, N) float32
        Changed.
    logit, shadow : (h, w) float32
        Written in the band; ``nothing`` in inactive blocks.
    """
    rows, (height, width) = active.shape[0], logit.shape
    beyond = 0
    spread, mix, bias = network.spread, network.mix, network.mix_bias
    for reach in reaches:
        beyond += reach
    first, end = _widened(start, stop, beyond, rows)
    enter_band(first, end, active, maps, network.enter, network.enter_bias, filled, x, out)
    last = len(reaches) - 1
    for k in range(last):
        beyond -= reaches[k]
        first, end = _widened(start, stop, beyond, rows)
        layer_band(first, end, active, height, width, reaches[k], spread[k], mix[k], bias[k], x, out)
        x, out = out, x
    leave_band(
        start, stop, active, reaches[last], spread[last], mix[last], bias[last], network.leave, network.leave_bias,
        nothing, x, out, logit, shadow,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _widened(start: int, stop: int, cells: int, rows: int) -> tuple[int, int]:
    """Return a band of rows of blocks with so many more rows of cells on both sides, as far as there are any."""
    more = -(-cells // BLOCK)
    return max(start - more, 0), min(stop + more, rows)
