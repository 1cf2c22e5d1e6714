"""The picture of a pane, and another one right of the wipe's divider: painted on screen, or into an image to keep."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.rendering.tone_mapping import Tone
from app.rendering.viewport import Viewport
from app.theme import colours
from app.views.screen_image import ScreenImage
from app.views.tools.base import Tool
from app.views.tools.wipe import WipeTool


class PanePicture:
    """Paints what a pane shows.

    Parameters
    ----------
    wipe : WipeTool
        Knows where the divider is.

    Attributes
    ----------
    shown, other : ScreenImage or None
        The picture, and what is right of the divider.
    """

    def __init__(self, wipe: WipeTool) -> None:
        self._wipe = wipe
        self.shown: ScreenImage | None = None
        self.other: ScreenImage | None = None

    def paint(self, painter: QPainter, view: Viewport, tone: Tone) -> None:
        """Paint the visible part at the size of the screen."""
        if self.shown is not None:
            self.shown.paint(painter, view, tone)
        if self.other is not None:
            painter.save()
            painter.setClipRect(self._wipe.right_of(view))
            self.other.paint(painter, view, tone)
            painter.restore()

    def image(self, view: Viewport, tone: Tone, marks: Sequence[Tool]) -> QImage | None:
        """Return what is seen of the picture, with the marks of some tools, without the ground around it."""
        seen = view.look.part(view.picture, view.screen)
        if self.shown is None or seen is None:
            return None
        width, height = (round(side) for side in view.screen)
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(view.ratio)
        image.fill(QColor(colours().pane))
        painter = QPainter(image)
        self.paint(painter, view, tone)
        for tool in marks:
            painter.save()
            tool.paint(painter, view)
            painter.restore()
        painter.end()
        part, (left, top) = seen
        rectangle = QRect(left, top, part.screen_width, part.screen_height)
        cut: QImage = image.copy(rectangle.intersected(image.rect()))
        return cut


def paint_hint(painter: QPainter, area: QRect, hint: str) -> None:
    """Write a sentence into a pane without a picture."""
    painter.setPen(QColor(colours().muted))
    painter.drawText(area.adjusted(16, 40, -16, -40), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, hint)


def paint_ring(painter: QPainter, area: QRect) -> None:
    """Show that the keyboard is in a pane."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colours().link), 2))
    painter.drawRect(area.adjusted(1, 1, -1, -1))
