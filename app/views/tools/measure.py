"""Marks what is measured: a pixel that is clicked, or a rectangle that is drawn."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from app.rendering.measuring import clipped
from app.rendering.viewport import Viewport
from app.theme import MARK, MARK_EDGE
from app.views.tools.base import Tool

_SMALLEST = 7
"""Side of the mark around a pixel that is smaller on screen, points."""

Region = tuple[int, int, int, int]
"""x, y, width and height, pixels of the picture."""


class MeasureTool(Tool):
    """While it is active, a click marks a pixel and a drag a rectangle. The mark stays where it is otherwise."""

    chosen = Signal(object)
    """The `Region` that a person marked."""

    def __init__(self) -> None:
        super().__init__()
        self._active = False
        self._start: tuple[float, float] | None = None
        self._region: Region | None = None

    @property
    def active(self) -> bool:
        """Whether the next click or drag marks something."""
        return self._active

    def set_active(self, on: bool) -> None:
        """Let people mark what is measured, or no more."""
        self._active = on
        self._start = None
        self.changed.emit()

    @property
    def region(self) -> Region | None:
        """What is marked."""
        return self._region

    def mark(self, region: Region | None) -> None:
        """Mark a region; None: nothing."""
        if region != self._region:
            self._region = region
            self.changed.emit()

    @property
    def modal(self) -> bool:
        """Whether it is active."""
        return self._active

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Put the first corner."""
        if self._active:
            self._start = view.to_picture(at.x(), at.y())
            self.move(at, view)
        return self._active

    def move(self, at: QPointF, view: Viewport) -> None:
        """Put the other corner; the rectangle covers all pixels that are touched, within the picture."""
        if self._start is None:
            return
        xs, ys = (sorted(pair) for pair in zip(self._start, view.to_picture(at.x(), at.y()), strict=True))
        left, top = math.floor(xs[0]), math.floor(ys[0])
        right, bottom = max(math.ceil(xs[1]), left + 1), max(math.ceil(ys[1]), top + 1)
        self.mark(clipped((left, top, right - left, bottom - top), view.picture))

    def end(self, view: Viewport) -> None:
        """Tell what was marked, unless it is beside the picture."""
        begun, self._start = self._start is not None, None
        if begun and self._region is not None:
            self.chosen.emit(self._region)

    def cancel(self) -> None:
        """Forget the drag."""
        self._start = None

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return a cross while it is active."""
        return Qt.CursorShape.CrossCursor if self._active else None

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep Esc, with which whoever made it active ends it."""
        return self._active and key == Qt.Key.Key_Escape

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw the outline."""
        if self._region is None:
            return
        x, y, width, height = self._region
        box = QRectF(QPointF(*view.to_pane(x, y)), QPointF(*view.to_pane(x + width, y + height)))
        room = max(0.0, _SMALLEST - min(box.width(), box.height())) / 2
        box.adjust(-room, -room, room, room)
        for colour, thick in ((MARK_EDGE, 3.0), (MARK, 1.0)):
            painter.setPen(QPen(QColor(colour), thick))
            painter.drawRect(box)
