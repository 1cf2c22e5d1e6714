"""What is learnt of each cell over time: its noise about the background, its unrest, how often it is covered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.moved import moved
from core.kernels import noise, ranks
from core.runtime import bands
from core.scene.masks.cells import COST, CellGrid, Cells, Map
from core.scene.stillest_samples import HIDDEN
from core.scene.tuning import DIFFERS, MEMORY, NOISE
from core.state_schema import ArraySpec, Range, StateSchema

LEVELS = Range(0, 1e6)
"""Differences of grey levels; 16-bit input that uses little of its range has more than 255 of them."""

FASTEST = 8
"""In the beginning noise is measured over this many frames at least: a single one may be full of people.

With 12, `foliage` loses 0.012 of F, as its leaves are learnt more slowly; with 4, `ibmtest2` loses 0.004, and with 1
0.014.
"""

CLIP = np.float32(4)
"""Squares count as this many variances at most: what passes does not inflate the noise.

With 3, `ibmtest2` loses 0.003 of F and `highway1` 0.001; with 5, `foliage` loses 0.006, and with 9 0.027.
"""

SOME = 3
"""What noise is typical is known from every third row and column of cells."""

LEAST_VARIANCE = np.float32(1)
"""Rounding: no variance is less, grey levels². With 0.25 and 2 no sequence changes by over 0.0003 of F."""


class CellStatistics:
    """Noise, unrest and cover of the cells of one grid.

    Parameters
    ----------
    grid : CellGrid

    Attributes
    ----------
    variance : (3, h, w) float32
        Square of the noise scale of luma and chroma, grey levels²; that of chroma is not learnt where there is none.
    usual : (h, w) float32
        By how much a cell differs from the background on average, whatever it shows, grey levels.
    unrest : (h, w) float32
        By how much its luma changes from frame to frame on average, grey levels.
    cover : (h, w) float32
        Share of frames in which foreground covers it.
    deviation : (h, w) float32, or None
        By how much its pixels leave the plate that the background was begun with, shifts by a pixel included, grey
        levels; None where there is none of the scene. No part of the state: it goes with the frames that the plate was
        made of.
    """

    def __init__(self, grid: CellGrid) -> None:
        self._grid = grid
        self.variance: Map = np.empty((3, *grid.shape), np.float32)
        self.usual: Map = np.full(grid.shape, NOISE, np.float32)
        self.unrest: Map = np.zeros(grid.shape, np.float32)
        self.cover: Map = np.zeros(grid.shape, np.float32)
        self.deviation: Map | None = None
        self._nothing = np.zeros(grid.shape, np.uint8)
        self._typical: float | None = None
        self.variance[:] = NOISE**2
        self._n = 0

    @property
    def typical_noise(self) -> float:
        """Median noise scale of luma, grey levels."""
        if self._typical is None:
            self._typical = float(np.sqrt(np.float32(ranks.median_of_grid(self.variance[0], SOME))))
        return self._typical

    @property
    def n_learnt(self) -> int:
        """Frames that were learnt from; `MEMORY` at least after a state was loaded."""
        return self._n

    def begin_noise(self, scale: NDArray[np.float32], sways: NDArray[np.bool_] | None = None) -> None:
        """Go on from a noise scale about a background that is better.

        It is taken for no more than is expected before any is measured. Where the background sways, it is no less than
        what was learnt: leaves would be found as foreground, from which nothing is learnt, for ever. What passes was
        learnt from as well, where it was not found, and is forgotten.

        Parameters
        ----------
        scale : (H, W) float32
            Of luma, samples; for chroma as well.
        sways : (h, w) bool, optional
            Where the background sways, on any grid; unless it is known, wherever foreground hid the scene at times
            only.
        """
        grid = self._grid
        self.deviation = np.maximum(grid.means(scale) * grid.unit, np.sqrt(LEAST_VARIANCE))
        if sways is None:
            keeps = self.cover < HIDDEN
        else:
            keeps = cv2.resize(sways.view(np.uint8), grid.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
        learnt = np.where(keeps, self.variance, 0)
        self.variance[:] = np.maximum(np.minimum(self.deviation, NOISE) ** 2, learnt)
        self._typical = None

    def forget_plate(self) -> None:
        """Go on about a background that was begun with no plate."""
        self.deviation = None

    def learning(
        self, cells: Cells, before: Map, logit: Map, unseen: NDArray[np.uint8] | None
    ) -> tuple[Sequence[bands.Task], NDArray[np.uint8]]:
        """Return what learns from a frame when it is done, by bands of rows, and what it writes.

        Parameters
        ----------
        cells : Cells
        before : (h, w) float32
            Luma of the frame before, grey levels.
        logit : (h, w) float32
            Of what hides the background: foreground and shadow.
        unseen : (h, w) uint8, optional
            Not 0 where the frame shows nothing of the scene.

        Returns
        -------
        tasks : sequence
            For `core.runtime.bands.all_of`, before anything else is asked of this.
        differs : (h, w) uint8
            Written: where the frame differs from what was known before, or is hidden, 255, else 0.
        """
        self._n += 1
        self._typical = None
        slow = np.float32(1 / MEMORY)
        rate = np.float32(1 / min(max(self._n, FASTEST), MEMORY))
        differs = np.empty(logit.shape, np.uint8)
        tasks = bands.rows(
            noise.learn_cells_band, logit.shape[0], COST * logit.size, cells.square, cells.shown[0], before, logit,
            self._nothing if unseen is None else unseen, rate, slow, CLIP, LEAST_VARIANCE, DIFFERS**2, self.variance,
            self.usual, self.unrest, self.cover, differs,
        )  # fmt: skip
        return tasks, differs

    def move(self, down: int, right: int) -> None:
        """Go on so many pixels lower and further right, to the nearest cell; the border is repeated."""
        self._typical = None
        by = -round(down / self._grid.side), -round(right / self._grid.side)
        self.variance = np.stack([moved(plane, *by) for plane in self.variance])
        self.usual, self.unrest, self.cover = (moved(x, *by) for x in (self.usual, self.unrest, self.cover))
        self.deviation = None if self.deviation is None else moved(self.deviation, *by)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        return {
            "variance": self.variance.copy(), "usual": self.usual.copy(), "unrest": self.unrest.copy(),
            "cover": self.cover.copy(),
        }  # fmt: skip

    @staticmethod
    def schema(grid: CellGrid) -> StateSchema:
        """Return what `state` gives of a grid."""
        level, share = (
            ArraySpec(np.float32, grid.shape, (LEVELS,)),
            ArraySpec(np.float32, grid.shape, (Range(0, 1.001),)),
        )
        variance = ArraySpec(np.float32, (3, *grid.shape), (Range(float(LEAST_VARIANCE), LEVELS.high**2),))
        return StateSchema({"variance": variance, "usual": level, "unrest": level, "cover": share})

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> bool:
        """Go on from a state of the same layout, whose bit depth may differ; return whether it is one.

        The state of an earlier version, which has other arrays, changes nothing.
        """
        kept = self.state()
        if any(name not in state or state[name].shape != array.shape for name, array in kept.items()):
            return False
        self.variance, self.usual, self.unrest, self.cover = (np.array(state[x], np.float32) for x in kept)
        self._n = MEMORY
        self._typical = self.deviation = None
        return True
