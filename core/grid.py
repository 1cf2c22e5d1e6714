"""A coarser grid over large frames, for questions about regions rather than pixels."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from core import bands
from core.kernels import masks

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
        self.step = -(-height // MOST_ROWS)
        self.shape = (-(-height // self.step), -(-width // self.step))
        self._frame = (height, width)

    def sample(self, plane: NDArray) -> NDArray:
        """Return a plane of half size (chroma) at the grid's points."""
        return _resized(plane, self.shape)

    def spread(self, found: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a map on the grid as one of the frame's pixels (H, W)."""
        return _resized(found, self._frame)


class Coarse:
    """A frame and its background on a grid; chroma is sampled when somebody asks for it.

    Parameters
    ----------
    grid : Grid
    now, known : list of (H, W) uint8 or uint16
        Luma, and chroma if any, of the frame and of the background.
    limit : (H, W), of the same type
        Largest difference of luma that is noise, samples.
    least : int
        Smaller differences are nowhere looked at, samples.
    raw, mask : (H, W) uint8
        Single pixels that stand out of the noise, and what became of them; 255 or 0.

    Attributes
    ----------
    differs : (h, w) uint8
        255 where the frame differs: what is in ``raw``, and thin remnants that lie within their neighbours' range.
    mask : (h, w) uint8
    """

    def __init__(
        self, grid: Grid, now: list[NDArray], known: list[NDArray], limit: NDArray, least: int,
        raw: NDArray[np.uint8], mask: NDArray[np.uint8],
    ) -> None:  # fmt: skip
        self._grid, self._now, self._known = grid, now, known
        luma = [np.empty(grid.shape, now[0].dtype) for _ in range(2)]
        self.differs, self.mask = (np.empty(grid.shape, np.uint8) for _ in range(2))
        bands.run_rows(
            masks.thin_band, grid.shape[0], mask.size, now[0], known[0], limit, raw, mask, grid.step, least, *luma,
            self.differs, self.mask,
        )  # fmt: skip
        self._luma, self._known_luma = luma

    @cached_property
    def now(self) -> NDArray:
        """The frame, (P, h, w)."""
        return np.stack([self._luma, *(self._grid.sample(plane) for plane in self._now[1:])])

    @cached_property
    def known(self) -> NDArray:
        """The background, (P, h, w)."""
        return np.stack([self._known_luma, *(self._grid.sample(plane) for plane in self._known[1:])])


def _resized(plane: NDArray, shape: tuple[int, int]) -> NDArray:
    return plane if plane.shape == shape else cv2.resize(plane, shape[::-1], interpolation=cv2.INTER_NEAREST)
