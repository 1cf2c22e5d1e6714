"""Draws a bar that says how large things are, where the file has a scale."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

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
"""Opacity while the pointer is near: what lies below it is seen then."""

_NEAR = 24
"""Points about the bar within which the pointer is near."""


class ScaleBarTool(Tool):
    """Takes no press: it only shows, in the lower left corner, and faintly while the pointer is near."""

    def __init__(self) -> None:
        super().__init__()
        self._size: PixelSize | None = None
        self._raised = 0
        self._is_near = False

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
        """Fade where the pointer is near."""
        if self._size is not None:
            self._set_near(self._ground(self._size, view).adjusted(-_NEAR, -_NEAR, _NEAR, _NEAR).contains(at))

    def leave(self) -> None:
        """Be seen well again."""
        self._set_near(False)

    def _set_near(self, on: bool) -> None:
        if on != self._is_near:
            self._is_near = on
            self.changed.emit()

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw bar and words, white on a dark ground, as both are seen on any picture."""
        if self._size is None:
            return
        length, words = _bar(self._size, view)
        ground = self._ground(self._size, view)
        painter.setOpacity(FAINT if self._is_near else 1.0)
        painter.setFont(number_font(0.9))
        painter.fillRect(ground, QColor(MARK_SHADE))
        bar_at = QRectF(ground.center().x() - length / 2, ground.bottom() - 4 - _THICK, length, _THICK)
        painter.fillRect(bar_at, QColor(MARK))
        painter.setPen(QColor(MARK))
        words_at = QRectF(ground.left(), ground.top() + 2, ground.width(), _WORDS)
        painter.drawText(words_at, Qt.AlignmentFlag.AlignCenter, words)

    def _ground(self, size: PixelSize, view: Viewport) -> QRectF:
        """Return what the bar and its words take of a pane."""
        length, words = _bar(size, view)
        wide = max(length, QFontMetricsF(number_font(0.9)).horizontalAdvance(words)) + 12
        beside = 0 if view.pane[0] >= _ROOM_FOR_READOUT else _READOUT
        high = _WORDS + _THICK + 8
        return QRectF(_MARGIN - 4, view.pane[1] - _MARGIN + 4 - self._raised - beside - high, wide, high)


def _bar(size: PixelSize, view: Viewport) -> tuple[float, str]:
    """Return the length of the bar, points, and its words."""
    return bar(size, view.scale, _SHARE * view.pane[0])
