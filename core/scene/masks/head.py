"""The learned head: a small convolutional network that tells foreground, and cast shadow, from what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.kernels import cell_features
from core.kernels import head as kernel
from core.kernels.likeness import teach_band
from core.runtime import bands
from core.scene.masks.cells import Cells, Map
from core.scene.masks.head_bands import BandRooms, bands_of
from core.scene.masks.head_weights import REACHES, Weights
from core.scene.masks.look_alikes import LookAlikes
from core.scene.masks.statistics import CellStatistics
from core.scene.tuning import DIFFERS, NOISE

FEWEST = 3
"""So many cells of a block must differ for the head to look at it, and at those around it: the head was trained with
that. With 2, `foliage` gains 0.003 of F and `ibmtest2` loses 0.002; with 4, `foliage` loses 0.008."""

BLOCK_VALUES = 1400
"""A block of the head costs about as much time as so many samples cost elsewhere: by them it is judged whether bands
pay."""

NOTHING = np.float32(-12)
"""Logit where the head did not look."""


@dataclass(frozen=True)
class Verdict:
    """What the head says of one frame.

    Attributes
    ----------
    foreground, shadow : (h, w) float32
        Logits of each cell.
    untaught : (h, w) float32
        That of foreground without what strokes taught.
    active : (r, c) uint8
        Blocks that it looked at.
    last_layer : sequence of (n, w, N) float32
        Activations of the last layer, in bands of rows of cells; views that hold until the head judges the next frame.
    """

    foreground: Map
    shadow: Map
    untaught: Map
    active: NDArray[np.uint8]
    last_layer: Sequence[Map]

    def activations_at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Map:
        """Return a copy of the activations (n, N) of some cells; to be asked before the next frame is judged."""
        out, first = np.empty((len(rows), self.last_layer[0].shape[2]), np.float32), 0
        for band in self.last_layer:
            here = (first <= rows) & (rows < first + len(band))
            out[here] = band[rows[here] - first, columns[here]]
            first += len(band)
        return out

    @property
    def looked_at(self) -> NDArray[np.bool_]:
        """Cells (h, w) that it looked at."""
        return _at_cells(self.active, self.foreground.shape).astype(np.bool_)


@dataclass(frozen=True)
class HeadEvidence:
    """What the head goes by in one frame: what it is trained on.

    Attributes
    ----------
    features : (N, h, w) float32
        See `core.kernels.cell_features.write_features`; 0 where the head does not look.
    active : (h, w) uint8
        1 for cells of the blocks that it looks at, else 0.
    """

    features: Map
    active: NDArray[np.uint8]


def _at_cells(blocks: NDArray[np.uint8], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return a map of blocks (r, c) as one of the cells (h, w) in them; ``shape`` is theirs."""
    height, width = shape
    return blocks.repeat(cell_features.BLOCK, axis=0).repeat(cell_features.BLOCK, axis=1)[:height, :width]


def _maps(cells: Cells, before: Map, known: CellStatistics) -> cell_features.CellMaps:
    """Return what features are made of: of the differences, those in luma."""
    return cell_features.CellMaps(
        cells.shown, cells.expected, before, cells.peak, cells.square[0], known.variance, known.usual, known.unrest,
        known.cover,
    )  # fmt: skip


class Head:
    """Runs the network over the cells of frames of one size.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns of cells.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        height, width = shape
        self._shape = shape
        self._blocks = (-(-height // cell_features.BLOCK), -(-width // cell_features.BLOCK))
        self._rooms = BandRooms(self._blocks)

    def active(self, cells: Cells, variance: Map) -> NDArray[np.uint8]:
        """Return the blocks (r, c) in which something differs, and those around them: 1, else 0."""
        found = np.empty(self._blocks, np.uint8)
        cell_features.find_active(cells.square, variance, DIFFERS, NOISE**2, FEWEST, found)
        return found

    def evidence(
        self, cells: Cells, before: Map, known: CellStatistics, blocks: NDArray[np.uint8] | None = None
    ) -> HeadEvidence:
        """Return what `judge` goes by, for as many cells as it looks at, or in these blocks; parameters as there."""
        blocks = self.active(cells, known.variance) if blocks is None else blocks
        features = np.zeros((cell_features.N, *self._shape), np.float32)
        cell_features.write_all(blocks, _maps(cells, before, known), features)
        return HeadEvidence(features, _at_cells(blocks, self._shape))

    def judge(self, weights: Weights, cells: Cells, before: Map, known: CellStatistics) -> Verdict:
        """Return what the cells of a frame show.

        Parameters
        ----------
        weights : Weights
        cells : Cells
        before : (h, w) float32
            Luma of the frame before, grey levels.
        known : CellStatistics
        """
        active = self.active(cells, known.variance)
        logit, shadow = np.empty(self._shape, np.float32), np.empty(self._shape, np.float32)
        maps = _maps(cells, before, known)
        n = int(np.count_nonzero(active)) * BLOCK_VALUES
        cut = bands_of(active, bands.at_once(n))
        self._rooms.divide(len(cut))
        tasks, last_layer = [], []
        for k, (start, stop) in enumerate(cut):
            filled, x, out = self._rooms.of_band(k)
            tasks.append(partial(
                kernel.judge_band, start, stop, active, maps, weights, REACHES, NOTHING, filled, x, out, logit,
                shadow,
            ))  # fmt: skip
            last_layer.append(self._inner(x, start, stop))
        bands.all_of(tasks, n)
        return Verdict(logit, shadow, logit, active, last_layer)

    def teach(self, taught: LookAlikes, verdict: Verdict, cells: Cells, before: Map, known: CellStatistics) -> Verdict:
        """Return the verdict on a frame with what strokes taught; the head judged that frame last, as in `judge`."""
        logit, maps, first, tasks = verdict.untaught.copy(), _maps(cells, before, known), 0, []
        for band in verdict.last_layer:
            stop = first + -(-len(band) // cell_features.BLOCK)
            tasks.append(partial(
                teach_band, first, stop, verdict.active, maps, band, taught.unit, taught.centres, taught.halves,
                taught.weights, logit,
            ))  # fmt: skip
            first = stop
        bands.all_of(tasks, int(np.count_nonzero(verdict.active)) * BLOCK_VALUES)
        return replace(verdict, foreground=logit)

    def _inner(self, x: Map, start: int, stop: int) -> Map:
        """Return the cells of a map that lie in a band of rows of blocks, without what pads it."""
        (height, width), block = self._shape, cell_features.BLOCK
        return x[kernel.PAD + start * block : kernel.PAD + min(stop * block, height), kernel.PAD : kernel.PAD + width]
