"""Where the background sways or its light changes, told from what passes.

Leaves before the sky, flags and water differ from any plate again and again, and so does a slow crowd: how often and by
how much does not tell them apart. But what sways is around in each frame, a little to the side, and what lies in other
light has the texture of the plate. Who passes has neither.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Plane
from core.scene.looks import Look
from core.scene.surroundings import AROUND, MAJORITY, mean_around


def sways(plate: Look, looks: Sequence[Look], luma: int, apart: int, alike: int) -> NDArray[np.bool_]:
    """Return around which points (h, w) most of what differs from the plate is of the scene.

    It is where it is in the range of the surroundings at all times, or has the texture of the plate.

    Parameters
    ----------
    plate : (C, h, w) samples
    looks : sequence of (C, h, w) samples
        Frames from all over the time that the plate is made of, at least two. One of them may show nothing of what
        sways: somebody stands before it.
    luma : int
        The plane whose texture is compared.
    apart : int
        What differs by more in one plane differs, samples.
    alike : int
        What lies so far outside of the range of the surroundings is of them, samples.
    """
    kernel = np.ones((AROUND, AROUND), np.uint8)
    low = np.sort([[cv2.erode(plane, kernel) for plane in look] for look in looks], axis=0)[-2]
    high = np.sort([[cv2.dilate(plane, kernel) for plane in look] for look in looks], axis=0)[1]
    differs, of_scene = np.zeros((2, *plate.shape[1:]), np.float32)
    for look in looks:
        far = _apart(look, plate, apart)
        passes = _apart(low, np.minimum(look, low), alike) | _apart(high, np.maximum(look, high), alike)
        differs += far
        of_scene += far & (~passes | (_correlation(look[luma], plate[luma]) > MAJORITY))
    return np.asarray(mean_around(of_scene) >= MAJORITY * mean_around(differs))


def _correlation(a: Plane, b: Plane) -> NDArray[np.float32]:
    """Return how the surroundings of each point are correlated in two planes (h, w), -1 to 1; 0 where one is even."""
    level = mean_around(b.astype(np.float32))  # Without it, squares of 16 bit samples are not exact.
    x, y = a - level, b - level
    of_x, of_y = mean_around(x), mean_around(y)
    both = (mean_around(x * x) - of_x**2) * (mean_around(y * y) - of_y**2)
    found: NDArray[np.float32] = mean_around(x * y) - of_x * of_y
    return np.divide(found, np.sqrt(np.maximum(both, 0)), out=np.zeros_like(found), where=both > 1)


def _apart(a: Look, b: Look, samples: int) -> NDArray[np.bool_]:
    """Return where two looks differ by more than so many samples in any plane (h, w)."""
    planes = [cv2.absdiff(one, other) > samples for one, other in zip(a, b, strict=True)]
    return np.asarray(np.logical_or.reduce(planes), np.bool_)
