"""Events drawn into the picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from core.events.event import SeenEvent
from core.frames.colour import Samples

COLOURS = ((230, 159, 0), (86, 180, 233), (0, 158, 115), (240, 228, 66), (0, 114, 178), (213, 94, 0), (204, 121, 167))
"""RGB of 255, in turn: those of Okabe and Ito, which people who see fewer colours can tell apart."""

THIN = 240
"""Rows of a picture for each pixel of a line's width."""

SCALE, LEAST_SCALE = 460, 0.5
"""Rows of a picture for OpenCV's font at its full size, in which digits are 21 pixels high, and the least part of it:
below, they cannot be read."""


def as_seen(picture: Samples, levels: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a picture (H, W) in 8 bits, with the first of two samples as black and the second as white."""
    low, high = levels
    return np.asarray(cv2.convertScaleAbs(np.maximum(picture, low) - low, alpha=255 / (high - low)), np.uint8)


def draw_boxes(picture: Samples, seen: Sequence[SeenEvent], white: int) -> Samples:
    """Return a picture with a box and a number around all that is seen.

    Numbers have a black edge, so that they can be read on any ground.

    Parameters
    ----------
    picture : (H, W) or (H, W, 3) RGB, uint8 or uint16
    seen : sequence of SeenEvent
    white : int
        The largest sample.

    Returns
    -------
    (H, W, 3) RGB, of the same type
    """
    drawn = np.dstack([picture] * 3) if picture.ndim == 2 else picture.copy()
    width = max(1, round(drawn.shape[0] / THIN))
    scale = max(LEAST_SCALE, drawn.shape[0] / SCALE)
    for one in seen:
        colour = np.rint(np.array(COLOURS[(one.number - 1) % len(COLOURS)]) * (white / 255))
        x, y, w, h, _ = one.box
        cv2.rectangle(drawn, (x, y), (x + w - 1, y + h - 1), colour.tolist(), width)
        ink = _Ink(str(one.number), scale, width)
        top = _beside(y, h, ink.text.shape[0], width)
        _print(drawn, ink, top, max(min(x, drawn.shape[1] - ink.text.shape[1]), 0), colour)
    return drawn


def _beside(y: int, h: int, high: int, width: int) -> int:
    """Return the row from which on a number is printed: above its box, else in it, else, where that is low, below."""
    if y - width >= high:
        return y - width - high
    return y + width if h >= high + 2 * width else y + h + width


class _Ink:
    """How much of its colour, and of its black edge, each pixel of a text has (h, w), 0 to 1.

    OpenCV writes into samples of 8 bits alone.

    Parameters
    ----------
    text : str
    scale : float
        Of the font.
    width : int
        Of its lines, and of the edge around them, pixels.
    """

    def __init__(self, text: str, scale: float, width: int) -> None:
        bold = max(2, width)  # Thinner ones are hardly there, smoothed as they are.
        (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, bold)
        around = 2 * width
        ink = np.zeros((high + 2 * around, wide + 2 * around), np.uint8)
        cv2.putText(ink, text, (around, high + around), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, bold)
        self.text = ink / 255
        # Not written with thicker lines: fonts differ in what becomes of these.
        wider = cv2.dilate(ink, np.ones((2 * width + 1, 2 * width + 1), np.uint8))
        self.edge = np.minimum(2 * (wider / 255), 1)


def _print(picture: Samples, ink: _Ink, top: int, left: int, colour: NDArray[np.float64]) -> None:
    """Print ink into a picture (H, W, 3) from a row and a column on, as far as it is in it; the column is."""
    height, width = ink.text.shape
    part = picture[max(top, 0) : max(top + height, 0), left : left + width]
    share, edge = (each[max(-top, 0) :][: part.shape[0], : part.shape[1], None] for each in (ink.text, ink.edge))
    part[:] = np.rint((1 - share) * (1 - edge) * part + share * colour)
