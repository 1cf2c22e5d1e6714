"""Events drawn into the picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from core.events.event import Seen
from core.frames.colour import Samples

COLOURS = ((230, 159, 0), (86, 180, 233), (0, 158, 115), (240, 228, 66), (0, 114, 178), (213, 94, 0), (204, 121, 167))
"""RGB of 255, in turn: those of Okabe and Ito, which people who see fewer colours can tell apart."""

THIN = 360
"""Rows of a picture for each pixel of a line's width."""


def draw_boxes(picture: Samples, seen: Sequence[Seen], white: int) -> Samples:
    """Return a picture with a box and a number around all that is seen.

    Parameters
    ----------
    picture : (H, W) or (H, W, 3) RGB, uint8 or uint16
    seen : sequence of Seen
    white : int
        The largest sample.

    Returns
    -------
    (H, W, 3) RGB, of the same type
    """
    drawn = np.dstack([picture] * 3) if picture.ndim == 2 else picture.copy()
    width = max(1, round(drawn.shape[0] / THIN))
    for one in seen:
        colour = np.rint(np.array(COLOURS[(one.number - 1) % len(COLOURS)]) * (white / 255))
        x, y, w, h, _ = one.box
        cv2.rectangle(drawn, (x, y), (x + w - 1, y + h - 1), colour.tolist(), width)
        # Above the box, or in it where there is no room.
        ink, high = _ink(str(one.number), width)
        base = y - 2 * width if y - 2 * width >= high else y + high + 2 * width
        _print(drawn, ink, base - high - width, max(min(x, drawn.shape[1] - ink.shape[1]), 0), colour)
    return drawn


def _ink(text: str, width: int) -> tuple[NDArray[np.float64], int]:
    """Return how much of a colour each pixel of a text has (h, w), and its height; ``width`` of lines lies around it.

    OpenCV writes into samples of 8 bits alone.
    """
    (wide, high), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.4 * width, width)
    ink = np.zeros((high + below + 2 * width, wide + 2 * width), np.uint8)
    cv2.putText(ink, text, (width, high + width), cv2.FONT_HERSHEY_SIMPLEX, 0.4 * width, 255, width)
    return ink / 255, high


def _print(picture: Samples, ink: NDArray[np.float64], top: int, left: int, colour: NDArray[np.float64]) -> None:
    """Print ink into a picture (H, W, 3) from a row and a column on, as far as it is in it; the column is."""
    part = picture[max(top, 0) : max(top + ink.shape[0], 0), left : left + ink.shape[1]]
    share = ink[max(-top, 0) :][: part.shape[0], : part.shape[1], None]
    part[:] = np.rint((1 - share) * part + share * colour)
