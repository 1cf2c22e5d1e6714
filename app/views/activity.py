"""The activity strip: how much of each frame moves, over the whole clip, above the slider that seeks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme

if TYPE_CHECKING:
    from core.events.activity import ActivityCurve

HEIGHT = 18
"""Of the strip, pixels."""

LEAST_SHARE = 0.01
"""Share of foreground that a full bar stands for at least: noise alone must not fill the strip."""


class ActivityStrip(QWidget):
    """Bars over the frames: pale up to the largest share of foreground in each, strong up to the mean.

    Signals
    -------
    pressed_at(float) : the person pressed here, pixels from the left
    """

    pressed_at = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._n_frames, self._frames_a_bin = 0, 1
        self._margin = 0
        self._mean: NDArray[np.float64] = np.zeros(0)
        self._high: NDArray[np.float64] = np.zeros(0)
        self._span: tuple[int, int] | None = None
        self._range: tuple[int, int] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Activity")
        self.clear()
        theme.theme_changed().connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the height that it has, and a width that may be any."""
        return QSize(200, HEIGHT)

    def clear(self) -> None:
        """Nothing is known."""
        self._mean = self._high = np.zeros(0)
        self._span = None
        self._say("Share of the picture that moves, frame by frame; not known yet")

    def set_frames(self, n_frames: int, margin: int) -> None:
        """Say how many frames the width stands for, and how much of it is left out on either side, pixels."""
        self._n_frames, self._margin = n_frames, margin
        self.update()

    def show_curve(self, curve: ActivityCurve) -> None:
        """Show shares of foreground."""
        self._mean, self._high = curve.mean, curve.high
        self._frames_a_bin = curve.frames_a_bin
        known = np.isfinite(self._mean)
        if known.any():
            self._say(
                f"Share of the picture that moves: {100 * self._mean[known].mean():.1f} % in the mean, "
                f"{100 * self._high[known].max():.1f} % at most. Click to go there."
            )

    def show_span(self, span: tuple[int, int] | None) -> None:
        """Mark the frames from the first to the last of an event, both included, from 0; or none."""
        self._span = span
        self.update()

    def show_range(self, first: int, last: int) -> None:
        """Shade the frames before the first and behind the last that are written, from 0; -1: all are written."""
        self._range = None if first < 0 else (first, last)
        self.update()

    def bars(self, width: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return mean and highest share (width,) for each of so many columns of pixels; NaN where not known."""
        if not len(self._mean) or not self._n_frames or width < 1:
            return np.full(width, np.nan), np.full(width, np.nan)
        n_bins = -(-self._n_frames // self._frames_a_bin)
        mean, high = (np.full(n_bins, np.nan) for _ in range(2))
        n = min(n_bins, len(self._mean))
        mean[:n], high[:n] = self._mean[:n], self._high[:n]
        # Of the bins that begin in a column, or the one that goes on there.
        first = np.arange(width) * n_bins // width
        known = np.isfinite(mean)
        total, count = (np.add.reduceat(values, first) for values in (np.where(known, mean, 0), known.astype(float)))
        with np.errstate(invalid="ignore"):
            return total / count, np.fmax.reduceat(high, first)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars."""
        colours, painter = theme.colours(), QPainter(self)
        left, width = self._margin, self.width() - 2 * self._margin
        painter.fillRect(left, self.height() - 1, width, 1, QColor(colours.track))
        if self._span is not None and self._n_frames:
            a, b = (left + round(width * place / self._n_frames) for place in (self._span[0], self._span[1] + 1))
            painter.fillRect(a, 0, max(b - a, 2), self.height(), QColor(colours.pressed))
        mean, high = self.bars(width)
        known = high[np.isfinite(high)]
        top = max(LEAST_SHARE, float(known.max())) if known.size else LEAST_SHARE
        pale, strong = QColor(colours.curves[0]), QColor(colours.curves[0])
        pale.setAlphaF(0.4)
        for x in np.flatnonzero(np.isfinite(high)):
            for share, colour in ((high[x], pale), (mean[x], strong)):
                bar = round(share / top * (self.height() - 1))
                painter.fillRect(left + int(x), self.height() - 1 - bar, 1, bar, colour)
        if self._range is not None and self._n_frames:
            shade = QColor(colours.panel)
            shade.setAlphaF(0.65)
            a, b = (round(width * place / self._n_frames) for place in (self._range[0], self._range[1] + 1))
            painter.fillRect(left, 0, a, self.height(), shade)
            painter.fillRect(left + b, 0, width - b, self.height(), shade)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for the frame under the pointer."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed_at.emit(event.position().x())

    def _say(self, text: str) -> None:
        self.setToolTip(text)
        self.setAccessibleDescription(text)
        self.update()
