"""A brush in a pane: what people paint on a picture while they hold the button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.rendering.viewport import Viewport
from app.theme import BACKGROUND_TINT, MARK, MARK_EDGE, mask_tint
from app.views.tools.base import Tool
from core.scene.area_maps import draw_stroke

_STROKE_ALPHA = 150
_BRACKETS: dict[int, int] = {Qt.Key.Key_BracketLeft: -1, Qt.Key.Key_BracketRight: 1}
_SMALLEST_RING = 2.0
"""Radius of the outline of a brush that is smaller on screen than can be seen, points."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Brush:
    """What a stroke says, how thick it is, pixels of the picture, and in which colour (RGB) it is seen, if another."""

    is_background: bool
    thickness: int
    tint: tuple[int, int, int] | None = None


def stroke_mask(points: Sequence[Point], thickness: int, size: tuple[int, int]) -> NDArray[np.bool_] | None:
    """Return what a stroke covers of a picture.

    Parameters
    ----------
    points : sequence of (x, y)
        Where the brush has been, pixels of the picture from its upper left corner.
    thickness : int
        Pixels of the picture.
    size : (width, height)
        Of the picture.

    Returns
    -------
    (H, W) bool, or None
        None where the stroke is beside the picture.
    """
    if not points:
        return None
    width, height = size
    drawn = np.zeros((height, width), np.uint8)
    draw_stroke(drawn, points, thickness, 1)
    covered = drawn.view(np.bool_)
    return covered if covered.any() else None


class BrushTool(Tool):
    """While it has a brush, every drag paints a stroke."""

    begun = Signal()
    """The brush was put on the picture."""
    painted = Signal(object)
    """What a stroke covers, (H, W) bool, in pixels of the original picture."""
    thickened = Signal(int)
    """A person wants it thicker, 1, or thinner, -1."""
    drawn = Signal(object)
    """Where the brush has been, a list of (x, y) in pixels of the original picture; of each stroke that covers some."""

    def __init__(self) -> None:
        super().__init__()
        self._brush: Brush | None = None
        self._points: list[Point] = []
        self._at: Point | None = None
        self._told: tuple[list[Point], Brush] | None = None
        self._kept: list[tuple[list[Point], Brush]] = []

    @property
    def brush(self) -> Brush | None:
        """What it paints with; None: it does not paint."""
        return self._brush

    def set_brush(self, brush: Brush | None) -> None:
        """Paint from now on, or no more."""
        self._brush = brush
        if brush is None:
            self._points, self._at = [], None
        self.changed.emit()

    @property
    def painting(self) -> bool:
        """Whether a stroke is half painted."""
        return bool(self._points)

    @property
    def modal(self) -> bool:
        """Whether it paints: a double click is two dabs."""
        return self._brush is not None

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Put the brush on the picture."""
        if self._brush is None:
            return False
        self._at = view.to_picture(at.x(), at.y())
        self._points = [self._at]
        self.begun.emit()
        self.changed.emit()
        return True

    def move(self, at: QPointF, view: Viewport) -> None:
        """Paint on."""
        if self._points:
            self._points.append(view.to_picture(at.x(), at.y()))
            self.changed.emit()

    def end(self, view: Viewport) -> None:
        """Lift the brush and tell what was painted, unless it was beside the picture."""
        points, brush = self._points, self._brush
        self.cancel()
        covered = None if brush is None else stroke_mask(points, brush.thickness, view.picture)
        if covered is not None and brush is not None:
            self._told = points, brush
            self.drawn.emit(points)
            self.painted.emit(covered)

    def keep(self) -> None:
        """Go on showing the stroke that was told of last, until `let_go` is called for it."""
        assert self._told is not None
        self._kept.append(self._told)
        self.changed.emit()

    def let_go(self) -> None:
        """Show the oldest stroke that is kept no more."""
        del self._kept[:1]
        self.changed.emit()

    def cancel(self) -> None:
        """Lift the brush and forget the stroke."""
        self._points = []
        self.changed.emit()

    def hover(self, at: QPointF, view: Viewport) -> None:
        """Show the outline of the brush where the pointer is."""
        if self._brush is not None:
            self._at = view.to_picture(at.x(), at.y())
            self.changed.emit()

    def leave(self) -> None:
        """Show no outline."""
        if self._at is not None:
            self._at = None
            self.changed.emit()

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return a cross while it paints."""
        return None if self._brush is None else Qt.CursorShape.CrossCursor

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep Esc, with which whoever gave it the brush puts it away, and the brackets."""
        return self._brush is not None and (key == Qt.Key.Key_Escape or key in _BRACKETS)

    def press_key(self, key: int, view: Viewport | None) -> bool:
        """Ask for a thicker or thinner brush."""
        if self._brush is None or key not in _BRACKETS:
            return False
        self.thickened.emit(_BRACKETS[key])
        return True

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw the strokes that are kept, the one that is being painted, and the outline of the brush."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for points, brush in self._kept:
            _paint_stroke(painter, view, points, brush)
        if self._brush is None:
            return
        if self._points:
            _paint_stroke(painter, view, self._points, self._brush)
        if self._at is not None:
            radius = max(self._brush.thickness * view.scale / 2, _SMALLEST_RING)
            for colour, width in ((MARK_EDGE, 3.0), (MARK, 1.2)):
                painter.setPen(QPen(QColor(colour), width))
                painter.drawEllipse(QPointF(*view.to_pane(*self._at)), radius, radius)


def _paint_stroke(painter: QPainter, view: Viewport, points: Sequence[Point], brush: Brush) -> None:
    path = QPainterPath(QPointF(*view.to_pane(*points[0])))
    for point in points[1:] or points:
        path.lineTo(QPointF(*view.to_pane(*point)))
    tint = brush.tint or (BACKGROUND_TINT if brush.is_background else mask_tint())
    line = QPen(QColor(*tint, _STROKE_ALPHA), brush.thickness * view.scale)
    line.setCapStyle(Qt.PenCapStyle.RoundCap)
    line.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(line)
    painter.drawPath(path)
