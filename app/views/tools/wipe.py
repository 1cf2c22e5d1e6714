"""The wipe: a divider across a pane, with one picture to the left of it and another to the right."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.rendering.viewport import Viewport
from app.theme import MARK, MARK_SHADE, colours
from app.views.tools.base import Tool

_REACH = 7
_GRIP = 9
_BRACKETS: dict[int, float] = {Qt.Key.Key_BracketLeft: -0.02, Qt.Key.Key_BracketRight: 0.02}


class WipeTool(Tool):
    """Moves the divider. Its place is a share of the pane's width: zoom and pan do not move it out of sight."""

    def __init__(self) -> None:
        super().__init__()
        self._on = False
        self._held = False
        self._share = 0.5

    @property
    def share(self) -> float:
        """Where the divider is, as a part of the pane's width."""
        return self._share

    @property
    def on(self) -> bool:
        """Whether two pictures are compared."""
        return self._on

    def set_on(self, on: bool) -> None:
        """Begin to compare two pictures, or end it."""
        if on != self._on:
            self._on = on
            self.changed.emit()

    def x(self, view: Viewport) -> int:
        """Return where the divider is, whole points."""
        return round(self._share * view.pane[0])

    def right_of(self, view: Viewport) -> QRectF:
        """Return the part of the pane where the other picture shows."""
        x, (width, height) = self.x(view), view.pane
        return QRectF(x, 0, width - x, height)

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Take hold of the divider if the pointer is on it."""
        self._held = self._near(at, view)
        return self._held

    def move(self, at: QPointF, view: Viewport) -> None:
        """Move the divider to the pointer."""
        if self._held:
            self._put(at.x() / max(view.pane[0], 1))

    def end(self, view: Viewport) -> None:
        """Let go."""
        self.cancel()

    def cancel(self) -> None:
        """Let go."""
        self._held = False

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return the sign for moving sideways over the divider."""
        is_over = self._held or (at is not None and view is not None and self._near(at, view))
        return Qt.CursorShape.SplitHCursor if is_over else None

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep the brackets while two pictures are compared."""
        return self._on and key in _BRACKETS

    def press_key(self, key: int, view: Viewport | None) -> bool:
        """Move the divider a little."""
        if not self.keeps_key(key, view):
            return False
        self._put(self._share + _BRACKETS[key])
        return True

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw the divider with its grip."""
        if not self._on:
            return
        x, height = self.x(view) + 0.5, view.pane[1]
        for colour, width in ((MARK_SHADE, 3.0), (MARK, 1.0)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawLine(QPointF(x, 0), QPointF(x, height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(MARK), 1.5))
        painter.setBrush(QColor(colours().accent))
        middle = QPointF(x, height / 2)
        painter.drawEllipse(middle, _GRIP, _GRIP)
        for side in (-1, 1):
            tip = middle + QPointF(5.5 * side, 0)
            painter.drawPolyline([tip + QPointF(-2.5 * side, -3), tip, tip + QPointF(-2.5 * side, 3)])

    def _near(self, at: QPointF, view: Viewport) -> bool:
        return self._on and abs(at.x() - self.x(view)) <= _REACH

    def _put(self, share: float) -> None:
        self._share = min(max(share, 0.0), 1.0)
        self.changed.emit()
