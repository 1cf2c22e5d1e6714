"""Connected regions of masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels import regions


def drop_small(mask: NDArray[np.uint8], smallest: int, holes: int) -> NDArray[np.uint8]:
    """Return a copy of a mask (0 and 255) without small regions, and then without small holes.

    Regions hang together over corners, holes do not. Where no region is left there is nothing to have holes.

    Parameters
    ----------
    mask : (H, W) uint8
    smallest, holes : int
        Regions, and holes, of fewer pixels go.
    """
    mask = mask.copy()
    if smallest > 1 or holes > 1:
        regions.drop_small(mask, smallest, holes)
    return mask
