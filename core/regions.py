"""Connected regions of masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels import regions


def drop_small(mask: NDArray[np.uint8], smallest: int) -> NDArray[np.uint8]:
    """Return a copy of a mask (0 and 255) without regions, and then without holes, of fewer than ``smallest`` pixels.

    Regions hang together over corners, holes do not. Where no region is left there is nothing to have holes.
    """
    mask = mask.copy()
    if smallest > 1:
        regions.drop_small(mask, smallest)
    return mask
