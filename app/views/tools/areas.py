"""Shapes over the picture: what is never foreground, or kept as it is."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPen, QPolygonF, QTransform

from app.rendering.viewport import Viewport
from app.theme import MARK, MARK_EDGE
from app.views.tools.area_board import TINTS, AreaBoard, Drawing, Overlay, Point
from app.views.tools.base import Tool
from app.views.tools.dragged_area import DraggedArea
from app.views.tools.held_area import HeldArea, handles
from app.views.tools.outline import paint_outline
from core.scene.areas import Areas

REACH = 7.0
"""Points of the pane within which a press means a corner."""

HANDLE = 3.5
"""Half the side of a corner's handle, points of the pane."""

_CLOSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_REMOVES = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_BRACKETS: dict[int, int] = {Qt.Key.Key_BracketLeft: -1, Qt.Key.Key_BracketRight: 1}


class AreaTool(Tool):
    """Shows the areas; while shapes are drawn, a click puts a corner of a polygon, and a drag draws a rectangle.

    With Shift it is an ellipse. Earlier shapes are reshaped by their handles, and those of the kind that is drawn are
    moved by a drag inside them; over others it draws.
    """

    def __init__(self) -> None:
        super().__init__()
        self._board: AreaBoard | None = None
        self._at: QPointF | None = None
        self._held = HeldArea()
        self._held_of: Areas | None = None
        self._dragged = DraggedArea()
        self._clicked: Point = (0.0, 0.0)

    def use(self, board: AreaBoard) -> None:
        """Show and draw the areas of a board."""
        self._board = board
        board.changed.connect(self._on_board)

    def _on_board(self) -> None:
        """Let go of a shape where the areas are others now: its number may be that of another one."""
        if self._board is not None and self._board.areas is not self._held_of:
            self._held.cancel()
        self.changed.emit()

    @property
    def _drawing(self) -> Drawing | None:
        return None if self._board is None else self._board.drawing

    @property
    def modal(self) -> bool:
        """Whether people draw."""
        return self._drawing is not None

    # The button

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Take hold of a shape, begin one, put one more corner, or close the polygon at its first or last one."""
        board = self._board
        if board is None or board.drawing is None or not board.drawing.is_polygon:
            return False
        self._at = at
        if not board.corners:
            self._clicked = self._to_input(at, view)
            if (found := self._hold_at(at, view)) is not None:
                number, handle = found
                self._held_of = board.areas
                self._held.hold(number, board.areas.shapes[number], handle, at, self._in_picture(at, view))
                return True
            self._dragged.begin(at, self._in_picture(at, view))
        elif board.can_close and self._near(at, board.corners[0], view):
            board.close_polygon()
        elif self._near(at, board.corners[-1], view):
            board.close_polygon()  # A double click; two corners stay what they are.
        else:
            board.add_corner(self._to_input(at, view))
        return True

    def move(self, at: QPointF, view: Viewport) -> None:
        """Move what is held, or draw a shape."""
        if self._held.number is not None:
            # A part of what is moved stays in the picture: the point by which it is held.
            self._held.move(at, (self._in_picture if self._held.is_whole else self._to_input)(at, view))
            self.changed.emit()
        elif self._dragged.is_begun:
            self._dragged.move(at, self._in_picture(at, view), is_round=_is_shifted())
            self.changed.emit()

    def end(self, view: Viewport) -> None:
        """Let go of a shape, and tell how it lies now; complete one, or put the corner that was clicked."""
        if self._dragged.is_begun:
            self._end_drag()
            return
        was_click, moved, board = self._held.is_click, self._held.end(), self._board
        if board is None:
            return
        if was_click and board.drawing is not None and board.drawing.is_polygon:
            board.add_corner(self._clicked)
        elif moved is not None and moved[0] < len(board.areas.shapes):
            board.reshaped.emit(*moved)

    def _end_drag(self) -> None:
        corners = self._dragged.end()
        board = self._board
        if board is not None and board.drawing is not None and board.drawing.is_polygon:
            if corners is None:
                board.add_corner(self._clicked)
            elif corners:
                board.drawn.emit(corners)
        self.changed.emit()

    def cancel(self) -> None:
        """Let a shape lie as it was, and forget one that is half drawn."""
        self._held.cancel()
        self._dragged.cancel()
        self.changed.emit()

    def hover(self, at: QPointF, view: Viewport) -> None:
        """Draw the next side to the pointer."""
        self._at = at
        if self._board is not None and self._board.corners:
            self.changed.emit()

    def leave(self) -> None:
        """Draw no side to the pointer."""
        self._at = None
        if self._board is not None and self._board.corners:
            self.changed.emit()

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return a cross while shapes are drawn, and the sign for moving over what can be dragged."""
        drawing = self._drawing
        if self._board is None or drawing is None or not drawing.is_polygon:
            return None
        is_over = at is not None and view is not None and not self._board.corners and self._hold_at(at, view)
        is_held = self._held.number is not None
        return Qt.CursorShape.SizeAllCursor if is_held or is_over else Qt.CursorShape.CrossCursor

    # Keys

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep Esc, those that close a polygon or remove from it, and those that change the brush."""
        return self.modal and key in (Qt.Key.Key_Escape, *_CLOSES, *_REMOVES, *_BRACKETS)

    def press_key(self, key: int, view: Viewport | None) -> bool:
        """Close the polygon, take a corner back, remove the area under the pointer, or give up."""
        board = self._board
        if board is None or not self.keeps_key(key, view):
            return False
        if key == Qt.Key.Key_Escape and (self._dragged.is_begun or self._held.number is not None):
            self.cancel()
        elif key == Qt.Key.Key_Escape:
            board.give_up()
        elif key in _CLOSES:
            board.close_polygon()
        elif key in _BRACKETS:
            board.thickened.emit(_BRACKETS[key])
        elif board.corners:
            board.drop_corner()
        elif self._at is not None and view is not None:
            number = self._held.number
            self._held.cancel()
            if number is None:
                number = board.shape_at(self._to_input(self._at, view))
            if number is not None:
                board.removed.emit(number)
        return True

    # Painting

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw the areas: their outlines, and while people draw also their tints and corners."""
        if self._board is None:
            return
        overlay = self._board.overlay(view.picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if overlay is not None:
            self._paint_overlay(painter, view, overlay)
        if self._drawing is not None and self._drawing.is_polygon:
            self._paint_corners(painter, view, self._board)
            self._paint_sketch(painter, view, self._board, self._drawing)

    def _paint_overlay(self, painter: QPainter, view: Viewport, overlay: Overlay) -> None:
        origin, end = (QPointF(*view.to_pane(*point)) for point in ((0, 0), view.picture))
        if self.modal:
            painter.drawImage(QRectF(origin, end), overlay.image)
        place = QTransform.fromTranslate(origin.x(), origin.y()).scale(view.scale, view.scale)
        for kind, border in overlay.outlines.items():
            dashes = Qt.PenStyle.DashLine if kind == "keep" else Qt.PenStyle.SolidLine
            paint_outline(painter, place.map(border), QColor(*TINTS[kind]), dashes)

    def _paint_corners(self, painter: QPainter, view: Viewport, board: AreaBoard) -> None:
        for number, kept in enumerate(board.areas.shapes):
            shape = kept
            if self._held.number == number:
                shape = msgspec.structs.replace(kept, points=self._held.points)
                points = [self._to_pane(point, view) for point in shape.points]
                self._paint_line(painter, [*points, *points[: shape.is_polygon]], QColor(MARK))
            paint_handles(painter, (self._to_pane(place, view) for place in handles(shape)))

    def _paint_sketch(self, painter: QPainter, view: Viewport, board: AreaBoard, drawing: Drawing) -> None:
        tint = QColor(*TINTS[drawing.kind])
        if self._dragged.corners:
            points = [self._to_pane(point, view) for point in self._dragged.corners]
            self._paint_line(painter, [*points, points[0]], tint)
            return
        points = [self._to_pane(point, view) for point in board.corners]
        if not points:
            return
        self._paint_line(painter, [*points, *([] if self._at is None else [self._at])], tint)
        painter.setPen(QPen(QColor(MARK_EDGE), 1))
        painter.setBrush(QColor(MARK))
        closes = board.can_close and self._at is not None and self._near(self._at, board.corners[0], view)
        for index, point in enumerate(points):
            radius = REACH if closes and index == 0 else HANDLE
            painter.drawEllipse(point, radius, radius)

    @staticmethod
    def _paint_line(painter: QPainter, points: list[QPointF], colour: QColor) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for under, width in ((QColor(MARK_EDGE), 3.0), (colour, 1.6)):
            painter.setPen(QPen(under, width))
            painter.drawPolyline(QPolygonF(points))

    # Points

    def _to_input(self, at: QPointF, view: Viewport) -> Point:
        """Return a point of the pane as one of the input, to a tenth of a pixel."""
        x, y = view.to_picture(at.x(), at.y())
        left, top = (0, 0) if self._board is None else self._board.corner
        return round(x + left, 1), round(y + top, 1)

    def _in_picture(self, at: QPointF, view: Viewport) -> Point:
        """Return the point of the input nearest to one of the pane: what is dragged ends with the picture."""
        (x, y), corner = self._to_input(at, view), (0, 0) if self._board is None else self._board.corner
        (left, top), (width, height) = corner, view.picture
        return min(max(x, left), left + width), min(max(y, top), top + height)

    def _to_pane(self, point: Point, view: Viewport) -> QPointF:
        left, top = (0, 0) if self._board is None else self._board.corner
        return QPointF(*view.to_pane(point[0] - left, point[1] - top))

    def _near(self, at: QPointF, point: Point, view: Viewport) -> bool:
        there = self._to_pane(point, view) - at
        return math.hypot(there.x(), there.y()) <= REACH

    def _hold_at(self, at: QPointF, view: Viewport) -> tuple[int, int | None] | None:
        """Return the number of a shape, the uppermost first, and that of its handle there; None: it can be moved."""
        board = self._board
        if board is None or board.drawing is None:
            return None
        for number in reversed(range(len(board.areas.shapes))):
            for index, point in enumerate(handles(board.areas.shapes[number])):
                if self._near(at, point, view):
                    return number, index
        inside = None if _is_shifted() else board.shape_at(self._to_input(at, view))
        # Over a shape of another kind one draws: an area is cut out of it, say.
        is_own = inside is not None and board.areas.shapes[inside].kind == board.drawing.kind
        return (inside, None) if inside is not None and is_own else None


def paint_handles(painter: QPainter, points: Iterable[QPointF]) -> None:
    """Draw squares at points of the pane by which something can be moved."""
    painter.setPen(QPen(QColor(MARK_EDGE), 1))
    painter.setBrush(QColor(MARK))
    for point in points:
        painter.drawRect(QRectF(point.x() - HANDLE, point.y() - HANDLE, 2 * HANDLE, 2 * HANDLE))


def _is_shifted() -> bool:
    return bool(QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier)
