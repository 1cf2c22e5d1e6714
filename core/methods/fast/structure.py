"""Whether two pictures show the same structure, whatever light falls on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout, Values
from core.scene.surroundings import luma_on, mean_around

SIDE = 16
"""Rows and columns of a block, points of the grid."""

LEAST_DETAIL, OF_GRAIN = 3 / 255, 2
"""A block is looked at where one of the pictures has more detail in it, as a standard deviation: units of the contrast,
and of the noise from frame to frame."""

ALIKE = 0.5
"""Correlation of the details of a block from which on they are of one thing."""

FEWEST_BLOCKS = 12
"""Fewer with detail do not tell."""

UNLIKE = 0.95
"""Share of the blocks that are not alike, from which on a picture shows another scene.

It is 0.97 at least where one of 12 clips of streets, rooms and woods is cut to another, bright or dark (390 pairs). Of
240 lights that were switched, dimmed, coloured or moved in the same clips, two come to more, both over leaves that
sway: they are never where the background has them, which is why the frame before is asked, too.
"""


def is_unlike(v: Values, other: Values, layout: Layout, grain: float) -> bool:
    """Return whether two vectors (F,) of samples show different structure, as far as they show enough.

    Parameters
    ----------
    v, other : (F,) samples
    layout : Layout
    grain : float
        Standard deviation of the noise from frame to frame, units of white.
    """
    grid = Grid(layout.height, layout.width)
    details = [_details(luma_on(grid, layout, x)) for x in (v, other)]
    least = max(LEAST_DETAIL * layout.contrast, OF_GRAIN * grain * layout.white)
    now, then, both = (_in_blocks(a * b) for a, b in ((details[0],) * 2, (details[1],) * 2, details))
    told = np.maximum(now, then) > least**2
    if np.count_nonzero(told) < FEWEST_BLOCKS:
        return False
    alike = both[told] > ALIKE * np.sqrt(now[told] * then[told])
    return float(np.mean(alike)) <= 1 - UNLIKE


def _details(picture: NDArray[np.uint8 | np.uint16]) -> NDArray[np.float32]:
    """Return by how much each point (h, w) differs from what is around it, samples."""
    samples = picture.astype(np.float32)
    return samples - mean_around(samples)


def _in_blocks(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the means of blocks of points (h, w); what is left at the end is left out."""
    rows, columns = (max(n // SIDE, 1) for n in values.shape)
    whole = np.ascontiguousarray(values[: rows * SIDE, : columns * SIDE])
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
