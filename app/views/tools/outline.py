"""The border of some pixels of a picture, seen on every ground, in no more detail than can be drawn with each frame."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.theme import MARK_EDGE

WIDTH, EDGE_WIDTH = 1.4, 2.6
"""Of the line, and of the dark edge under it, points."""

MOST_SIDES = 30_000
"""Sides of pixels that the borders in one picture have together: panes draw them in 20 ms, with each frame."""

MOST_PIXELS = 20_000_000
"""That are searched for them."""


def outlines(insides: Sequence[NDArray[np.bool_]], step: int = 1) -> list[QPainterPath]:
    """Return the border of what is inside each map (H, W), whose pixels are ``step`` pixels wide and high, in pixels.

    Where they have more sides than can be drawn, two by two pixels count as one, which is inside if one of them is.
    """
    maps = [np.ascontiguousarray(inside).view(np.uint8) for inside in insides]
    while sum(one.size for one in maps) > MOST_PIXELS or sum(map(_n_sides, maps)) > MOST_SIDES:
        maps, step = [_halved(one) for one in maps], 2 * step
    return [_border(one, step) for one in maps]


def paint_outline(painter: QPainter, path: QPainterPath, colour: QColor, style: Qt.PenStyle) -> None:
    """Draw a line with a dark edge, so that it is seen over what is bright, too."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Qt takes seconds for a path of a thousand parts, or of one that winds; for all of its lines milliseconds.
    parts = path.toSubpathPolygons()
    lines = [QLineF(*ends) for part in parts for ends in pairwise(part.toList())]
    for pen in (QPen(QColor(MARK_EDGE), EDGE_WIDTH), QPen(colour, WIDTH, style)):
        painter.setPen(pen)
        if pen.style() == Qt.PenStyle.SolidLine:
            painter.drawLines(lines)
        else:
            for part in parts:
                painter.drawPolyline(part)


def _halved(inside: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.dilate(inside, np.ones((2, 2), np.uint8), anchor=(0, 0))[::2, ::2].copy(), np.uint8)


def _n_sides(inside: NDArray[np.uint8]) -> int:
    """Return how many pixels differ from that below or beside them."""
    return sum(
        int(np.count_nonzero(cv2.bitwise_xor(a, b)))
        for a, b in ((inside[1:], inside[:-1]), (inside[:, 1:], inside[:, :-1])) if a.size
    )  # fmt: skip


def _border(inside: NDArray[np.uint8], step: int) -> QPainterPath:
    path = QPainterPath()
    contours, _ = cv2.findContours(inside, cv2.RETR_LIST, cv2.CHAIN_APPROX_TC89_L1)
    for contour in contours:
        points = [QPointF(step * (x + 0.5), step * (y + 0.5)) for x, y in contour[:, 0].tolist()]
        path.addPolygon(QPolygonF([*points, points[0]]))
    return path
