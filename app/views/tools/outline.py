"""The border of some pixels of a picture, seen on every ground."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.theme import MARK_EDGE

WIDTH, EDGE_WIDTH = 1.4, 2.6
"""Of the line, and of the dark edge under it, points."""


def outline(inside: NDArray[np.bool_], step: int = 1) -> QPainterPath:
    """Return the border of what is inside (H, W), each ``step`` pixels wide and high, in pixels."""
    path = QPainterPath()
    contours, _ = cv2.findContours(inside.view(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_TC89_L1)
    for contour in contours:
        points = [QPointF(step * (x + 0.5), step * (y + 0.5)) for x, y in contour[:, 0].tolist()]
        path.addPolygon(QPolygonF([*points, points[0]]))
    return path


def paint_outline(painter: QPainter, path: QPainterPath, colour: QColor, style: Qt.PenStyle) -> None:
    """Draw a line with a dark edge, so that it is seen over what is bright, too."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(QColor(MARK_EDGE), EDGE_WIDTH), QPen(colour, WIDTH, style)):
        painter.setPen(pen)
        painter.drawPath(path)
