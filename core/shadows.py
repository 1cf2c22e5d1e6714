"""Cast shadows: the background, seen in less light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

WINDOW = (5, 5)
"""Neighbourhood in which a shadow dims everything alike, pixels."""

DIMMED = (0.4, 0.95)
"""Share of the light that is left in a shadow."""

TEXTURE = 2.0
"""How far the texture of a shadow may depart from the dimmed background, noise scales."""

CHROMA = 4 / 255
"""How far the chroma of a shadow may depart from the dimmed background's, units of white."""


def cast_shadows(
    now: NDArray, before: NDArray, mask: NDArray[np.uint8], variance: NDArray[np.float32], white: int
) -> NDArray[np.uint8]:
    """Return which pixels of a mask are only shadow (h, w): 255 shadow, 0 not.

    A shadow dims all pixels of a small neighbourhood by the same factor, and their chroma with them.

    Parameters
    ----------
    now, before : (P, h, w) uint8 or uint16
        Luma, and chroma if any, of the frame and of the background.
    mask : (h, w) uint8
        255 where to look.
    variance : (h, w) float32
        Square of the noise scale of luma, samples².
    white : int
        Sample of white.
    """
    out = np.zeros_like(mask)
    left, top, width, height = cv2.boundingRect(mask)
    if not width:
        return out
    box = np.s_[max(top - 4, 0) : top + height + 4, max(left - 4, 0) : left + width + 4]
    v, b = now[0][box].astype(np.float32), before[0][box].astype(np.float32) + 1
    dimming = cv2.blur(v, WINDOW) / cv2.blur(b, WINDOW)
    departs = cv2.blur(np.square(v - dimming * b), WINDOW)
    found = (dimming > DIMMED[0]) & (dimming < DIMMED[1])
    found &= departs < TEXTURE**2 * np.maximum(variance[box], np.float32((2 * white / 255) ** 2))
    centre = np.float32((white + 1) // 2)
    for tint, true in zip(now[1:, *box], before[1:, *box], strict=True):
        found &= np.abs(tint - centre - dimming * (true - centre)) < CHROMA * white
    out[box] = np.where(found, mask[box], np.uint8(0))
    return out
