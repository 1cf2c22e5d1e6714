"""Patches with soft edges, and the shadows they cast, put into a picture in exact proportions."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
"""x and y, pixels."""


@dataclass(frozen=True)
class Sun:
    """How shadows fall, the same for all that stands in a picture.

    Attributes
    ----------
    shear : float
        Pixels a shadow goes to the right for each row of what casts it.
    fall : float
        Rows it goes up, or down where negative, for each row of what casts it.
    shade : (3,) float32
        What is left of red, green and blue in it.
    softness : float
        Of its edge, pixels (a standard deviation).
    """

    shear: float
    fall: float
    shade: NDArray[np.float32]
    softness: float


class Canvas:
    """A picture that is painted on, and what covers it.

    Parameters
    ----------
    backdrop : (H, W, 3) uint8 or float32

    Attributes
    ----------
    picture : (H, W, 3) float32
        Samples.
    cover : (H, W) float32
        How much of each pixel things cover, 0 to 1.
    dimmed : (H, W) float32
        Which part of its light each pixel has lost to shadows.
    """

    def __init__(self, backdrop: NDArray[np.uint8] | NDArray[np.float32]) -> None:
        self.picture = backdrop.astype(np.float32)
        self.cover = np.zeros(backdrop.shape[:2], np.float32)
        self.dimmed = np.zeros(backdrop.shape[:2], np.float32)

    def paste(self, patch: NDArray[np.float32], feet: Point) -> None:
        """Put a patch (h, w, 4), colours times alpha, with the middle of its lower edge at ``feet``."""
        height, width = patch.shape[:2]
        left, top = feet[0] - width / 2, feet[1] - height
        placed = self._placed(patch, np.array([[1, 0, left], [0, 1, top]]), (left, top, left + width, top + height))
        if placed is None:
            return
        box, shown = placed
        through = 1 - shown[..., 3]
        self.picture[box] *= through[..., None]
        self.picture[box] += shown[..., :3]
        self.cover[box] = 1 - (1 - self.cover[box]) * through

    def shade(self, patch: NDArray[np.float32], feet: Point, sun: Sun) -> None:
        """Darken the picture where the shadow of a patch falls that stands at ``feet``."""
        height, width = patch.shape[:2]
        # A row r of the patch is height − r above the feet.
        place = np.array(
            [[1, -sun.shear, feet[0] - width / 2 + sun.shear * height], [0, sun.fall, feet[1] - sun.fall * height]]
        )
        corners = place @ np.array([[0, width, 0, width], [0, 0, height, height], [1, 1, 1, 1]])
        soft = 3 * sun.softness
        (left, top), (right, bottom) = corners.min(axis=1) - soft, corners.max(axis=1) + soft
        placed = self._placed(np.ascontiguousarray(patch[..., 3]), place, (left, top, right, bottom))
        if placed is None:
            return
        box, shadow = placed
        shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), sun.softness), np.float32)
        self.picture[box] *= 1 - shadow[..., None] * (1 - sun.shade)
        self.dimmed[box] = 1 - (1 - self.dimmed[box]) * (1 - shadow * (1 - sun.shade.mean()))

    def _placed(
        self, patch: NDArray[np.float32], place: NDArray[np.float64], bounds: tuple[float, float, float, float]
    ) -> tuple[tuple[slice, slice], NDArray[np.float32]] | None:
        """Return where a patch lies in the picture and what it shows there; None where that is outside."""
        height, width = self.picture.shape[:2]
        left, top = max(int(np.floor(bounds[0])) - 1, 0), max(int(np.floor(bounds[1])) - 1, 0)
        right, bottom = min(int(np.ceil(bounds[2])) + 1, width), min(int(np.ceil(bounds[3])) + 1, height)
        if left >= right or top >= bottom:
            return None
        local = place - np.array([[0, 0, left], [0, 0, top]])
        shown = cv2.warpAffine(patch, local, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
        return (slice(top, bottom), slice(left, right)), np.asarray(shown, np.float32)
