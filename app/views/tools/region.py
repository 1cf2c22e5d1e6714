"""Draws a rectangle: the region of interest."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from app.rendering.viewport import Viewport
from app.theme import DIM, MARK, number_font
from app.views.tools.base import Tool

_SMALLEST = 4
"""Side of the smallest rectangle that is meant as one, picture pixels."""


class RegionTool(Tool):
    """While it is active, every drag draws a rectangle, in pixels of the picture."""

    drawn = Signal(QRect)
    """The rectangle that a person drew, in pixels of the picture, cut at its border."""

    def __init__(self) -> None:
        super().__init__()
        self._active = False
        self._start: tuple[float, float] | None = None
        self._rectangle: QRect | None = None

    @property
    def active(self) -> bool:
        """Whether the next drag draws a rectangle."""
        return self._active

    def set_active(self, on: bool) -> None:
        """Let the next drag draw a rectangle, or no more; what is half drawn is forgotten."""
        self._active = on
        self.cancel()

    @property
    def rectangle(self) -> QRect | None:
        """What is drawn so far, pixels of the picture."""
        return self._rectangle

    @property
    def modal(self) -> bool:
        """Whether it is active."""
        return self._active

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Put the first corner."""
        if self._active:
            self._start, self._rectangle = view.to_picture(at.x(), at.y()), None
        return self._active

    def move(self, at: QPointF, view: Viewport) -> None:
        """Put the other corner; the rectangle covers all pixels that are touched, within the picture."""
        if self._start is None:
            return
        xs, ys = (sorted(pair) for pair in zip(self._start, view.to_picture(at.x(), at.y()), strict=True))
        left, top = math.floor(xs[0]), math.floor(ys[0])
        touched = QRect(left, top, math.ceil(xs[1]) - left, math.ceil(ys[1]) - top)
        self._rectangle = touched.intersected(QRect(0, 0, *view.picture))
        self.changed.emit()

    def end(self, view: Viewport) -> None:
        """Tell the rectangle, unless it is too small to be meant."""
        drawn = self._rectangle
        self.cancel()
        if drawn is not None and min(drawn.width(), drawn.height()) >= _SMALLEST:
            self.drawn.emit(drawn)

    def cancel(self) -> None:
        """Forget what is half drawn."""
        self._start = self._rectangle = None
        self.changed.emit()

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return a cross while it is active."""
        return Qt.CursorShape.CrossCursor if self._active else None

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep Esc, with which whoever made it active ends it."""
        return self._active and key == Qt.Key.Key_Escape

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Dim what is outside of the rectangle, and say how large it is."""
        drawn = self._rectangle
        if drawn is None or drawn.isEmpty():
            return
        width, height = view.pane
        corners = QRectF(
            QPointF(*view.to_pane(drawn.x(), drawn.y())),
            QPointF(*view.to_pane(drawn.x() + drawn.width(), drawn.y() + drawn.height())),
        )
        for outside in (
            QRectF(0, 0, width, corners.top()),
            QRectF(0, corners.bottom(), width, height - corners.bottom()),
            QRectF(0, corners.top(), corners.left(), corners.height()),
            QRectF(corners.right(), corners.top(), width - corners.right(), corners.height()),
        ):
            painter.fillRect(outside, QColor(DIM))
        painter.setPen(QPen(QColor(MARK), 1, Qt.PenStyle.DashLine))
        painter.drawRect(corners)
        painter.setFont(number_font(0.9))
        painter.drawText(corners.topLeft() + QPointF(4, -5), f"{drawn.width()} × {drawn.height()}")
