"""Cast shadows: the background, seen in less light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.grid import Coarse
from core.kernels import shadows

REACH = 2
"""A shadow dims everything alike within so many pixels."""

DIMMED = (0.4, 0.95)
"""Share of the light that is left in a shadow."""

TEXTURE = 2.0
"""How far the texture of a shadow may depart from the dimmed background, noise scales."""

CHROMA = 5 / 255
"""How far the chroma of a shadow may depart from the dimmed background's, units of white."""


PENUMBRA = 2
"""Width of a shadow's soft edge, points of the grid."""

LIGHTER = 0.9
"""A soft edge keeps at least this share of the light that the shadow next to it keeps."""

HARDLY_DIMMED = 0.98
"""Share of the light that is left at the outermost of it."""


def find(pictures: Coarse, variance: NDArray[np.float32], white: int, out: NDArray[np.uint8]) -> None:
    """Find which pixels of a mask are only shadow.

    A shadow dims all pixels of a small neighbourhood by the same factor, and their chroma with them; its edge dims
    them less.

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
    (luma, blue, red), (known, known_blue, known_red), mask = pictures.now, pictures.known, pictures.mask
    step, tint, neutral, (least, most) = pictures.step, CHROMA * white, (white + 1) // 2, DIMMED
    columns = np.empty((5, luma.shape[1] + 2 * REACH), np.int32 if luma.itemsize == 1 else np.int64)
    shadows.find_dimmed(
        luma, blue, red, known, known_blue, known_red, mask, variance, step, REACH, least, most, TEXTURE**2,
        (2 * white / 255) ** 2, tint, neutral, columns, out,
    )  # fmt: skip
    found = np.empty_like(out)
    for _ in range(PENUMBRA):
        found[:] = out
        shadows.widen_to_penumbra(
            luma, blue, red, known, known_blue, known_red, mask, step, least, HARDLY_DIMMED, LIGHTER, tint, neutral,
            found, out,
        )  # fmt: skip
