"""A coarser grid over large frames, for questions about regions rather than pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8 | np.uint16]
"""Samples of one plane of a picture (h, w)."""

Sample = TypeVar("Sample", bound=np.integer[Any] | np.floating[Any])

MOST_ROWS = 288
"""Frames with more rows are looked at in every second, third, … row and column."""


class Grid:
    """Takes planes of any size to one grid, and maps on the grid back to the frame.

    Parameters
    ----------
    height, width : int
        Size of the frame, pixels.
    """

    def __init__(self, height: int, width: int) -> None:
        self.step = -(-height // MOST_ROWS)
        self.shape = (-(-height // self.step), -(-width // self.step))
        self._frame = (height, width)

    def sample(self, plane: Plane) -> Plane:
        """Return a plane of half size (chroma) at the grid's points."""
        return _resized(plane, self.shape)

    def spread(self, found: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a map on the grid as one of the frame's pixels (H, W)."""
        return _resized(found, self._frame)


class Coarse:
    """A frame and its background on a grid; chroma stays as it is, until somebody asks for it.

    Parameters
    ----------
    grid : Grid
    now, known : list of uint8 or uint16
        Luma (H, W), and two planes of chroma of half the size, or empty, of the frame and of the background.

    Attributes
    ----------
    now, known : list of uint8 or uint16
        Luma (h, w), to be written, and chroma as it came.
    step : int
        Rows and columns of the picture to one of the grid.
    differs : (h, w) uint8
        To be written: where the frame differs from the background, 255 or 0.
    mask : (h, w) uint8
        To be written: where foreground may be, 255 or 0.
    """

    def __init__(self, grid: Grid, now: list[Plane], known: list[Plane]) -> None:
        self._grid, self.step = grid, grid.step
        self.now = [np.empty(grid.shape, now[0].dtype), *now[1:]]
        self.known = [np.empty(grid.shape, known[0].dtype), *known[1:]]
        self.differs, self.mask = (np.empty(grid.shape, np.uint8) for _ in range(2))

    def planes(self, box: tuple[slice, slice]) -> Iterator[tuple[Plane, Plane]]:
        """Yield each plane of the frame and of the background, within a box on the grid."""
        for now, known in zip(self.now, self.known, strict=True):
            if now.size:
                yield self._grid.sample(now)[box], self._grid.sample(known)[box]


def _resized(plane: NDArray[Sample], shape: tuple[int, int]) -> NDArray[Sample]:
    if plane.shape == shape:
        return plane
    return np.asarray(cv2.resize(plane, shape[::-1], interpolation=cv2.INTER_NEAREST), plane.dtype)
