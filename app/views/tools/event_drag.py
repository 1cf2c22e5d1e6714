"""Draws the line that events are counted over, or their area of interest, by one drag."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from app.rendering.viewport import Viewport
from app.views.tools.area_board import Point
from app.views.tools.base import Tool
from app.views.tools.dragged_area import LEAST_DRAG, rectangle
from app.views.tools.event_marks import LINE, EventMarks, paint_mark, pixel


class EventDragTool(Tool):
    """While something is drawn, a drag goes from one end of the line to the other, or from corner to corner."""

    def __init__(self) -> None:
        super().__init__()
        self._marks: EventMarks | None = None
        self._pressed: tuple[QPointF, Point] | None = None
        self._points: tuple[Point, ...] = ()

    def use(self, marks: EventMarks) -> None:
        """Draw what these ask for."""
        self._marks = marks
        marks.changed.connect(self.cancel)

    @property
    def _drawing(self) -> str:
        return "" if self._marks is None else self._marks.drawing

    @property
    def modal(self) -> bool:
        """Whether something is drawn."""
        return bool(self._drawing)

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Put the first end or corner."""
        if self.modal:
            self._pressed = at, pixel(at, view)
        return self.modal

    def move(self, at: QPointF, view: Viewport) -> None:
        """Put the other one; what shakes by less than `LEAST_DRAG` is a click, and draws nothing."""
        if self._pressed is None:
            return
        (start, first), last = self._pressed, pixel(at, view)
        if self._points or math.dist(start.toTuple(), at.toTuple()) >= LEAST_DRAG:
            self._points = (first, last) if self._drawing == LINE else rectangle(first, last)
            self.changed.emit()

    def end(self, view: Viewport) -> None:
        """Tell what was drawn."""
        points = self._points
        self.cancel()
        if points and self._marks is not None:
            self._marks.tell(self._drawing, points)

    def cancel(self) -> None:
        """Forget what is half drawn."""
        self._pressed, self._points = None, ()
        self.changed.emit()

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return a cross while something is drawn."""
        return Qt.CursorShape.CrossCursor if self.modal else None

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep Esc."""
        return self.modal and key == Qt.Key.Key_Escape

    def press_key(self, key: int, view: Viewport | None) -> bool:
        """Give up."""
        keeps = self.keeps_key(key, view)
        if keeps and self._marks is not None:
            self._marks.give_up()
        return keeps

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw it as far as it is."""
        paint_mark(painter, view, self._drawing, self._points)
