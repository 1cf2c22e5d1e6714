"""What people do with the mouse in a pane besides panning: move the wipe's divider, draw a region."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.theme import colours, number_font

if TYPE_CHECKING:
    from app.views.pane import ImagePane

_REACH = 7
_SMALLEST = 4


class WipeTool:
    """A divider across a pane: one picture to the left of it, another to the right.

    Its place is a share of the pane's width, so that it stays in sight when the picture is zoomed or panned.
    """

    def __init__(self) -> None:
        self.on = False
        self.grabbed = False
        self.share = 0.5

    def x(self, width: int) -> int:
        """Return where the divider is in a pane of a width."""
        return round(self.share * width)

    def near(self, x: float, width: int) -> bool:
        """Tell whether a point is close enough to grab the divider."""
        return self.on and abs(x - self.x(width)) <= _REACH

    def grab(self, x: float, width: int) -> bool:
        """Take hold of the divider if the point is on it."""
        self.grabbed = self.near(x, width)
        return self.grabbed

    def drag(self, x: float, width: int) -> None:
        """Move the divider to the pointer."""
        self.share = min(max(x / max(width, 1), 0.0), 1.0)

    def nudge(self, share: float) -> None:
        """Move the divider by a share of the width."""
        self.share = min(max(self.share + share, 0.0), 1.0)

    def release(self) -> None:
        """Let go."""
        self.grabbed = False

    def paint(self, painter: QPainter, pane: QRect) -> None:
        """Draw the divider with its grip."""
        x = self.x(pane.width()) + 0.5
        painter.setPen(QPen(QColor(0, 0, 0, 150), 3))
        painter.drawLine(QPointF(x, 0), QPointF(x, pane.height()))
        painter.setPen(QPen(QColor("#ffffff"), 1))
        painter.drawLine(QPointF(x, 0), QPointF(x, pane.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor("#ffffff"), 1.5))
        painter.setBrush(QColor(colours().accent))
        middle = QPointF(x, pane.height() / 2)
        painter.drawEllipse(middle, 9, 9)
        for side in (-1, 1):
            tip = middle + QPointF(5.5 * side, 0)
            painter.drawPolyline([tip + QPointF(-2.5 * side, -3), tip, tip + QPointF(-2.5 * side, 3)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class RegionTool:
    """A rectangle that is being drawn, in pixels of the picture."""

    def __init__(self) -> None:
        self.active = False
        self.drawing = False
        self._start: tuple[float, float] = (0.0, 0.0)
        self.rectangle: QRect | None = None

    def begin(self, point: tuple[float, float]) -> None:
        """Put the first corner."""
        self.drawing, self._start, self.rectangle = True, point, None

    def drag(self, point: tuple[float, float], picture: tuple[int, int]) -> None:
        """Put the other corner; whole pixels that are touched, within the picture."""
        xs, ys = (sorted(pair) for pair in zip(self._start, point, strict=True))
        whole = QRect(0, 0, *picture)
        left, top = math.floor(xs[0]), math.floor(ys[0])
        self.rectangle = QRect(left, top, math.ceil(xs[1]) - left, math.ceil(ys[1]) - top).intersected(whole)

    def end(self) -> QRect | None:
        """Return the rectangle, or None where it is too small to be meant."""
        drawn, self.rectangle, self.drawing = self.rectangle, None, False
        return drawn if drawn is not None and min(drawn.width(), drawn.height()) >= _SMALLEST else None

    def paint(self, painter: QPainter, pane: ImagePane) -> None:
        """Dim what is outside of the rectangle, and say how large it is."""
        drawn = self.rectangle
        if drawn is None or drawn.isEmpty():
            return
        corners = QRectF(
            pane.to_pane(drawn.x(), drawn.y()), pane.to_pane(drawn.x() + drawn.width(), drawn.y() + drawn.height())
        )
        dim = QColor(0, 0, 0, 120)
        for outside in (
            QRectF(0, 0, pane.width(), corners.top()),
            QRectF(0, corners.bottom(), pane.width(), pane.height() - corners.bottom()),
            QRectF(0, corners.top(), corners.left(), corners.height()),
            QRectF(corners.right(), corners.top(), pane.width() - corners.right(), corners.height()),
        ):
            painter.fillRect(outside, dim)
        painter.setPen(QPen(QColor("#ffffff"), 1, Qt.PenStyle.DashLine))
        painter.drawRect(corners)
        painter.setFont(number_font(0.9))
        painter.drawText(corners.topLeft() + QPointF(4, -5), f"{drawn.width()} × {drawn.height()}")
