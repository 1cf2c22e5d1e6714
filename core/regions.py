"""Connected regions of masks."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def drop_small(mask: NDArray[np.uint8], smallest: int) -> NDArray[np.uint8]:
    """Return a mask (0 and 255) without regions, and then without holes, of fewer than ``smallest`` pixels.

    Regions hang together over corners, holes do not.
    """
    if smallest <= 1:
        return mask
    return cv2.bitwise_not(_drop(cv2.bitwise_not(_drop(mask, smallest, 8)), smallest, 4))


def _drop(mask: NDArray[np.uint8], smallest: int, connectivity: int) -> NDArray[np.uint8]:
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity)
    keep = np.where(stats[:, cv2.CC_STAT_AREA] < smallest, np.uint8(0), np.uint8(255))
    keep[0] = 0
    return keep[labels]
