"""How a scene lies in a picture against what was learnt: moved, turned and zoomed."""

from __future__ import annotations

from math import atan2, cos, exp, hypot, log, sin
from typing import NamedTuple


class Shift(NamedTuple):
    """By how much the scene has moved in a picture, pixels down and to the right."""

    down: float
    right: float


NO_SHIFT = Shift(0.0, 0.0)


class Motion(NamedTuple):
    """A similarity: what lies at p in the scene lies at ``e^zoom R(angle) p + shift`` in the picture.

    Both are pixels down and to the right of the middle of the picture.

    Attributes
    ----------
    shift : Shift
    angle : float
        Radians, counter-clockwise as one sees it: what lies below the middle goes to the right.
    zoom : float
        Natural logarithm of how much larger things are.
    """

    shift: Shift = NO_SHIFT
    angle: float = 0.0
    zoom: float = 0.0

    @classmethod
    def of(cls, down: float, right: float, grow: float, turn: float) -> Motion:
        """Return the motion with these `numbers`."""
        return cls(Shift(down, right), atan2(turn, 1 + grow), log(hypot(1 + grow, turn)))

    @property
    def turns(self) -> bool:
        """Whether it is more than a shift."""
        return (self.angle, self.zoom) != (0.0, 0.0)

    @property
    def turn(self) -> Motion:
        """The same without the shift."""
        return self.shifted_to(NO_SHIFT)

    def shifted_to(self, shift: Shift) -> Motion:
        """Return the motion that turns and zooms as much, with another shift."""
        return self._replace(shift=shift)

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Down and right at the middle, pixels; by how much more everything grows and turns for each pixel from there.

        What lies at (y, x) from the middle moves down by ``down + grow y − turn x``, right by
        ``right + turn y + grow x``.
        """
        if not self.turns:
            return (*self.shift, 0.0, 0.0)
        larger = exp(self.zoom)
        return (*self.shift, larger * cos(self.angle) - 1, larger * sin(self.angle))

    def matrix(self, y: float, x: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return the rows of the matrix that brings (right, down, 1) of the scene to right and down in the picture.

        Both are counted from a corner, from which the middle lies ``y`` down and ``x`` to the right.
        """
        down, right, grow, turn = self.numbers
        return (
            (1 + grow, turn, right - grow * x - turn * y),
            (-turn, 1 + grow, down + turn * x - grow * y),
        )

    @property
    def back(self) -> Motion:
        """The motion that brings a picture back."""
        if not self.turns:
            return Motion(Shift(-self.shift.down, -self.shift.right))
        turned = Motion(NO_SHIFT, -self.angle, -self.zoom)
        down, right = turned.at(*self.shift)
        return turned._replace(shift=Shift(-down, -right))

    def at(self, down: float, right: float) -> Shift:
        """Return where the picture shows what lies so far from the middle of the scene, from its own middle."""
        by_down, by_right, grow, turn = self.numbers
        return Shift(down + by_down + grow * down - turn * right, right + by_right + turn * down + grow * right)

    def rebased(self, by: Shift) -> Motion:
        """Return the motion against a scene that lies lower, and further right, by a shift than it did."""
        _, _, grow, turn = self.numbers
        down, right = self.shift.down - by.down, self.shift.right - by.right
        return self._replace(
            shift=Shift(down - grow * by.down + turn * by.right, right - turn * by.down - grow * by.right)
        )

    def extent(self, height: int, width: int) -> float:
        """Return how far a corner of a picture goes, down or to the right, whichever is farthest, pixels."""
        down, right, grow, turn = self.numbers
        y, x = (height - 1) / 2, (width - 1) / 2
        across = [(i * grow * y - j * turn * x, i * turn * y + j * grow * x) for i in (-1, 1) for j in (-1, 1)]
        return max(max(abs(down + far[0]), abs(right + far[1])) for far in across)


AT_REST = Motion()
