"""A rectangle or an ellipse that is drawn by one drag, from corner to corner."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF

from app.views.tools.area_board import Point

LEAST_DRAG = 5.0
"""Points of the pane that the pointer has to go for a press to be a drag: a hand that clicks shakes by less."""

LEAST_SPAN = 12.0
"""Points of the pane from corner to corner of what is meant as an area: where a drag comes back to its start, what is
left would be as small as a handle, be overlooked, and stay."""

LEAST_SIDE = 1.0
"""Of what is meant as an area, pixels."""

ROUND_CORNERS = 24
"""Of an ellipse: it differs from a round one by less than one per cent of its size."""


class DraggedArea:
    """Follows one drag.

    Attributes
    ----------
    corners : tuple of (x, y)
        Of what is drawn so far, pixels of the input; none while the press may still be a click, and where it is too
        small to be seen.
    """

    def __init__(self) -> None:
        self._pressed: tuple[QPointF, Point] | None = None
        self._is_click = True
        self.corners: tuple[Point, ...] = ()

    @property
    def is_begun(self) -> bool:
        """Whether the button is held."""
        return self._pressed is not None

    def begin(self, at: QPointF, point: Point) -> None:
        """Press at a point of the pane, which is this one of the input."""
        self._pressed, self._is_click, self.corners = (at, point), True, ()

    def move(self, at: QPointF, point: Point, *, is_round: bool) -> None:
        """Put the opposite corner; of an ellipse where ``is_round``."""
        if self._pressed is None:
            return
        start, first = self._pressed
        way = math.hypot(at.x() - start.x(), at.y() - start.y())
        self._is_click = self._is_click and way < LEAST_DRAG
        if way < LEAST_SPAN:
            self.corners = ()
        else:
            self.corners = ellipse(first, point) if is_round else rectangle(first, point)

    def end(self) -> tuple[Point, ...] | None:
        """Let go; return what was drawn: None where it was a click, empty where it was too little."""
        corners, was_click = self.corners, self._is_click
        self.cancel()
        if was_click:
            return None
        if not corners:
            return ()
        sides = (max(values) - min(values) for values in zip(*corners, strict=True))
        return corners if min(sides) >= LEAST_SIDE else ()

    def cancel(self) -> None:
        """Forget it."""
        self._pressed, self.corners = None, ()


def rectangle(first: Point, last: Point) -> tuple[Point, ...]:
    """Return the corners of a rectangle between two opposite ones."""
    return (first, (last[0], first[1]), last, (first[0], last[1]))


def ellipse(first: Point, last: Point) -> tuple[Point, ...]:
    """Return corners on the ellipse that fills the rectangle between two opposite corners, to a tenth of a pixel."""
    x, y = ((a + b) / 2 for a, b in zip(first, last, strict=True))
    width, height = (abs(a - b) / 2 for a, b in zip(first, last, strict=True))
    turns = (2 * math.pi * n / ROUND_CORNERS for n in range(ROUND_CORNERS))
    return tuple((round(x + width * math.cos(turn), 1), round(y + height * math.sin(turn), 1)) for turn in turns)
