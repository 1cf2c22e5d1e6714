"""What was painted by hand on the frame that is shown: a thin outline of each stroke, in its colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QTransform

from app.rendering.viewport import Viewport
from app.theme import BACKGROUND_TINT, mask_tint
from app.views.tools.base import Tool
from app.views.tools.outline import paint_outline


@dataclass(frozen=True)
class PaintedOutline:
    """The border of a stroke.

    Attributes
    ----------
    path : QPainterPath
        In pixels of the frame that was painted on, at the working size.
    width : int
        Of that frame.
    is_background : bool
    """

    path: QPainterPath
    width: int
    is_background: bool


class PaintedTool(Tool):
    """Draws the outlines, and does nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.outlines: tuple[PaintedOutline, ...] = ()

    def show_outlines(self, outlines: Sequence[PaintedOutline]) -> None:
        """Draw these from now on."""
        if self.outlines != tuple(outlines):
            self.outlines = tuple(outlines)
            self.changed.emit()

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw them."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        origin = QPointF(*view.to_pane(0, 0))
        for one in self.outlines:
            scale = view.scale * view.picture[0] / one.width
            place = QTransform.fromTranslate(origin.x(), origin.y()).scale(scale, scale)
            tint = BACKGROUND_TINT if one.is_background else mask_tint()
            paint_outline(painter, place.map(one.path), QColor(*tint), Qt.PenStyle.SolidLine)
