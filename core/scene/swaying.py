"""Where the background sways, told from what passes: all that it shows is close by at all times.

Leaves before the sky, flags and water differ from any plate again and again, and so does a slow crowd: how often and by
how much does not tell them apart. But what sways is around in each frame, a little to the side, and who passes is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from core.scene.surroundings import AROUND, MAJORITY, mean_around

Look = NDArray[np.uint8 | np.uint16]
"""Samples (C, h, w) of all planes of a frame, on a grid."""


def sways(plate: Look, looks: Sequence[Look], apart: int, alike: int) -> NDArray[np.bool_]:
    """Return around which points (h, w) most of what differs from the plate is in the surroundings at all times.

    Parameters
    ----------
    plate : (C, h, w) samples
    looks : sequence of (C, h, w) samples
        Frames from all over the time that the plate is made of, at least two. One of them may show nothing of what
        sways: somebody stands before it.
    apart : int
        What differs by more in one plane differs, samples.
    alike : int
        What lies so far outside of the range of the surroundings is of them, samples.
    """
    kernel = np.ones((AROUND, AROUND), np.uint8)
    # Of all frames but one: it may be hidden there.
    low = np.sort([[cv2.erode(plane, kernel) for plane in look] for look in looks], axis=0)[-2]
    high = np.sort([[cv2.dilate(plane, kernel) for plane in look] for look in looks], axis=0)[1]
    differs, comes_back = np.zeros((2, *plate.shape[1:]), np.float32)
    for look in looks:
        far = _apart(look, plate, apart)
        differs += far
        comes_back += far & ~(_apart(low, np.minimum(look, low), alike) | _apart(high, np.maximum(look, high), alike))
    return np.asarray(mean_around(comes_back) >= MAJORITY * mean_around(differs))


def _apart(a: Look, b: Look, samples: int) -> NDArray[np.bool_]:
    """Return where two looks differ by more than so many samples in any plane (h, w)."""
    planes = [cv2.absdiff(one, other) > samples for one, other in zip(a, b, strict=True)]
    return np.asarray(np.logical_or.reduce(planes), np.bool_)
