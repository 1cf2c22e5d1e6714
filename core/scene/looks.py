"""What frames look like at the places of a coarse grid: their samples in all planes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout, Values

Look = NDArray[np.uint8 | np.uint16]
"""Samples (C, h, w) of C planes of a frame, on a grid."""

RowOfLooks = NDArray[np.uint8 | np.uint16]
"""Samples (C, N, w) of C planes of N frames, at a row of a grid."""


class LookGrid:
    """The places of a coarse grid in the vectors of frames.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    grid : Grid
        Over them.
    """

    def __init__(self, layout: Layout, grid: Grid) -> None:
        steps = np.array([layout.step(index) for index in range(len(layout.shapes))])[:, None]
        rows, columns = (np.arange(n) * grid.step // steps for n in grid.shape)
        widths = np.array([width for _, width in layout.shapes])[:, None]
        starts = np.array([part.start for part in layout.slices])[:, None]
        self._rows = starts + rows * widths  # (C, h): where each begins.
        self._columns = columns  # (C, w), counted from there.

    def look(self, v: Values) -> Look:
        """Return what a frame (F,) shows on the grid."""
        look: Look = v[self._rows[:, :, None] + self._columns[:, None]]
        return look

    def row(self, i: int, frames: Sequence[Values]) -> RowOfLooks:
        """Return what frames (F,) show at a row of the grid."""
        at = self._rows[:, i, None] + self._columns
        return np.stack([v[at] for v in frames], axis=1)
