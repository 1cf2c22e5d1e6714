"""Draws the line that events are counted over, or their area of interest, by one drag."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from app.command_words import LINE
from app.rendering.viewport import Viewport
from app.views.tools.area_board import Point
from app.views.tools.base import Tool
from app.views.tools.dragged_area import DraggedArea
from app.views.tools.event_marks import EventMarks, paint_mark, pixel


class EventDragTool(Tool):
    """While something is drawn, a drag goes from one end of the line to the other, or from corner to corner."""

    def __init__(self) -> None:
        super().__init__()
        self._marks: EventMarks | None = None
        self._dragged = DraggedArea()

    def use(self, marks: EventMarks) -> None:
        """Draw what these ask for."""
        self._marks = marks
        marks.changed.connect(self.cancel)

    @property
    def _drawing(self) -> str:
        return "" if self._marks is None else self._marks.drawing

    @property
    def _points(self) -> tuple[Point, ...]:
        """What is drawn so far: of a line two opposite corners."""
        corners = self._dragged.corners
        return corners[::2] if self._drawing == LINE else corners

    @property
    def modal(self) -> bool:
        """Whether something is drawn."""
        return bool(self._drawing)

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Put the first end or corner."""
        if self.modal:
            self._dragged.begin(at, pixel(at, view))
        return self.modal

    def move(self, at: QPointF, view: Viewport) -> None:
        """Put the other one; a click draws nothing."""
        self._dragged.move(at, pixel(at, view), is_round=False)
        if self._dragged.corners:
            self.changed.emit()

    def end(self, view: Viewport) -> None:
        """Tell what was drawn."""
        points = self._points
        self.cancel()
        if points and self._marks is not None:
            self._marks.tell(self._drawing, points)

    def cancel(self) -> None:
        """Forget what is half drawn."""
        self._dragged.cancel()
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
