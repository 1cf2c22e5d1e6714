"""A small line plot in the theme's colours, painted directly: a plotting toolkit takes a second to import."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.theme import caption_font, colours


@dataclass(frozen=True)
class Curve:
    """One curve.

    Attributes
    ----------
    x, y : (n,) float
        NaN in ``y`` leaves a gap.
    colour : int
        Place in the theme's ``curves``.
    """

    x: NDArray
    y: NDArray
    colour: int


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most ``most`` round numbers (1, 2 or 5 times a power of ten apart) from ``low`` to ``high``."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low or most < 1:
        return []
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, first + most + 1) if k * step <= high + 1e-9 * step]


def tick_text(value: float, span: float) -> str:
    """Return a tick's number with as many digits as the span of the axis asks for."""
    if value == 0:
        return "0"
    if abs(value) >= 1e5 or span < 1e-3:
        return f"{value:.3g}"
    digits = max(0, math.ceil(-math.log10(span)) + 1)
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"


def envelope(x: NDArray, y: NDArray, columns: int) -> tuple[NDArray, NDArray]:
    """Return at most two points for each column of the screen, the lowest and the highest, so that no spike is lost."""
    if x.size <= 2 * columns or columns < 1:
        return x, y
    per = math.ceil(x.size / columns)
    n = x.size // per * per
    blocks = y[:n].reshape(-1, per)
    filled = np.where(np.isnan(blocks), np.inf, blocks)
    lowest, highest = filled.argmin(1), np.where(np.isnan(blocks), -np.inf, blocks).argmax(1)
    start = np.arange(0, n, per)
    picked = np.sort(np.stack([start + lowest, start + highest], axis=1), axis=1).ravel()
    picked = np.concatenate([picked, np.arange(n, x.size)])
    return x[picked], y[picked]


class Chart(QWidget):
    """Curves over the number of the frame, with ticks and a grid."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: tuple[Curve, ...] = ()
        self._from_zero = False
        self.setMinimumSize(120, 60)

    def sizeHint(self) -> QSize:
        """As in the drawing of the window."""
        return QSize(320, 130)

    def show_curves(self, curves: Sequence[Curve], *, from_zero: bool = False) -> None:
        """Show curves; the vertical axis starts at 0 where asked."""
        self._curves, self._from_zero = tuple(curves), from_zero
        self.update()

    @property
    def curves(self) -> tuple[Curve, ...]:
        """What is shown."""
        return self._curves

    def limits(self) -> tuple[float, float, float, float] | None:
        """Return the ends of both axes, x then y, with a little room; None where there is nothing to show."""
        xs = [curve.x for curve in self._curves if curve.x.size]
        ys = [finite for curve in self._curves if (finite := curve.y[np.isfinite(curve.y)]).size]
        if not xs or not ys:
            return None
        x0, x1 = min(float(x[0]) for x in xs), max(float(x[-1]) for x in xs)
        y0, y1 = min(float(y.min()) for y in ys), max(float(y.max()) for y in ys)
        if self._from_zero:
            y0 = min(y0, 0.0)
        room = 0.06 * (y1 - y0) or max(abs(y1) * 0.05, 1e-6)
        return x0, max(x1, x0 + 1), y0 if self._from_zero else y0 - room, y1 + room

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint grid, curves and words."""
        painter, shades = QPainter(self), colours()
        painter.setFont(caption_font())
        metrics = QFontMetricsF(painter.font())
        limits = self.limits()
        if limits is None:
            painter.setPen(QColor(shades.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Curves appear when frames are processed")
            return
        x0, x1, y0, y1 = limits
        line = metrics.height()
        y_ticks = ticks(y0, y1, max(2, min(5, int(self.height() / (2.2 * line)))))
        labels = [tick_text(value, y1 - y0) for value in y_ticks]
        left = max((metrics.horizontalAdvance(label) for label in labels), default=0) + 8
        area = QRectF(left, line / 2, self.width() - left - 2, self.height() - 1.5 * line - 5)

        def place(x: float, y: float) -> QPointF:
            return QPointF(
                area.left() + (x - x0) / (x1 - x0) * area.width(), area.bottom() - (y - y0) / (y1 - y0) * area.height()
            )

        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value, label in zip(y_ticks, labels, strict=True):
            at = place(x0, value)
            painter.setPen(QPen(QColor(shades.line_strong), 1))
            painter.drawLine(QPointF(area.left(), round(at.y())), QPointF(area.right(), round(at.y())))
            painter.setPen(QColor(shades.muted))
            painter.drawText(QRectF(0, at.y() - line / 2, left - 6, line), right, label)
        self._paint_x(painter, metrics, area, x0, x1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area.adjusted(-1, -2, 2, 2))
        for curve in self._curves:
            painter.setPen(QPen(QColor(shades.curves[curve.colour % len(shades.curves)]), 1.6))
            self._paint_curve(painter, curve, area, limits)

    def _paint_x(self, painter: QPainter, metrics: QFontMetricsF, area: QRectF, x0: float, x1: float) -> None:
        """Write the ticks of the horizontal axis, and its name at the right end where no tick is in the way."""
        line = metrics.height()
        name_left = area.right() - metrics.horizontalAdvance("frame")
        painter.drawText(QRectF(name_left, area.bottom() + 3, area.width(), line), Qt.AlignmentFlag.AlignLeft, "frame")
        for value in ticks(x0, x1, max(1, int(area.width() / 70))):
            if value != round(value):
                continue
            label = f"{value:.0f}"
            half = metrics.horizontalAdvance(label) / 2
            at = area.left() + (value - x0) / (x1 - x0) * area.width()
            if at + half < name_left - 8:
                painter.drawText(QPointF(max(at - half, area.left()), area.bottom() + 3 + metrics.ascent()), label)

    @staticmethod
    def _paint_curve(painter: QPainter, curve: Curve, area: QRectF, limits: tuple[float, float, float, float]) -> None:
        x0, x1, y0, y1 = limits
        x, y = envelope(curve.x, curve.y, int(area.width()))
        px = area.left() + (x - x0) / (x1 - x0) * area.width()
        py = area.bottom() - (y - y0) / (y1 - y0) * area.height()
        finite = np.isfinite(py)
        for run in np.split(np.arange(px.size), np.flatnonzero(~finite)):
            points = [
                QPointF(a, b) for a, b in zip(px[run].tolist(), py[run].tolist(), strict=True) if math.isfinite(b)
            ]
            if len(points) == 1:
                painter.drawPoint(points[0])
            elif points:
                painter.drawPolyline(points)
