"""A coarser grid over large frames, for questions about regions rather than pixels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_ROWS = 480
"""Frames with more rows are looked at in every second, third, … row and column."""


class Grid:
    """Takes planes of any size to one grid, and maps on the grid back to the frame.

    Parameters
    ----------
    height, width : int
        Size of the frame, pixels.
    """

    def __init__(self, height: int, width: int) -> None:
        step = -(-height // MOST_ROWS)
        self.shape = (-(-height // step), -(-width // step))
        self._frame = (height, width)

    def sample(self, plane: NDArray) -> NDArray:
        """Return a plane at the grid's points: larger planes thinned out, smaller ones (chroma) interpolated."""
        finer = plane.shape[0] < self.shape[0]
        return _resized(plane, self.shape, cv2.INTER_LINEAR if finer else cv2.INTER_NEAREST)

    def stack(self, planes: list[NDArray]) -> NDArray:
        """Return planes of any sizes, of one type, as (P, h, w)."""
        return np.stack([self.sample(plane) for plane in planes])

    def spread(self, found: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a map on the grid as one of the frame's pixels (H, W)."""
        return _resized(found, self._frame, cv2.INTER_NEAREST)


def _resized(plane: NDArray, shape: tuple[int, int], how: int) -> NDArray:
    return plane if plane.shape == shape else cv2.resize(plane, shape[::-1], interpolation=how)
