"""Cast shadows: the background, seen in less light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Coarse
from core.frames.frame import Layout
from core.kernels import shadows

REACH = 2
"""A shadow dims everything alike within so many pixels."""

DIMMED = (0.4, 0.95)
"""Share of the light that is left in a shadow."""

TEXTURE = 2.0
"""How far the texture of a shadow may depart from the background dimmed by one factor, or by one that changes evenly
across the neighbourhood, noise scales."""

CHROMA = 5 / 255
"""How far the chroma of a shadow may depart from the dimmed background's, units of the contrast."""


PENUMBRA = 2
"""Width of a shadow's soft edge, points of the grid."""

LIGHTER = 0.9
"""A soft edge keeps at least this share of the light that the shadow next to it keeps."""

HARDLY_DIMMED = 0.98
"""Share of the light that is left at the outermost of it."""

THINNED = 2
"""Every n-th row and column of the grid is asked whether a shadow is enclosed."""

AROUND = np.ones((5, 5), np.uint8)
"""What lies around a shadow, as far as the remnants of its edge are wide: points of the thinned grid."""

IN_THE_OPEN = 0.35
"""A cast shadow borders at least this share of background; dark parts of objects do not."""


def find(pictures: Coarse, variance: NDArray[np.float32], layout: Layout, out: NDArray[np.uint8]) -> None:
    """Find which pixels of a mask are only shadow.

    A shadow dims all pixels of a small neighbourhood by a factor that is the same, or changes evenly, and their chroma
    with them; its edge dims them less. What foreground encloses is no shadow, but a part of what casts one.

    Parameters
    ----------
    pictures : Coarse
        The frame, the background, and the mask in which to look.
    variance : (H, W) float32
        Square of the noise scale of luma, samples², at full size.
    layout : Layout
        Of the frame.
    out : (h, w) uint8
        Written: 255 shadow, 0 not.
    """
    (luma, blue, red), (known, known_blue, known_red), mask = pictures.now, pictures.known, pictures.mask
    contrast, neutral = layout.contrast, layout.neutral
    step, tint, (least, most) = pictures.step, CHROMA * contrast, DIMMED
    if layout.pedestal:
        dark = np.uint16(layout.pedestal)
        luma, known = (np.maximum(x, dark + np.uint16(1)) - dark for x in (luma, known))  # 1 at least: ratios.
    columns = np.empty((7, luma.shape[1] + 2 * REACH), np.int32 if luma.itemsize == 1 else np.int64)
    shadows.find_dimmed(
        luma, blue, red, known, known_blue, known_red, mask, variance, step, REACH, least, most, TEXTURE**2,
        (2 * contrast / 255) ** 2, tint, neutral, columns, out,
    )  # fmt: skip
    found = np.empty_like(out)
    for _ in range(PENUMBRA):
        found[:] = out
        shadows.widen_to_penumbra(
            luma, blue, red, known, known_blue, known_red, mask, step, least, HARDLY_DIMMED, LIGHTER, tint, neutral,
            found, out,
        )  # fmt: skip
    _drop_enclosed(mask, out)


def _drop_enclosed(mask: NDArray[np.uint8], shadow: NDArray[np.uint8]) -> None:
    """Take from a shadow, in place, the parts around which there is foreground and hardly any background."""
    thin, marked = (np.ascontiguousarray(m[::THINNED, ::THINNED]) for m in (shadow, mask))
    count, found = cv2.connectedComponents(thin, connectivity=8, ltype=cv2.CV_16U)
    if count > 1:
        labels = np.asarray(found, np.uint16)
        around = np.asarray(cv2.dilate(labels, AROUND), np.uint16)
        shadows.drop_enclosed(labels, around, marked, count, IN_THE_OPEN, THINNED, shadow)
