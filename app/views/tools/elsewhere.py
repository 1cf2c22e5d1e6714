"""Says where a tool is used, on a pane that does not take it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.rendering.viewport import Viewport
from app.theme import MARK, MARK_SHADE
from app.views.tools.base import Tool

_MARGIN = 8.0
"""Around the words, and between them and the border of the pane at least, points."""


class ElsewhereTool(Tool):
    """While there are words, a press shows them; over a picture that is larger than the pane it is left to pan that."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self._is_held = False

    def set_words(self, words: str) -> None:
        """Say this from now on; empty: nothing."""
        self._words = words
        self.cancel()

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Say it while the button is held."""
        self._is_held = self._is_at_work(view)
        self.changed.emit()
        return self._is_held

    def end(self, view: Viewport) -> None:
        """Say no more."""
        self.cancel()

    def cancel(self) -> None:
        """Say no more."""
        self._is_held = False
        self.changed.emit()

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return a sign that forbids."""
        return Qt.CursorShape.ForbiddenCursor if view is not None and self._is_at_work(view) else None

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Write the words in the middle of the pane."""
        if not self._is_held:
            return
        around = 2 * _MARGIN
        room = QRectF(QPointF(0, 0), QPointF(*view.pane)).adjusted(around, around, -around, -around)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        written = painter.boundingRect(room, flags, self._words)
        ground = written.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        painter.fillRect(ground, QColor(MARK_SHADE))
        painter.setPen(QColor(MARK))
        painter.drawText(room, flags, self._words)

    def _is_at_work(self, view: Viewport) -> bool:
        return bool(self._words) and not view.can_pan
