"""Marks what is measured: a pixel that is clicked, or a rectangle that is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from app.rendering.measuring import clipped
from app.rendering.viewport import Viewport
from app.theme import MARK, MARK_EDGE
from app.views.tools.rectangle import RectangleTool

if TYPE_CHECKING:
    from core.io.input_spec import Region

_SMALLEST = 7
"""Side of the mark around a pixel that is smaller on screen, points."""


class MeasureTool(RectangleTool):
    """While it is active, a click marks a pixel and a drag a rectangle. The mark stays where it is otherwise."""

    chosen = Signal(object)
    """The `Region` that a person marked."""

    def __init__(self) -> None:
        super().__init__()
        self._region: Region | None = None
        self._has_marked = False

    @property
    def region(self) -> Region | None:
        """What is marked."""
        return self._region

    def mark(self, region: Region | None) -> None:
        """Mark a region; None: nothing."""
        if region != self._region:
            self._region = region
            self.changed.emit()

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Put the first corner."""
        self._has_marked = False
        takes = super().begin(at, view)
        self.move(at, view)
        self.changed.emit()
        return takes

    def move(self, at: QPointF, view: Viewport) -> None:
        """Put the other corner; the rectangle covers all pixels that are touched, within the picture, if any."""
        touched = self._touched(at, view)
        if touched is not None:
            left, top, width, height = touched
            region = clipped((left, top, max(width, 1), max(height, 1)), view.picture)
            if region is not None:  # Beside the picture what was marked before stays, as in the other panes.
                self._has_marked = True
                self.mark(region)

    def end(self, view: Viewport) -> None:
        """Tell what was marked, unless it is beside the picture."""
        begun, self._start = self._start is not None, None
        self.changed.emit()
        if begun and self._has_marked:
            self.chosen.emit(self._region)

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
