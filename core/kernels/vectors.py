"""Rows of cells in the registers of vectors, one cell to a vector: what numba makes of loops does not stay there.

Each function below is plain Python, which says what it does, and has an overload that stands for it in compiled code
and writes the instructions: a product and its addition are one where the processor has that, in the same order. They go
into the caller itself (``inline``): to pass so many arrays took a sixth of the time of the network.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from core.kernels.arguments import Floats
from core.kernels.instructions import BROAD, CELLS, HIGH, LANES, ROWS, TAPS, Emitter


def mix_row(
    x: Floats, at: np.uint64, stride: np.uint64, step: np.uint64, weights: Floats, bias: Floats, out: Floats,
    to: np.uint64,
) -> None:  # fmt: skip
    """Write ``max(weights x + bias, 0)`` of the cells of a row.

    Parameters
    ----------
    x : (n,) float32
        Channel ``k`` of cell ``c`` is ``x[at + c stride + k step]``.
    weights, bias : (LANES LANES,), transposed, and (LANES,) float32
    out : (m,) float32
        Written: channels side by side, the cells from ``to`` on.
    """
    for c in range(CELLS):
        first = int(at) + c * int(stride)
        seen = x[first : first + LANES * int(step) : int(step)]
        out[int(to) + c * LANES : int(to) + (c + 1) * LANES] = np.maximum(
            weights.reshape(LANES, LANES).T @ seen + bias, 0
        )


def layer_row(
    x: Floats, at: np.uint64, up: np.uint64, across: np.uint64, spread: Floats, weights: Floats, bias: Floats,
    room: Floats, out: Floats, to: np.uint64,
) -> None:  # fmt: skip
    """Write ``max(x + weights (spread * x) + bias, 0)`` of the cells of a row: depthwise 3×3, then pointwise.

    Parameters
    ----------
    x : (n,) float32
        A map that lies as one row, channels side by side; the first cell is at ``at``.
    up, across : uint64
        From a cell to its neighbours.
    spread : (TAPS LANES,) float32
        Of each neighbour, row by row, the weight of each channel.
    weights, bias : as for `mix_row`
    room : (CELLS LANES,) float32
        Room.
    out : (m,) float32
        Written, from ``to`` on; not ``x``.
    """
    taps = spread.reshape(TAPS, LANES)
    for c in range(CELLS):
        here = int(at) + c * LANES
        places = [here + v * int(up) + u * int(across) for v in (-1, 0, 1) for u in (-1, 0, 1)]
        around = sum(w * x[p : p + LANES] for w, p in zip(taps, places, strict=True))
        room[c * LANES : (c + 1) * LANES] = around
        mixed = weights.reshape(LANES, LANES).T @ around + bias + x[here : here + LANES]
        out[int(to) + c * LANES : int(to) + (c + 1) * LANES] = np.maximum(mixed, 0)


def copy_tile(x: Floats, at: np.uint64, stride: np.uint64, out: Floats, to: np.uint64) -> None:
    """Copy `ROWS` rows of `LANES` numbers of a map of any shape, the first ``at``, to ``out``, from ``to`` on."""
    for i in range(ROWS):
        first = int(at) + i * int(stride)
        out[int(to) + i * LANES : int(to) + (i + 1) * LANES] = x.ravel()[first : first + LANES]


def copy_around(x: Floats, at: np.uint64, stride: np.uint64, less: np.float32, out: Floats) -> None:
    """Copy `HIGH` rows of `BROAD` numbers of a map of any shape, the first ``at``, less a number."""
    for i in range(HIGH):
        first = int(at) + i * int(stride)
        out[i * BROAD : (i + 1) * BROAD] = x.ravel()[first : first + BROAD] - less


def sum_row(x: Floats, at: np.uint64, weights: Floats, out: Floats) -> None:
    """Write two weighted sums of the channels of each cell of a row (2 CELLS,); ``weights`` (2 LANES,)."""
    seen = x[int(at) : int(at) + CELLS * LANES].reshape(CELLS, LANES)
    out[:] = (seen @ weights.reshape(2, LANES).T).ravel()


@intrinsic
def _mix(_, x, at, stride, step, weights, bias, out, to):
    return types.void(x, at, stride, step, weights, bias, out, to), Emitter.of("mix_row")


@overload(mix_row, inline="always")
def _mix_row(x, at, stride, step, weights, bias, out, to):
    def row(x, at, stride, step, weights, bias, out, to):
        _mix(x, at, stride, step, weights, bias, out, to)

    return row


@intrinsic
def _layer(_, x, at, up, across, spread, weights, bias, room, out, to):
    return types.void(x, at, up, across, spread, weights, bias, room, out, to), Emitter.of("layer_row")


@overload(layer_row, inline="always")
def _layer_row(x, at, up, across, spread, weights, bias, room, out, to):
    def row(x, at, up, across, spread, weights, bias, room, out, to):
        _layer(x, at, up, across, spread, weights, bias, room, out, to)

    return row


@intrinsic
def _sums(_, x, at, weights, out):
    return types.void(x, at, weights, out), Emitter.of("sum_row")


@overload(sum_row, inline="always")
def _sum_row(x, at, weights, out):
    def row(x, at, weights, out):
        _sums(x, at, weights, out)

    return row


@intrinsic
def _copies(_, x, at, stride, out, to):
    return types.void(x, at, stride, out, to), Emitter.of("copy_tile")


@overload(copy_tile, inline="always")
def _copy_tile(x, at, stride, out, to):
    def tile(x, at, stride, out, to):
        _copies(x, at, stride, out, to)

    return tile


@intrinsic
def _around(_, x, at, stride, less, out):
    return types.void(x, at, stride, less, out), Emitter.of("copy_around")


@overload(copy_around, inline="always")
def _copy_around(x, at, stride, less, out):
    def around(x, at, stride, less, out):
        _around(x, at, stride, less, out)

    return around
