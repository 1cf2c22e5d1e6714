"""Frames whose masks were painted by hand, as bars at the foot of the timeline's marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app import theme

BAR_PX, LEAST_PX = 3, 5
"""Height of a bar, and its least width: a single frame may be less than a pixel."""


class PaintedSpans:
    """First and last frame, from 0, of each span that was painted.

    Parameters
    ----------
    spans : iterable of (int, int)
        In any order; several strokes may be for the same.
    """

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        self.all = tuple(sorted(set(spans)))

    @property
    def words(self) -> str:
        """The frames of all, for who does not see the bars."""
        return ", ".join(map(_words, self.all))

    def draw(self, painter: QPainter, place_of: Callable[[int], float], height: int) -> None:
        """Draw a bar for each, where ``place_of(frame)`` says, pixels from the left."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.colours().text))
        for first, last in self.all:
            left, right = place_of(first), place_of(last)
            beside = max(LEAST_PX - (right - left), 0) / 2
            bar = QRectF(left - beside, height - BAR_PX, right - left + 2 * beside, BAR_PX)
            painter.drawRoundedRect(bar, BAR_PX / 2, BAR_PX / 2)

    def near(self, x: float, place_of: Callable[[int], float], reach: float) -> tuple[int, int] | None:
        """Return the span at a place, or within ``reach`` of it, pixels: the nearest, and of these the shortest."""

        def away(span: tuple[int, int]) -> float:
            return max(place_of(span[0]) - x, x - place_of(span[1]), 0.0)

        found = [span for span in self.all if away(span) <= reach]
        return min(found, key=lambda span: (away(span), span[1] - span[0])) if found else None

    def tip(self, x: float, place_of: Callable[[int], float], reach: float) -> str:
        """Return what is said of the span at a place; nothing where there is none."""
        span = self.near(x, place_of, reach)
        return "" if span is None else f"Painted by hand: {_words(span)}"


def _words(span: tuple[int, int]) -> str:
    first, last = span
    return f"frame {first + 1}" if first == last else f"frames {first + 1} to {last + 1}"
