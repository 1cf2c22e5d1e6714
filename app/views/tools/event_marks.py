"""The lines that events are counted over, and their area of interest, over the pictures of several panes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.command_words import AREA, LINE
from app.rendering.viewport import Viewport
from app.theme import EVENT_TINT
from app.views.tools.area_board import Point
from app.views.tools.areas import REACH, paint_handles
from app.views.tools.base import Tool
from app.views.tools.outline import paint_outline

if TYPE_CHECKING:
    from core.events.event import Event

FAINT = 0.75
"""Opacity of what is not being drawn."""

ARROW, HEAD = 16.0, 5.0
"""Length of the arrow that points forward from the middle of the line, and of its head, points of the pane."""


class EventMarks(QObject):
    """What the tools of all panes share. All points are in pixels of the picture.

    Attributes
    ----------
    points : dict of str to tuple of (x, y)
        Both ends of each line after one another, the corners of the area; none: there is none.
    drawing : str
        What the next drag draws; empty: nothing.
    box : (x, y, width, height), or None
        Where the event that is shown is seen in the frame that is; None: nowhere.
    """

    changed = Signal()
    box_changed = Signal()
    """Nothing that can be drawn or moved has changed."""
    drawn = Signal(str, object)
    """What was drawn, or moved by an end, and its points."""
    left = Signal()
    """A person gave up drawing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.points: dict[str, tuple[Point, ...]] = {LINE: (), AREA: ()}
        self.drawing = ""
        self.box: tuple[int, int, int, int] | None = None
        self._event: Event | None = None
        self._frame = -1

    def show_event(self, event: Event | None) -> None:
        """Show where an event is seen, in the frames in which it is; None: show none."""
        self._event = event
        self._find_box()

    def show_frame(self, index: int) -> None:
        """Take note of the frame that is shown, from 0."""
        self._frame = index
        self._find_box()

    def _find_box(self) -> None:
        box = None if self._event is None else self._event.box_at(self._frame)
        if box != self.box:
            self.box = box
            self.box_changed.emit()

    def show_marks(self, lines: tuple[Point, ...], area: tuple[Point, ...]) -> None:
        """Show these from now on."""
        points = {LINE: lines, AREA: area}
        if points != self.points:
            self.points = points
            self.changed.emit()

    def draw(self, what: str) -> None:
        """Let the next drag draw the line or the area, or (empty) nothing."""
        if what != self.drawing:
            self.drawing = what
            self.changed.emit()

    def give_up(self) -> None:
        """Draw no more, where a person draws."""
        if self.drawing:
            self.left.emit()

    def tell(self, what: str, points: tuple[Point, ...]) -> None:
        """Tell what was drawn, unless it is nothing: a line without length, an area without a side."""
        if what == LINE:
            is_there = all(start != end for start, end in lines_of(points))
        else:
            is_there = min(max(values) - min(values) for values in zip(*points, strict=True)) > 0
        if is_there:
            self.drawn.emit(what, points)


