"""Rows of cells in the registers of vectors, one cell to a vector: what numba makes of loops does not stay there.

Each function below is plain Python, which says what it does, and has an overload that stands for it in compiled code
and writes the instructions: a product and its addition are one where the processor has that, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from core.kernels.arguments import Floats

LANES = 16
"""Numbers of a vector: the channels of a cell."""

CELLS = 4
"""Cells of a row: enough to use a weight several times once it is loaded, few enough for 16 registers of 256 bits."""

ROWS = 4
"""Rows of a tile."""

TAPS = 9

FUSED = ("contract",)


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


def sum_row(x: Floats, at: np.uint64, weights: Floats, out: Floats) -> None:
    """Write two weighted sums of the channels of each cell of a row (2 CELLS,); ``weights`` (2 LANES,)."""
    seen = x[int(at) : int(at) + CELLS * LANES].reshape(CELLS, LANES)
    out[:] = (seen @ weights.reshape(2, LANES).T).ravel()


class _Emitter:  # pragma: no cover - runs while numba compiles, and where it does not there is nothing to emit
    """Writes instructions on vectors.

    Parameters
    ----------
    context, builder, signature, values
        As numba gives them; data of arrays take the place of the arrays in ``values``.
    """

    def __init__(self, context: Any, builder: Any, signature: Any, values: Any) -> None:
        for kind in signature.args:
            if isinstance(kind, types.Array) and (kind.layout != "C" or kind.dtype != types.float32):
                raise TypingError(f"float32 numbers that lie side by side are needed, not {kind}")
        self.vector = ir.VectorType(ir.FloatType(), LANES)
        self.builder = builder
        self.values = [
            context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(signature.args, values, strict=True)
        ]

    @classmethod
    def of(cls, name: str) -> Callable[..., Any]:
        """Return what writes the instructions of a function, as numba asks for it."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            getattr(cls(context, builder, signature, values), name)()
            return context.get_dummy_value()

        return generate

    def place(self, first: Any, cell: int, stride: Any = LANES) -> Any:
        """Return the place of a cell of a row."""
        by = ir.Constant(ir.IntType(64), cell * stride) if isinstance(stride, int) else self.times(stride, cell)
        return self.builder.add(first, by)

    def times(self, number: Any, by: int) -> Any:
        """Return a place times a whole number."""
        return self.builder.mul(number, ir.Constant(ir.IntType(64), by))

    def at(self, place: int) -> Any:
        """Return a place that is known already."""
        return ir.Constant(ir.IntType(64), place)

    def load(self, data: Any, place: Any) -> Any:
        """Return the vector that begins at a place."""
        start = self.builder.gep(data, [place])
        return self.builder.load(self.builder.bitcast(start, self.vector.as_pointer()), align=4)

    def store(self, data: Any, place: Any, value: Any) -> None:
        """Write a vector from a place on."""
        start = self.builder.gep(data, [place])
        self.builder.store(value, self.builder.bitcast(start, self.vector.as_pointer()), align=4)

    def repeated(self, data: Any, place: Any) -> Any:
        """Return a vector of one number."""
        number = self.builder.load(self.builder.gep(data, [place]), align=4)
        nothing, lane = ir.Constant(self.vector, ir.Undefined), ir.IntType(32)
        one = self.builder.insert_element(nothing, number, ir.Constant(lane, 0))
        return self.builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(lane, LANES), [0] * LANES))

    def multiplied(self, a: Any, b: Any, add: Any = None) -> Any:
        """Return ``a b``, or ``add + a b``."""
        product = self.builder.fmul(a, b, flags=FUSED)
        return product if add is None else self.builder.fadd(add, product, flags=FUSED)

    def over_zero(self, value: Any) -> Any:
        """Return what is over 0; 0 elsewhere."""
        zero = ir.Constant(self.vector, [0.0] * LANES)
        return self.builder.select(self.builder.fcmp_ordered(">", value, zero), value, zero)

    def mixed(self, x: Any, place: Callable[[int, int], Any], weights: Any, bias: Any) -> list[Any]:
        """Return ``weights x + bias`` of each cell; ``place`` tells where a channel of a cell is."""
        sums = [self.load(bias, self.at(0))] * CELLS
        for k in range(LANES):
            row = self.load(weights, self.at(k * LANES))
            sums = [self.multiplied(row, self.repeated(x, place(c, k)), sums[c]) for c in range(CELLS)]
        return sums

    def total(self, value: Any) -> Any:
        """Return the sum of a vector's numbers: of its halves first."""
        lane = ir.IntType(32)
        for n in (8, 4, 2, 1):
            low, high = (
                self.builder.shuffle_vector(value, value, ir.Constant(ir.VectorType(lane, n), list(range(i, i + n))))
                for i in (0, n)
            )
            value = self.builder.fadd(low, high)
        return self.builder.extract_element(value, ir.Constant(lane, 0))

    def mix_row(self) -> None:
        """See `mix_row`."""
        x, at, stride, step, weights, bias, out, to = self.values
        cells = [self.builder.add(at, self.times(stride, c)) for c in range(CELLS)]
        steps = [self.times(step, k) for k in range(LANES)]
        sums = self.mixed(x, lambda c, k: self.builder.add(cells[c], steps[k]), weights, bias)
        for c, value in enumerate(sums):
            self.store(out, self.place(to, c), self.over_zero(value))

    def layer_row(self) -> None:
        """See `layer_row`."""
        x, at, up, across, spread, weights, bias, room, out, to = self.values
        add, sub = self.builder.add, self.builder.sub
        rows = [sub(at, up), at, add(at, up)]
        neighbours = [place for row in rows for place in (sub(row, across), row, add(row, across))]
        taps = [self.load(spread, self.at(k * LANES)) for k in range(TAPS)]
        middles = []
        for c in range(CELLS):
            seen = [self.load(x, self.place(place, c)) for place in neighbours]
            around = None
            for tap, near in zip(taps, seen, strict=True):
                around = self.multiplied(tap, near, around)
            self.store(room, self.at(c * LANES), around)
            middles.append(seen[TAPS // 2])
        sums = self.mixed(room, lambda c, k: self.at(c * LANES + k), weights, bias)
        for c, (value, middle) in enumerate(zip(sums, middles, strict=True)):
            self.store(out, self.place(to, c), self.over_zero(self.builder.fadd(value, middle)))

    def copy_tile(self) -> None:
        """See `copy_tile`."""
        x, at, stride, out, to = self.values
        rows = [self.load(x, self.place(at, i, stride)) for i in range(ROWS)]
        for i, row in enumerate(rows):
            self.store(out, self.place(to, i), row)

    def sum_row(self) -> None:
        """See `sum_row`."""
        x, at, weights, out = self.values
        rows = [self.load(weights, self.at(k * LANES)) for k in range(2)]
        for c in range(CELLS):
            seen = self.load(x, self.place(at, c))
            for k, row in enumerate(rows):
                total = self.total(self.builder.fmul(seen, row))
                self.builder.store(total, self.builder.gep(out, [self.at(2 * c + k)]), align=4)


@intrinsic
def _mix(_, x, at, stride, step, weights, bias, out, to):
    return types.void(x, at, stride, step, weights, bias, out, to), _Emitter.of("mix_row")


@overload(mix_row)
def _mix_row(x, at, stride, step, weights, bias, out, to):
    def row(x, at, stride, step, weights, bias, out, to):
        _mix(x, at, stride, step, weights, bias, out, to)

    return row


@intrinsic
def _layer(_, x, at, up, across, spread, weights, bias, room, out, to):
    return types.void(x, at, up, across, spread, weights, bias, room, out, to), _Emitter.of("layer_row")


@overload(layer_row)
def _layer_row(x, at, up, across, spread, weights, bias, room, out, to):
    def row(x, at, up, across, spread, weights, bias, room, out, to):
        _layer(x, at, up, across, spread, weights, bias, room, out, to)

    return row


@intrinsic
def _sums(_, x, at, weights, out):
    return types.void(x, at, weights, out), _Emitter.of("sum_row")


@overload(sum_row)
def _sum_row(x, at, weights, out):
    def row(x, at, weights, out):
        _sums(x, at, weights, out)

    return row


@intrinsic
def _copies(_, x, at, stride, out, to):
    return types.void(x, at, stride, out, to), _Emitter.of("copy_tile")


@overload(copy_tile)
def _copy_tile(x, at, stride, out, to):
    def tile(x, at, stride, out, to):
        _copies(x, at, stride, out, to)

    return tile
