"""Connected regions of masks."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core.kernels import regions


def drop_small(mask: NDArray[np.uint8], smallest: int, holes: int) -> None:
    """Take small regions from a mask (0 and 255), in place, and then small holes.

    Regions are connected over corners, holes are not. Where no region is left there is nothing to have holes.

    Parameters
    ----------
    mask : (H, W) uint8
        Changed.
    smallest, holes : int
        Regions, and holes, of fewer pixels go.
    """
    if smallest > 1 or holes > 1:
        regions.drop_small(mask, smallest, holes)


def bridge(mask: NDArray[np.uint8], reach: int) -> tuple[tuple[slice, slice], NDArray[np.uint8]] | None:
    """Return what a morphological closing adds to a mask: the gaps that are narrower than ``2 · reach + 1`` pixels.

    Parameters
    ----------
    mask : (H, W) uint8
        255 and 0.
    reach : int
        Half the side of the square that does not fit into a gap, pixels; at least 1.

    Returns
    -------
    box, added : (slice, slice), (h, w) uint8; or None
        All that is not 0 lies in this part of the mask; there, 255 is added, 0 not. None where the mask is empty.
    """
    left, top, width, height = cv2.boundingRect(np.ascontiguousarray(mask))
    if not width:
        return None
    box = np.s_[top : top + height, left : left + width]
    inside = np.s_[reach : reach + height, reach : reach + width]
    closed = np.zeros((height + 2 * reach, width + 2 * reach), np.uint8)
    closed[inside] = mask[box]
    square = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    closed = np.asarray(cv2.morphologyEx(closed, cv2.MORPH_CLOSE, square), np.uint8)
    return box, closed[inside] ^ mask[box]
