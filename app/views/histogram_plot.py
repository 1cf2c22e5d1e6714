"""The bars of a histogram, with black and white as two lines that can be dragged."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.rendering.histogram import Histogram
from app.rendering.tone_mapping import Levels
from app.theme import caption_font, colours, theme_changed

_CHANNELS = ("#e5484d", "#30a46c", "#3e63dd")
"""Of red, green and blue; on both palettes."""

_ALPHA = 110
_WORDS_PX, _MARGIN_PX, _REACH_PX = 18, 8, 9


class HistogramPlot(QWidget):
    """Shows counts on a linear or a logarithmic axis.

    Signals
    -------
    dragged(Levels) : black and white, as a person put them
    pointed(object) : the number of the bar under the pointer, or None
    """

    dragged = Signal(object)
    pointed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._histogram: Histogram | None = None
        self._covered, self._levels = Levels(0, 255), Levels(0, 255)
        self._logarithmic = True
        self._held: str | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(QSize(260, 120))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Histogram")
        self.setAccessibleDescription("Drag the two lines to set black and white; a right click copies and saves.")
        theme_changed().connect(self.update)

    @property
    def histogram(self) -> Histogram | None:
        """What is shown."""
        return self._histogram

    def show_histogram(self, histogram: Histogram | None, covered: Levels) -> None:
        """Show counts of the samples from ``covered.low`` to ``covered.high``; None: nothing."""
        self._histogram, self._covered = histogram, covered
        self.update()

    def show_levels(self, levels: Levels) -> None:
        """Put the lines."""
        if levels != self._levels:
            self._levels = levels
            self.update()

    def set_logarithmic(self, on: bool) -> None:
        """Count on a logarithmic axis: seldom samples are seen beside frequent ones."""
        self._logarithmic = on
        self.update()

    # Places

    @property
    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_MARGIN_PX, 4, -_MARGIN_PX, -_WORDS_PX)

    def _x(self, sample: float) -> float:
        first, width = self._covered.low, self._covered.high + 1 - self._covered.low
        return self._area.left() + (sample - first) / width * self._area.width()

    def _sample(self, x: float) -> int:
        width = self._covered.high + 1 - self._covered.low
        at = self._covered.low + (x - self._area.left()) / self._area.width() * width
        return round(min(max(at, self._covered.low), self._covered.high))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bars, lines, and the ends of the axis."""
        shades, painter, area = colours(), QPainter(self), self._area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(area, QColor(shades.pane))
        if self._histogram is not None:
            self._paint_bars(painter, self._histogram, area)
            painter.setFont(caption_font())
            painter.setPen(QColor(shades.muted))
            words = area.adjusted(0, area.height() + 2, 0, _WORDS_PX)
            edges = self._histogram.edges
            for value, side in ((edges[0], Qt.AlignmentFlag.AlignLeft), (edges[-1] - 1, Qt.AlignmentFlag.AlignRight)):
                painter.drawText(words, side | Qt.AlignmentFlag.AlignTop, f"{value:.0f}")
        for sample in (self._levels.low, self._levels.high):
            x = min(max(self._x(sample), area.left()), area.right())
            painter.setPen(QPen(QColor(shades.link), 2))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + 6))

    def _paint_bars(self, painter: QPainter, histogram: Histogram, area: QRectF) -> None:
        heights = np.log1p(histogram.counts) if self._logarithmic else histogram.counts
        top = max(float(heights.max()), 1e-9)
        xs = np.linspace(area.left(), area.right(), heights.shape[1] + 1)
        single = heights.shape[0] == 1
        painter.setPen(Qt.PenStyle.NoPen)
        for row, channel in zip(heights, _CHANNELS, strict=False):
            colour = QColor(colours().muted if single else channel)
            colour.setAlpha(255 if single else _ALPHA)
            painter.setBrush(colour)
            ys = area.bottom() - row / top * area.height()
            corners = [QPointF(xs[0], area.bottom())]
            for left, right, y in zip(xs[:-1].tolist(), xs[1:].tolist(), ys.tolist(), strict=True):
                corners += [QPointF(left, y), QPointF(right, y)]
            painter.drawPolygon(QPolygonF([*corners, QPointF(xs[-1], area.bottom())]))

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the line that is near."""
        if event.button() is Qt.MouseButton.LeftButton:
            x = event.position().x()
            reach = {name: abs(self._x(getattr(self._levels, name)) - x) for name in ("low", "high")}
            nearest = min(reach, key=lambda name: reach[name])
            self._held = nearest if reach[nearest] <= _REACH_PX else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the line that is held, else tell which bar is there."""
        x = event.position().x()
        if self._held is not None:
            at, levels = self._sample(x), self._levels
            if self._held == "low":
                levels = Levels(min(at, levels.high - 1), levels.high)
            else:
                levels = Levels(levels.low, max(at, levels.low + 1))
            self.show_levels(levels)
            self.dragged.emit(levels)
        near = min(abs(self._x(sample) - x) for sample in (self._levels.low, self._levels.high)) <= _REACH_PX
        self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)
        share = (x - self._area.left()) / self._area.width()
        n = 0 if self._histogram is None else self._histogram.counts.shape[1]
        self.pointed.emit(int(share * n) if 0 <= share < 1 and n else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the line go."""
        self._held = None

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        super().leaveEvent(event)
        self.pointed.emit(None)
