"""Instructions on vectors, as `core.kernels.vectors` puts them into compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError

LANES = 16
"""Numbers of a vector: the channels of a cell."""

CELLS = 4
"""Cells of a row: enough to use a weight several times once it is loaded, few enough for 16 registers of 256 bits."""

ROWS = 4
"""Rows of a tile."""

HIGH, BROAD = ROWS + 4, LANES + 8
"""Rows and columns of a tile with what lies two cells around it; of columns some more, as half a vector has 8."""

TAPS = 9

HALF = 8
"""Numbers of a register of 256 bits."""

FUSED = ("contract",)


class Emitter:  # pragma: no cover - runs while numba compiles, and where it does not there is nothing to emit
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
        self.vector, self.half = (ir.VectorType(ir.FloatType(), n) for n in (LANES, HALF))
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

    def place(self, at: Any, cell: int, stride: Any = LANES, first: int = 0) -> Any:
        """Return the place of a cell of a row, or of a channel of it."""
        by = self.at(cell * stride + first) if isinstance(stride, int) else self.times(stride, cell)
        return self.builder.add(at, by)

    def times(self, number: Any, by: int) -> Any:
        """Return a place times a whole number."""
        return self.builder.mul(number, ir.Constant(ir.IntType(64), by))

    def at(self, place: int) -> Any:
        """Return a place that is known already."""
        return ir.Constant(ir.IntType(64), place)

    def load(self, data: Any, place: Any) -> Any:
        """Return the vector that begins at a place."""
        return self.load_lanes(data, place, self.vector)

    def load_lanes(self, data: Any, place: Any, vector: Any) -> Any:
        """Return a vector of a type of its own."""
        start = self.builder.gep(data, [place])
        return self.builder.load(self.builder.bitcast(start, vector.as_pointer()), align=4)

    def store(self, data: Any, place: Any, value: Any) -> None:
        """Write a vector from a place on."""
        start = self.builder.gep(data, [place])
        self.builder.store(value, self.builder.bitcast(start, value.type.as_pointer()), align=4)

    def repeated(self, data: Any, place: Any) -> Any:
        """Return a vector of one number."""
        return self.filled(self.builder.load(self.builder.gep(data, [place]), align=4), LANES)

    def filled(self, number: Any, lanes: int) -> Any:
        """Return a vector of so many times a number."""
        nothing, lane = ir.Constant(ir.VectorType(ir.FloatType(), lanes), ir.Undefined), ir.IntType(32)
        one = self.builder.insert_element(nothing, number, ir.Constant(lane, 0))
        return self.builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(lane, lanes), [0] * lanes))

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

    def totals(self, vectors: list[Any]) -> Any:
        """Return a vector of the sums of each of so many vectors: of their halves first, those of two together."""
        lane = ir.IntType(32)
        for n in (8, 4, 2, 1):
            # Each vector holds LANES / 2n rests, one after the other, whose halves are added.
            first = [i for i in range(2 * LANES) if i // n % 2 == 0][: LANES * len(vectors) // 2]
            pairs = zip(vectors[::2], vectors[1::2], strict=True) if len(vectors) > 1 else [(vectors[0], vectors[0])]
            low, high = (ir.Constant(ir.VectorType(lane, len(first)), [i + by for i in first]) for by in (0, n))
            vectors = [
                self.builder.fadd(self.builder.shuffle_vector(a, b, low), self.builder.shuffle_vector(a, b, high))
                for a, b in pairs
            ]
        return vectors[0]

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
        for first in range(0, LANES, HALF):  # The weights of half of the channels fit into registers together.
            taps = [self.load_lanes(spread, self.at(k * LANES + first), self.half) for k in range(TAPS)]
            for c in range(CELLS):
                around = None
                for tap, place in zip(taps, neighbours, strict=True):
                    near = self.load_lanes(x, self.place(place, c, first=first), self.half)
                    around = self.multiplied(tap, near, around)
                self.store(room, self.at(c * LANES + first), around)
        sums = self.mixed(room, lambda c, k: self.at(c * LANES + k), weights, bias)
        for c, value in enumerate(sums):
            middle = self.load(x, self.place(at, c))
            self.store(out, self.place(to, c), self.over_zero(self.builder.fadd(value, middle)))

    def copy_tile(self) -> None:
        """See `copy_tile`."""
        x, at, stride, out, to = self.values
        rows = [self.load(x, self.place(at, i, stride)) for i in range(ROWS)]
        for i, row in enumerate(rows):
            self.store(out, self.place(to, i), row)

    def copy_around(self) -> None:
        """See `copy_around`."""
        x, at, stride, less, out = self.values
        for first, lanes in ((0, LANES), (LANES, BROAD - LANES)):
            each = self.filled(less, lanes)
            for i in range(HIGH):
                place = self.builder.add(self.place(at, i, stride), self.at(first))
                row = self.builder.fsub(self.load_lanes(x, place, each.type), each)
                self.store(out, self.at(i * BROAD + first), row)

    def sum_row(self) -> None:
        """See `sum_row`."""
        x, at, weights, out = self.values
        rows = [self.load(weights, self.at(k * LANES)) for k in range(2)]
        cells = [self.load(x, self.place(at, c)) for c in range(CELLS)]
        sums = self.totals([self.builder.fmul(seen, row) for seen in cells for row in rows])
        self.builder.store(sums, self.builder.bitcast(out, sums.type.as_pointer()), align=4)
