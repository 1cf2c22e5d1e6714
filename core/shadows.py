"""Cast shadows: the background, seen in less light."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frame import Values

WINDOW = (5, 5)
"""Neighbourhood in which a shadow dims everything alike, pixels."""

DIMMED = (0.4, 0.95)
"""Share of the light that is left in a shadow."""

TEXTURE = 2.0
"""How far the texture of a shadow may depart from the dimmed background, noise scales."""

CHROMA = 4 / 255
"""How far the chroma of a shadow may depart from the dimmed background's, units of white."""


def cast_shadows(
    frame: list[Values], background: list[Values], mask: NDArray[np.uint8], variance: NDArray[np.float32], white: int
) -> NDArray[np.uint8]:
    """Return which pixels of a mask are only shadow (H, W): 255 shadow, 0 not.

    A shadow dims all pixels of a small neighbourhood by the same factor, and their chroma with them.

    Parameters
    ----------
    frame, background : list of planes
        Luma (H, W), and half-size chroma if any; samples.
    mask : (H, W) uint8
        255 where to look.
    variance : (H, W) float32
        Square of the noise scale of luma, samples².
    white : int
        Sample of white.
    """
    out = np.zeros_like(mask)
    left, top, width, height = cv2.boundingRect(mask)
    if not width:
        return out
    left, top = max(left // 2 * 2 - 4, 0), max(top // 2 * 2 - 4, 0)
    here = np.s_[top : top + height + 10, left : left + width + 10]
    there = np.s_[top // 2 : (top + height + 11) // 2, left // 2 : (left + width + 11) // 2]
    v, b = frame[0][here].astype(np.float32), background[0][here].astype(np.float32) + 1
    dimming = cv2.blur(v, WINDOW) / cv2.blur(b, WINDOW)
    departs = cv2.blur(np.square(v - dimming * b), WINDOW)
    found = (dimming > DIMMED[0]) & (dimming < DIMMED[1])
    found &= departs < TEXTURE**2 * np.maximum(variance[here], (2 * white / 255) ** 2)
    centre = (white + 1) // 2
    for now, before in zip(frame[1:], background[1:], strict=True):
        tint, true = (_full(x[there], v.shape).astype(np.float32) - centre for x in (now, before))
        found &= np.abs(tint - dimming * true) < CHROMA * white
    out[here] = np.where(found & (mask[here] > 0), np.uint8(255), np.uint8(0))
    return out


def _full(plane: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    doubled = (2 * plane.shape[1], 2 * plane.shape[0])
    return cv2.resize(plane, doubled, interpolation=cv2.INTER_LINEAR)[: shape[0], : shape[1]]
