"""Events drawn into the picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

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
        colour = [round(c * white / 255) for c in COLOURS[(one.number - 1) % len(COLOURS)]]
        x, y, w, h, _ = one.box
        cv2.rectangle(drawn, (x, y), (x + w - 1, y + h - 1), colour, width)
        # Above the box, or in it where there is no room.
        scale = 0.4 * width
        (_, high), _ = cv2.getTextSize(str(one.number), cv2.FONT_HERSHEY_SIMPLEX, scale, width)
        base = y - 2 * width if y - 2 * width >= high else y + high + 2 * width
        cv2.putText(drawn, str(one.number), (x + width, base), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, width)
    return drawn
