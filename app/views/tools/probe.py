"""Reads out pixels: tells which one is under the pointer, and marks the one that the pointer is at in another pane."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from app.rendering.viewport import Viewport
from app.theme import MARK, MARK_EDGE
from app.views.tools.base import Tool

_INNER, _OUTER = 4, 10
"""Ends of the four strokes of the cross, points from the pixel's middle."""


class ProbeTool(Tool):
    """Takes no press: it only looks."""

    pointed = Signal(object)
    """The (x, y) of the picture pixel under the pointer, or None."""

    def __init__(self) -> None:
        super().__init__()
        self._marked: tuple[int, int] | None = None

    @property
    def marked(self) -> tuple[int, int] | None:
        """The picture pixel with a cross on it."""
        return self._marked

    def mark(self, pixel: tuple[int, int] | None) -> None:
        """Put the cross on a picture pixel; None: on none."""
        if pixel != self._marked:
            self._marked = pixel
            self.changed.emit()

    def hover(self, at: QPointF, view: Viewport) -> None:
        """Tell the pixel under the pointer."""
        self.pointed.emit(view.pixel_at(at.x(), at.y()))

    def leave(self) -> None:
        """Tell that there is none."""
        self.pointed.emit(None)

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw the cross."""
        if self._marked is None:
            return
        x, y = self._marked
        centre = QPointF(*view.to_pane(x + 0.5, y + 0.5))
        for colour, width in ((MARK_EDGE, 3.0), (MARK, 1.0)):
            painter.setPen(QPen(QColor(colour), width))
            for ax, ay in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                painter.drawLine(centre + QPointF(ax, ay) * _INNER, centre + QPointF(ax, ay) * _OUTER)
