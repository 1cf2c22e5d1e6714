"""What the head says of the cells of a frame, and where in the frame they lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Shift
from core.frames.shift import moved
from core.scene.masks.cells import Map, at_pixels


@dataclass(frozen=True)
class CellLogits:
    """Logits of foreground, cell by cell.

    Attributes
    ----------
    of_cells : (h, w) float32
        Above 0 a cell shows foreground rather than not.
    side : int
        Rows and columns of pixels of a cell; those at the end may reach beyond the frame.
    """

    of_cells: Map
    side: int

    def probability(self, height: int, width: int) -> NDArray[np.float32]:
        """Return how probable it is that each pixel (H, W) of the frame is foreground, 0 to 1: that of its cell."""
        from scipy.special import expit  # noqa: PLC0415 - takes a while, and few need it

        return at_pixels(expit(self.of_cells.astype(np.float64)).astype(np.float32), self.side, height, width)

    def moved(self, by: Shift) -> CellLogits:
        """Return the logits of a frame whose pixel p is the pixel p + ``by`` of this one, the border repeated."""
        return replace(self, of_cells=moved(self.of_cells, by.down / self.side, by.right / self.side))
