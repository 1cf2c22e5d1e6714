"""A coarser grid over large frames, for questions about regions rather than pixels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8 | np.uint16]
"""Samples of one plane of a picture (h, w)."""

MOST_ROWS, MOST_COLUMNS = 288, 1152
"""Frames with more are looked at in every second, third, … row and column.

By rows up to four times as wide as high; by columns beyond, as of a slit or a line camera, so that what is kept of the
grid is bounded.
"""


class Grid:
    """Every second, third, … row and column of a frame, and maps on them back to the frame.

    Parameters
    ----------
    height, width : int
        Size of the frame, pixels.
    """

    def __init__(self, height: int, width: int) -> None:
        self.step = max(-(-height // MOST_ROWS), -(-width // MOST_COLUMNS))
        self.shape = (-(-height // self.step), -(-width // self.step))
        self._frame = (height, width)

    def spread(self, found: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a map on the grid as one of the frame's pixels (H, W)."""
        if found.shape == self._frame:
            return found
        return np.asarray(cv2.resize(found, self._frame[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)
