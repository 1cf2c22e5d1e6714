"""What the head says of the cells of a frame, and where in the frame they lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.motion import Motion
from core.frames.moved import moved_by
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

    def moved(self, by: Motion) -> CellLogits:
        """Return the logits of a frame that has moved ``by`` against this one, as `core.frames.moved.moved_by` does."""
        return replace(self, of_cells=moved_by(self.of_cells, by, self.side))
