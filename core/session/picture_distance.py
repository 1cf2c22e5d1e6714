"""How much two frames differ, as pictures: by their pixels, and by what averaging leaves of that.

Photographs of one place differ by their exposure, too, which makes no other picture of it: it does not count.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Plane
from core.frames.frame import Frame
from core.frames.noise import MAD_TO_SIGMA

BLOCK = 8
"""Side of the blocks over which is averaged, pixels: white noise falls to an eighth."""

LEAST_PIXELS = 16
"""Along a side that are compared, where there are as many: of small pictures it takes more than one of each block."""

STILL_PART = 0.1
"""Part of the pixels, those that differ least, of which a difference tells by how much."""

GREY_LEVELS = 255
"""What differs by less than one of so many steps of the contrast shows the same, however little else there is."""

MOST_GAIN = 2.0
"""Contrast of one picture, over that of another, which another exposure is taken to make: two stops in coded values."""

Difference = tuple[float, float, float]
"""The median one of two frames, and that of the pixels that differ least (`STILL_PART`) as they are, both in units of
the spread; and the part of the first that averaging leaves. All are 0 where it is less than a grey level."""


class Look:
    """What is kept of a frame: pixels of it, and means of blocks."""

    def __init__(self, frame: Frame) -> None:
        plane = frame.layout.plane(frame.values, frame.layout.luma_index)
        height, width = (max(1, side // BLOCK) for side in plane.shape)
        step = min(BLOCK, max(1, min(plane.shape) // LEAST_PIXELS))
        self._blocks: Plane = np.asarray(cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA), plane.dtype)
        self._pixels: Plane = plane[step // 2 :: step, step // 2 :: step].copy()
        self._level = frame.layout.contrast / GREY_LEVELS

    def difference(self, before: Look) -> Difference:
        """Return by how much it differs from an earlier one."""
        apart, spread = _distances(before._pixels, self._pixels)
        if apart < self._level:
            return 0.0, 0.0, 0.0
        as_they_are = np.abs(before._pixels.astype(np.float32) - self._pixels.astype(np.float32))
        still = float(np.quantile(as_they_are, STILL_PART))
        return (
            apart / max(spread, self._level),
            still / max(spread, self._level),
            _distances(before._blocks, self._blocks)[0] / apart,
        )

    def averaged(self, before: Look) -> tuple[float, float]:
        """Return what averaging leaves of the difference from an earlier one, and that in units of the means' spread.

        White noise loses most and leaves the means alike; what a picture is spoiled with loses most too, but leaves
        different pictures apart.
        """
        apart = _distances(before._pixels, self._pixels)[0]
        left, spread = _distances(before._blocks, self._blocks)
        return left / max(apart, self._level), left / max(spread, self._level)


def difference(one: Frame, other: Frame) -> float:
    """Return the median difference of two frames, over the median distance of the first one's values from theirs."""
    apart, spread = _distances(one.values, other.values)
    return apart / max(spread, 1e-6)


def _distances(one: NDArray[np.generic], other: NDArray[np.generic]) -> tuple[float, float]:
    """Return the median difference of two arrays, and the robust deviation of the first one's values.

    Of those values as they are, or exposed as the other ones are, whichever differ less.
    """
    a, b = (x.astype(np.float32) for x in (one, other))
    (level, deviation), (other_level, other_deviation) = _level(a), _level(b)
    apart = float(np.median(np.abs(a - b)))
    if min(deviation, other_deviation) > 0:
        gain = min(max(other_deviation / deviation, 1 / MOST_GAIN), MOST_GAIN)
        exposed = float(np.median(np.abs(gain * (a - level) + other_level - b)))
        if exposed < apart:
            return exposed, gain * deviation
    return apart, deviation


def _level(values: NDArray[np.float32]) -> tuple[float, float]:
    """Return the median of an array, and the robust deviation of its values."""
    level = float(np.median(values))
    return level, MAD_TO_SIGMA * float(np.median(np.abs(values - level)))
