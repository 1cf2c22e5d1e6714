"""Draws a bar that says how large things are, where the file has a scale."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.rendering.scale_bar import bar
from app.rendering.viewport import Viewport
from app.theme import MARK, MARK_SHADE, number_font
from app.views.tools.base import Tool
from core.io.calibration import PixelSize

_SHARE = 0.3
"""Of the pane's width at most."""

_THICK, _MARGIN, _WORDS = 4, 12, 18
_ROOM_FOR_READOUT, _READOUT = 260, 28
"""Width of a pane from which on the pixel under the pointer has room beside the bar, and the height that it takes."""


FAINT = 0.2
"""Opacity while the pointer is over the pane: what lies below it is seen then."""


class ScaleBarTool(Tool):
    """Takes no press: it only shows, in the lower left corner, and faintly while the pointer is over the pane."""

    def __init__(self) -> None:
        super().__init__()
        self._size: PixelSize | None = None
        self._raised = 0
        self._is_pointed = False

    @property
    def size(self) -> PixelSize | None:
        """Of a pixel; None: there is no bar."""
        return self._size

    def set_size(self, size: PixelSize | None) -> None:
        """Show a bar for pixels of a size; None: none."""
        if size != self._size:
            self._size = size
            self.changed.emit()

    def raise_by(self, points: int) -> None:
        """Leave room below the bar, for what else stands in that corner."""
        if points != self._raised:
            self._raised = points
            self.changed.emit()

    def hover(self, at: QPointF, view: Viewport) -> None:
        """Fade."""
        self._set_pointed(True)

    def leave(self) -> None:
        """Be seen well again."""
        self._set_pointed(False)

    def _set_pointed(self, on: bool) -> None:
        if on != self._is_pointed:
            self._is_pointed = on
            if self._size is not None:
                self.changed.emit()

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw bar and words, white on a dark ground, as both are seen on any picture."""
        if self._size is None:
            return
        length, words = bar(self._size, view.scale, _SHARE * view.pane[0])
        painter.setOpacity(FAINT if self._is_pointed else 1.0)
        painter.setFont(number_font(0.9))
        wide = max(length, painter.fontMetrics().horizontalAdvance(words)) + 12
        beside = 0 if view.pane[0] >= _ROOM_FOR_READOUT else _READOUT
        bottom = view.pane[1] - _MARGIN + 4 - self._raised - beside
        ground = QRectF(_MARGIN - 4, bottom - _WORDS - _THICK - 8, wide, _WORDS + _THICK + 8)
        painter.fillRect(ground, QColor(MARK_SHADE))
        painter.fillRect(QRectF(ground.center().x() - length / 2, bottom - _THICK - 4, length, _THICK), QColor(MARK))
        painter.setPen(QColor(MARK))
        words_at = QRectF(ground.left(), ground.top() + 2, wide, _WORDS)
        painter.drawText(words_at, Qt.AlignmentFlag.AlignCenter, words)