def lines_of(points: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    """Return lines by their ends, which follow one another."""
    return list(zip(points[::2], points[1::2], strict=True))


class EventMarksTool(Tool):
    """Shows lines and area; a drag moves an end of the one, a corner of the other."""

    def __init__(self) -> None:
        super().__init__()
        self._marks: EventMarks | None = None
        self._held: tuple[str, int] | None = None
        self._moved: tuple[Point, ...] = ()

    def use(self, marks: EventMarks) -> None:
        """Show these."""
        self._marks = marks
        marks.changed.connect(self.cancel)
        marks.box_changed.connect(self.changed)

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Take hold of an end or a corner."""
        self._held = self._over(at, view)
        if self._held is not None and self._marks is not None:
            self._moved = self._marks.points[self._held[0]]
        return self._held is not None

    def move(self, at: QPointF, view: Viewport) -> None:
        """Move it, within the picture."""
        if self._held is not None:
            number = self._held[1]
            self._moved = (*self._moved[:number], pixel(at, view), *self._moved[number + 1 :])
            self.changed.emit()

    def end(self, view: Viewport) -> None:
        """Tell how the lines or the area lie now."""
        held, marks = self._held, self._marks
        self.cancel()
        if held is not None and marks is not None and self._moved != marks.points[held[0]]:
            marks.tell(held[0], self._moved)

    def cancel(self) -> None:
        """Let it lie as it was."""
        self._held = None
        self.changed.emit()

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return the sign for moving over what can be dragged."""
        is_over = at is not None and view is not None and self._over(at, view) is not None
        return Qt.CursorShape.SizeAllCursor if is_over or self._held is not None else None

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep Esc during a drag."""
        return self._held is not None and key == Qt.Key.Key_Escape

    def press_key(self, key: int, view: Viewport | None) -> bool:
        """Give up the drag."""
        keeps = self.keeps_key(key, view)
        if keeps:
            self.cancel()
        return keeps

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw what there is, and squares by which it can be moved."""
        if self._marks is None:
            return
        painter.setOpacity(FAINT)
        if self._marks.box is not None:
            paint_box(painter, view, self._marks.box)
        for what, kept in self._marks.points.items():
            is_held = self._held is not None and self._held[0] == what
            points = self._moved if is_held else kept
            paint_mark(painter, view, what, points)
            paint_handles(painter, (QPointF(*view.to_pane(*point)) for point in points))

    def _over(self, at: QPointF, view: Viewport) -> tuple[str, int] | None:
        """Return what has an end or a corner there, and its number."""
        for what, points in ({} if self._marks is None else self._marks.points).items():
            for number, point in enumerate(points):
                if math.dist(view.to_pane(*point), at.toTuple()) <= REACH:
                    return what, number
        return None


def pixel(at: QPointF, view: Viewport) -> Point:
    """Return the point of the picture nearest to one of the pane, in whole pixels."""
    x, y = view.to_picture(at.x(), at.y())
    width, height = view.picture
    return float(round(min(max(x, 0), width))), float(round(min(max(y, 0), height)))


def paint_box(painter: QPainter, view: Viewport, box: tuple[int, int, int, int]) -> None:
    """Draw the border of a box (x, y, width, height), pixels of the picture."""
    x, y, width, height = box
    path = QPainterPath()
    path.addRect(QRectF(QPointF(*view.to_pane(x, y)), QPointF(*view.to_pane(x + width, y + height))))
    paint_outline(painter, path, QColor(*EVENT_TINT), Qt.PenStyle.SolidLine)


def paint_mark(painter: QPainter, view: Viewport, what: str, points: tuple[Point, ...]) -> None:
    """Draw lines with arrows that point forward, and their numbers where they are several, or the border of an area."""
    if not points:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    there = tuple(QPointF(*view.to_pane(*point)) for point in points)
    path = QPainterPath()
    if what == LINE:
        for number, ends in enumerate(zip(there[::2], there[1::2], strict=True), 1):
            path.addPolygon(QPolygonF(ends))
            path.addPath(_arrow(*ends))
            if len(there) > 2:
                path.addText(_behind(*ends), painter.font(), str(number))
    else:
        path.addPolygon(QPolygonF([*there, there[0]]))
    paint_outline(painter, path, QColor(*EVENT_TINT), Qt.PenStyle.SolidLine if what == LINE else Qt.PenStyle.DashLine)


def _behind(start: QPointF, end: QPointF) -> QPointF:
    """Return where the number of a line stands: opposite of its arrow."""
    way = end - start
    length = math.hypot(way.x(), way.y()) or 1.0
    left = QPointF(way.y(), -way.x()) / length
    return (start + end) / 2 + left * ARROW


def _arrow(start: QPointF, end: QPointF) -> QPainterPath:
    """Return an arrow from the middle of a line to its right side, as one looks along it."""
    way, path = end - start, QPainterPath()
    length = math.hypot(way.x(), way.y())
    if not length:
        return path
    along = way / length
    right = QPointF(-along.y(), along.x())  # Rows run down.
    foot = (start + end) / 2
    tip = foot + right * ARROW
    path.moveTo(foot)
    path.lineTo(tip)
    for side in (-1, 1):
        path.moveTo(tip)
        path.lineTo(tip - right * HEAD + along * (side * HEAD))
    return path
