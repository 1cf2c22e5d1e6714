"""A brush in a pane: what people paint on a picture while they hold the button."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.theme import MASK_TINT

if TYPE_CHECKING:
    from app.views.pane import ImagePane

BACKGROUND_TINT = (64, 156, 255)
"""Of what is painted as background; foreground has the colour of the mask."""

_FINE = 4
"""Bits of a pixel in which lines are drawn."""


@dataclass(frozen=True)
class Brush:
    """What a stroke says, and how thick it is, pixels of the picture."""

    is_background: bool
    thickness: int


@dataclass
class BrushTool:
    """A stroke that is being painted, in pixels of the picture.

    Attributes
    ----------
    brush : Brush or None
        None: the pane does not paint.
    painting : bool
        The button is held.
    points : list of (x, y)
        Where the stroke has been.
    at : (x, y) or None
        Where the pointer is.
    """

    brush: Brush | None = None
    painting: bool = False
    points: list[tuple[float, float]] = field(default_factory=list)
    at: tuple[float, float] | None = None

    def begin(self, point: tuple[float, float]) -> None:
        """Put the brush on the picture."""
        self.painting, self.points, self.at = True, [point], point

    def move(self, point: tuple[float, float] | None) -> None:
        """Move the brush, which paints while it is on the picture; None: away."""
        self.at = point
        if self.painting and point is not None:
            self.points.append(point)

    def give_up(self) -> None:
        """Lift the brush and forget the stroke."""
        self.painting, self.points = False, []

    def end(self, picture: tuple[int, int]) -> NDArray[np.bool_] | None:
        """Lift the brush; return what was painted of a picture (width, height) as (H, W), None where nothing was."""
        points, thickness = self.points, self.brush.thickness if self.brush else 1
        self.give_up()
        if not points:
            return None
        width, height = picture
        drawn = np.zeros((height, width), np.uint8)
        # OpenCV counts from the middles of pixels, and cannot draw lines of any thickness with round ends far outside.
        path = np.rint((np.array(points) - 0.5) * (1 << _FINE)).astype(np.int32)
        cv2.polylines(drawn, [path], False, 1, thickness, cv2.LINE_8, _FINE)
        for x, y in path.tolist():
            cv2.circle(drawn, (x, y), round(thickness / 2 * (1 << _FINE)), 1, -1, cv2.LINE_8, _FINE)
        where = drawn.view(np.bool_)
        return where if where.any() else None

    def paint(self, painter: QPainter, pane: ImagePane) -> None:
        """Draw the stroke so far, and the outline of the brush."""
        if self.brush is None:
            return
        tint = BACKGROUND_TINT if self.brush.is_background else MASK_TINT
        scale = pane.camera.scale / pane.devicePixelRatioF()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.points:
            path = QPainterPath(pane.to_pane(*self.points[0]))
            for point in self.points[1:] or self.points:
                path.lineTo(pane.to_pane(*point))
            line = QPen(QColor(*tint, 150), self.brush.thickness * scale)
            line.setCapStyle(Qt.PenCapStyle.RoundCap)
            line.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(line)
            painter.drawPath(path)
        if self.at is not None:
            radius = max(self.brush.thickness * scale / 2, 2.0)
            centre: QPointF = pane.to_pane(*self.at)
            for colour, width in (("#000000", 3.0), ("#ffffff", 1.2)):
                painter.setPen(QPen(QColor(colour), width))
                painter.drawEllipse(centre, radius, radius)
        painter.restore()
