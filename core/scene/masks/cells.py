"""Small squares of pixels: the grid on which it is decided what is foreground."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Plane
from core.frames.frame import Layout, Planes, Values
from core.kernels import cells, colour
from core.runtime import bands
from core.scene.tuning import LIKENESS

MOST_ROWS = 288
"""Frames have at most so many rows of cells: a head that was trained on small frames knows things of that size."""

COST = 8
"""What is learnt of a cell costs about as much time as so many samples cost elsewhere: by them it is judged whether
bands pay."""

Map = NDArray[np.float32]

Item = TypeVar("Item", np.uint8, np.uint16, np.float32)


@dataclass(frozen=True)
class Cells:
    """What the cells of one frame show, and by how much that leaves the background.

    It has one plane for luma, and two for chroma where there is any.

    Attributes
    ----------
    shown, expected : (P, h, w) float32
        Means of the frame and of the background, grey levels; chroma is neutral at 0.
    peak : (h, w) float32
        Largest difference of luma, grey levels; see `core.kernels.cells.measure_band`.
    square : (P, h, w) float32
        Mean square of the difference, grey levels².
    luma : (Plane, Plane)
        Luma (H, W) of the frame and of the background, samples.
    side : int
        Rows and columns of pixels of a cell; the last ones may have fewer.
    is_darker : bool
        The background has less light than is usual (`core.scene.masks.highlights`).
    """

    shown: Map
    expected: Map
    peak: Map
    square: Map
    luma: tuple[Plane, Plane]
    side: int
    is_darker: bool = False


def at_pixels(of_cells: NDArray[Item], side: int, height: int, width: int) -> NDArray[Item]:
    """Return for each pixel (H, W) of a frame what its cell has in a map (h, w), whose cells have ``side`` pixels."""
    size = (of_cells.shape[1] * side, of_cells.shape[0] * side)
    whole = cv2.resize(of_cells, size, interpolation=cv2.INTER_NEAREST)
    return np.ascontiguousarray(whole[:height, :width], of_cells.dtype)


def cell_side(height: int) -> int:
    """Return rows and columns of pixels of a cell of frames so high: even, as cells hold whole samples of chroma."""
    return 2 * -(-height // (2 * MOST_ROWS))


def side_of(layout: Layout, asked: int | None) -> int:
    """Return rows and columns of pixels of a cell of frames of a layout, as asked for; None: as is usual for them.

    Colours have even ones alone, and where an odd one is asked for that is larger by one.
    """
    if asked is None:
        return cell_side(layout.height)
    return asked if layout.planes is Planes.GREY else 2 * -(-asked // 2)


class CellGrid:
    """Takes frames of one layout to cells.

    Parameters
    ----------
    layout : Layout
    asked_side : int, optional
        See `side_of`.

    Attributes
    ----------
    side : int
        Rows and columns of pixels of a cell.
    shape : (int, int)
        Rows and columns of cells.
    unit : float32
        Grey levels to a sample.
    full_light : float32
        Grey levels from which on light may be cut off.
    """

    def __init__(self, layout: Layout, asked_side: int | None = None) -> None:
        self._layout = layout
        self.side = side_of(layout, asked_side)
        self.shape = (-(-layout.height // self.side), -(-layout.width // self.side))
        self.unit = np.float32(255 / layout.contrast)
        self.full_light = np.float32(self.unit * (layout.black + layout.luma_span - layout.dark) - 255 * LIKENESS)
        has_colour = layout.planes is not Planes.GREY
        self._measured = replace(layout, planes=Planes.YCC420) if has_colour else layout

    def measure(self, frame: Values, background: Values) -> Cells:
        """Return the cells of a frame and its background (F,)."""
        now, known = self._planes(frame), self._planes(background)
        shown, expected, square = (np.empty((len(now), *self.shape), np.float32) for _ in range(3))
        peak, unwanted = np.empty(self.shape, np.float32), np.empty((0, 0), np.float32)
        tasks: list[bands.Task] = []
        for index, (seen, base) in enumerate(zip(now, known, strict=True)):
            side = self.side // 2 if index else self.side
            zero = np.float32(self._measured.zero(index))
            tasks += bands.rows(
                cells.measure_band, self.shape[0], frame.size, seen, base, side, zero, self.unit,
                shown[index], expected[index], unwanted if index else peak, square[index],
            )  # fmt: skip
        bands.all_of(tasks, frame.size)
        return Cells(shown, expected, peak, square, (now[0], known[0]), self.side)

    def at_pixels(self, of_cells: NDArray[Item]) -> NDArray[Item]:
        """Return for each pixel (H, W) of a frame what its cell has in a map (h, w)."""
        return at_pixels(of_cells, self.side, self._layout.height, self._layout.width)

    def means(self, of_pixels: Map) -> Map:
        """Return the mean (h, w) of each cell's pixels in a map (H, W)."""
        (rows, columns), side, (height, width) = self.shape, self.side, of_pixels.shape
        padded = np.zeros((rows * side, columns * side), np.float32)
        padded[:height, :width] = of_pixels
        means = np.asarray(cv2.resize(padded, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
        means[-1] *= side / (height - (rows - 1) * side)  # The edge cuts these cells.
        means[:, -1] *= side / (width - (columns - 1) * side)
        return means

    def mostly(self, where: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the cells (h, w) half of whose pixels, or more, are in a map (H, W)."""
        height, width = self.shape
        padded = np.zeros((height * self.side, width * self.side), np.bool_)
        padded[: where.shape[0], : where.shape[1]] = where
        n = padded.reshape(height, self.side, width, self.side).sum(axis=(1, 3))
        most: NDArray[np.bool_] = 2 * n >= self.side**2
        return most

    def _planes(self, values: Values) -> list[Plane]:
        """Return luma (H, W) and half-size chroma; grey has luma only."""
        planes = [self._layout.plane(values, i) for i in range(len(self._layout.shapes))]
        if self._layout.planes is not Planes.RGB:
            return planes
        out: list[Plane] = [np.empty(shape, self._layout.dtype) for shape in self._measured.shapes]
        neutral = np.float32(self._layout.neutral)
        bands.run_rows(colour.opponent_band, self._measured.shapes[1][0], values.size, *planes, neutral, *out)
        return out
