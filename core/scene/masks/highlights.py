"""Highlights that are cut off: where the background is at full light, darker frames may show more than was expected.

A lamp, the sky or a white line is brighter than a camera can show, by nobody knows how much. Where the exposure falls,
all else gets darker by a factor, as a background in the light of the frame is; such a place stays at full light, or
falls by less. So what is seen there, between the background in this light and full light, is the background.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values
from core.frames.moved import moved
from core.kernels import highlights
from core.scene.masks.cells import CellGrid, Cells, Map
from core.scene.tuning import DIFFERS, LIKENESS, MEMORY
from core.state_schema import ArraySpec, Range, StateSchema

LEVELS = Range(-1e6, 1e6)
"""Luma of cells above no light, grey levels; 16-bit input that uses little of its range has more than 255 of them."""


class Highlights:
    """What is known of how bright the background of the cells of one grid usually is.

    Parameters
    ----------
    layout : Layout
    grid : CellGrid
    """

    def __init__(self, layout: Layout, grid: CellGrid) -> None:
        self._layout = layout
        self._grid = grid
        self._usual: Map = np.zeros(grid.shape, np.float32)
        self._nothing = np.zeros(grid.shape, np.uint8)

    def lifted(self, cells: Cells, values: Values, background: Values, variance: Map) -> Cells:
        """Return the cells of a frame, measured against a background that is brighter where it may be; or the same.

        In a frame with less light than is usual, the background is as bright as the frame, where that is brighter, in
        cells that are usually at full light and lie below it now, and in those next to them, which show some of the
        same.

        Parameters
        ----------
        cells : Cells
            Of the frame and the background.
        values, background : (F,) samples
        variance : (h, w) float32
            Square of the noise scale of luma, grey levels².
        """
        usual, full, share = self._usual, self._grid.full_light, np.float32(1 - LIKENESS)
        if not highlights.is_darker(usual, cells.expected[0], full, share):
            return cells
        found = np.empty(self._grid.shape, np.uint8)
        n = highlights.find_beyond(
            usual, cells.shown[0], cells.expected[0], cells.square[0], variance, full, DIFFERS**2, found
        )
        if n:
            area = np.asarray(cv2.dilate(found, np.ones((3, 3), np.uint8)), np.uint8)
            cells = self._grid.measure(values, self._as_bright(values, background, area))
        return replace(cells, is_darker=True)

    def _as_bright(self, values: Values, background: Values, area: NDArray[np.uint8]) -> Values:
        layout, out = self._layout, background.copy()
        for index, (height, width) in enumerate(layout.shapes):
            side = self._grid.side // layout.step(index)
            where = area.repeat(side, axis=0).repeat(side, axis=1)[:height, :width] > 0
            now, then = layout.plane(values, index), layout.plane(out, index)
            then[where] = now[where] if layout.is_signed(index) else np.maximum(now[where], then[where])
        return out

    def learn(self, cells: Cells, differs: NDArray[np.uint8], unseen: NDArray[np.uint8] | None) -> None:
        """Learn from a frame where it neither differs nor is unseen, (h, w) not 0; nothing from one with less light."""
        if not cells.is_darker:
            unseen = self._nothing if unseen is None else unseen
            highlights.learn_usual_light(cells.shown[0], differs, unseen, np.float32(1 / MEMORY), self._usual)

    def forget(self, where: NDArray[np.uint8] | None = None) -> None:
        """Forget what is usual in cells (h, w) that are not 0, whose background is another now; or in all."""
        if where is None:
            self._usual[:] = 0
        else:
            self._usual[where > 0] = 0

    def move(self, down: int, right: int) -> None:
        """Go on so many pixels lower and further right, to the nearest cell; the border is repeated."""
        self._usual = moved(self._usual, -round(down / self._grid.side), -round(right / self._grid.side))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        return {"usual_light": self._usual.copy()}

    @staticmethod
    def schema(grid: CellGrid) -> StateSchema:
        """Return what `state` gives of a grid."""
        return StateSchema({"usual_light": ArraySpec(np.float32, grid.shape, (LEVELS,))})

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from a state; that of cells of another size changes nothing."""
        usual = state.get("usual_light")
        if usual is not None and usual.shape == self._usual.shape:
            self._usual = np.array(usual, np.float32)
