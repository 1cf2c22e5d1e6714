"""Draws a rectangle: the region of interest."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from app.rendering.viewport import Viewport
from app.theme import DIM, MARK, number_font
from app.views.tools.rectangle import RectangleTool

_SMALLEST = 4
"""Side of the smallest rectangle that is meant as one, picture pixels."""


class RegionTool(RectangleTool):
    """While it is active, every drag draws a rectangle, in pixels of the picture."""

    drawn = Signal(QRect)
    """The rectangle that a person drew, in pixels of the picture, cut at its border."""

    def __init__(self) -> None:
        super().__init__()
        self._rectangle: QRect | None = None

    @property
    def rectangle(self) -> QRect | None:
        """What is drawn so far, pixels of the picture."""
        return self._rectangle

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Put the first corner."""
        self._rectangle = None
        return super().begin(at, view)

    def move(self, at: QPointF, view: Viewport) -> None:
        """Put the other corner; the rectangle covers all pixels that are touched, within the picture."""
        touched = self._touched(at, view)
        if touched is not None:
            self._rectangle = QRect(*touched).intersected(QRect(0, 0, *view.picture))
            self.changed.emit()

    def end(self, view: Viewport) -> None:
        """Tell the rectangle, unless it is too small to be meant."""
        drawn = self._rectangle
        self.cancel()
        if drawn is not None and min(drawn.width(), drawn.height()) >= _SMALLEST:
            self.drawn.emit(drawn)

    def cancel(self) -> None:
        """Forget what is half drawn."""
        self._rectangle = None
        super().cancel()

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
