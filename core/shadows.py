"""Cast shadows: the background, seen in less light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core import bands
from core.grid import Coarse
from core.kernels import shadows

REACH = 2
"""A shadow dims everything alike within so many pixels."""

DIMMED = (0.4, 0.95)
"""Share of the light that is left in a shadow."""

TEXTURE = 2.0
"""How far the texture of a shadow may depart from the dimmed background, noise scales."""

CHROMA = 4 / 255
"""How far the chroma of a shadow may depart from the dimmed background's, units of white."""


def find(pictures: Coarse, variance: NDArray[np.float32], white: int, out: NDArray[np.uint8]) -> list[bands.Task]:
    """Return the tasks of finding which pixels of a mask are only shadow.

    A shadow dims all pixels of a small neighbourhood by the same factor, and their chroma with them.

    Parameters
    ----------
    pictures : Coarse
        The frame, the background, and the mask in which to look.
    variance : (H, W) float32
        Square of the noise scale of luma, samples², at full size.
    white : int
        Sample of white.
    out : (h, w) uint8
        Written: 255 shadow, 0 not.
    """
    return bands.rows(
        shadows.dimmed_band, out.shape[0], out.size, *pictures.now, *pictures.known, pictures.mask, variance,
        pictures.step, REACH, *DIMMED, TEXTURE**2, (2 * white / 255) ** 2, CHROMA * white, (white + 1) // 2, out,
    )  # fmt: skip
