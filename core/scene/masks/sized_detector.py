"""A detector with cells of any size: small particles have too few of the usual ones to be told by."""

from __future__ import annotations

from core.frames.frame import Layout
from core.scene.masks.cells import CellGrid
from core.scene.masks.detection import Detector
from core.scene.masks.head import Head


class SizedDetector(Detector):
    """Finds the foreground of frames of one layout, in cells of a size that is asked for.

    Parameters
    ----------
    layout : Layout
    side : int
        Rows and columns of pixels of a cell.
    """

    def __init__(self, layout: Layout, side: int) -> None:
        super().__init__(layout)
        self.grid = CellGrid(layout, side)
        self._head = Head(self.grid.shape)
