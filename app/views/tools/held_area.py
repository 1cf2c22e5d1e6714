"""An area that a person has hold of, by one of its handles or as a whole."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF

from app.views.tools.area_board import Point
from app.views.tools.dragged_area import LEAST_DRAG, LEAST_SIDE, ROUND_CORNERS, ellipse
from core.scene.areas import Shape

OFF_ELLIPSE = 0.2
"""How far corners may lie beside those of an ellipse, pixels: they are kept to a tenth, and so is what moves them."""

QUARTER = ROUND_CORNERS // 4
"""Corners of an ellipse from one end of an axis to the next: right, lower, left, upper."""


class HeldArea:
    """Follows one drag of an area that is there.

    Attributes
    ----------
    number : int or None
        Of the shape; None: nothing is held.
    points : tuple of Point
        Of the shape as it lies now.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.points: tuple[Point, ...] = ()
        self._before: tuple[Point, ...] = ()
        self._handle: int | None = None
        self._pressed: tuple[QPointF, Point] = (QPointF(), (0.0, 0.0))
        self._is_still = True

    def hold(self, number: int, shape: Shape, handle: int | None, at: QPointF, point: Point) -> None:
        """Take hold of a shape, of one of its handles or (None) of all of it, at a point of the pane and the input."""
        self.number, self._handle = number, handle
        self.points = self._before = shape.points
        self._pressed, self._is_still = (at, point), True

    def move(self, at: QPointF, point: Point) -> None:
        """Go on with the drag; what shakes by less than `LEAST_DRAG` moves nothing as a whole."""
        way = at - self._pressed[0]
        if self._handle is not None:
            self.points = reshaped(self._before, self._handle, point)
        elif not self._is_still or math.hypot(way.x(), way.y()) >= LEAST_DRAG:
            self._is_still = False
            right, down = (there - here for here, there in zip(self._pressed[1], point, strict=True))
            self.points = tuple((round(x + right, 1), round(y + down, 1)) for x, y in self._before)

    @property
    def is_whole(self) -> bool:
        """Whether all of a shape is held, and no handle."""
        return self.number is not None and self._handle is None

    @property
    def is_click(self) -> bool:
        """Whether its inside was only clicked so far."""
        return self.is_whole and self._is_still

    def end(self) -> tuple[int, tuple[Point, ...]] | None:
        """Let go; return the number of the shape and its new points, None where they are the same."""
        number, self.number = self.number, None
        return None if number is None or self.points == self._before else (number, self.points)

    def cancel(self) -> None:
        """Let it lie where it was."""
        self.number = None


def handles(shape: Shape) -> Sequence[Point]:
    """Return where a shape can be reshaped: the ends of an ellipse's axes, the corners of another polygon."""
    if not shape.is_polygon:
        return ()
    return shape.points[::QUARTER] if is_ellipse(shape.points) else shape.points


def reshaped(points: tuple[Point, ...], handle: int, to: Point) -> tuple[Point, ...]:
    """Return the points of a polygon with one of its `handles` moved; an ellipse stays one, `LEAST_SIDE` or wider."""
    if not is_ellipse(points):
        return (*points[:handle], to, *points[handle + 1 :])
    (right, lower, left, upper) = points[::QUARTER]
    ends = [right[0], lower[1], left[0], upper[1]]
    other = ends[(handle + 2) % 4]
    side = to[handle % 2] - other
    ends[handle] = other + math.copysign(max(abs(side), LEAST_SIDE), side)
    return ellipse((ends[2], ends[3]), (ends[0], ends[1]))


def is_ellipse(points: Sequence[Point]) -> bool:
    """Whether a polygon is an ellipse as it is drawn by a drag, wherever it was moved."""
    if len(points) != ROUND_CORNERS:
        return False
    (right, lower, left, upper) = points[::QUARTER]
    drawn = ellipse((left[0], upper[1]), (right[0], lower[1]))
    return all(math.dist(a, b) <= OFF_ELLIPSE for a, b in zip(points, drawn, strict=True))
