"""The learned head: a small convolutional network that tells foreground, and cast shadow, from what differs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from core.kernels import head as kernel
from core.runtime import bands
from core.scene.masks.cells import Cells, Map
from core.scene.masks.statistics import CellStatistics

REACHES = (1, 2, 4, 8)
"""Dilation of each layer, cells."""

DIFFERS = np.float32(3.5)
"""A cell differs where the root of its mean square exceeds so many noise scales."""

FEWEST = 2
"""So many cells of a block must differ for the head to look at it, and at those around it."""

FEATURES = 1
"""Which features the kernels compute: it counts up whenever one changes, as weights fit no others."""

NOTHING = np.float32(-12)
"""Logit where the head did not look."""


@dataclass(frozen=True)
class Weights:
    """What was learnt.

    Attributes
    ----------
    enter, enter_bias : (N, N) and (N,) float32
    spread : (4, N, 9) float32
    mix, mix_bias : (4, N, N) and (4, N) float32
    leave, leave_bias : (2, N) and (2,) float32
        Of foreground and of cast shadow.
    """

    enter: Map
    enter_bias: Map
    spread: Map
    mix: Map
    mix_bias: Map
    leave: Map
    leave_bias: Map

    @staticmethod
    def of(arrays: dict[str, NDArray[np.generic]]) -> Weights:
        """Return the weights that arrays by these names hold."""
        names = ("enter", "enter_bias", "spread", "mix", "mix_bias", "leave", "leave_bias")
        return Weights(*(np.ascontiguousarray(arrays[name], np.float32) for name in names))


@cache
def shipped() -> Weights:
    """Return the weights that come with the program."""
    data = resources.files("resources").joinpath("head.npz").read_bytes()
    with np.load(BytesIO(data)) as arrays:
        return Weights.of(dict(arrays))


@dataclass(frozen=True)
class Verdict:
    """What the head says of one frame.

    Attributes
    ----------
    foreground, shadow : (h, w) float32
        Logits of each cell.
    active : (r, c) uint8
        Blocks that it looked at.
    activations : (N, h, w) float32
        Of the last layer; a view that holds until the head judges the next frame.
    """

    foreground: Map
    shadow: Map
    active: NDArray[np.uint8]
    activations: Map

    @property
    def looked_at(self) -> NDArray[np.bool_]:
        """Cells (h, w) that it looked at."""
        height, width = self.foreground.shape
        wide = self.active.repeat(kernel.BLOCK, axis=0).repeat(kernel.BLOCK, axis=1)
        return wide[:height, :width].astype(np.bool_)


@dataclass(frozen=True)
class Evidence:
    """What the head goes by in one frame: what it is trained on.

    Attributes
    ----------
    features : (N, h, w) float32
        See `core.kernels.head.features_row`; 0 where the head does not look.
    active : (h, w) uint8
        1 for cells of the blocks that it looks at, else 0.
    """

    features: Map
    active: NDArray[np.uint8]


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
        self._blocks = (-(-height // kernel.BLOCK), -(-width // kernel.BLOCK))
        rows, columns = (n * kernel.BLOCK + 2 * kernel.PAD for n in self._blocks)
        self._maps = [np.zeros((rows, kernel.N, columns), np.float32) for _ in range(2)]
        self._filled = np.zeros(self._blocks, np.uint8)

    def active(self, cells: Cells, variance: Map) -> NDArray[np.uint8]:
        """Return the blocks (r, c) in which something differs, and those around them: 1, else 0."""
        found = np.zeros((self._blocks[0] + 2, self._blocks[1] + 2), np.uint8)
        inside = found[1:-1, 1:-1]
        for square, noise in zip(cells.square, variance, strict=True):
            kernel.find_active(square, noise, DIFFERS, FEWEST, inside)
        rows = found[:-2] | found[1:-1] | found[2:]
        wide: NDArray[np.uint8] = ((rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]) > 0).view(np.uint8)
        return wide

    def evidence(self, cells: Cells, before: Map, known: CellStatistics) -> Evidence:
        """Return what `judge` goes by, for as many cells as it looks at; parameters as there."""
        (height, width), side = self._shape, kernel.BLOCK
        active = np.kron(self.active(cells, known.variance), np.ones((side, side), np.uint8))[:height, :width]
        features = np.zeros((kernel.N, height, width), np.float32)
        sums, row = np.empty((5, width + 4), np.float32), np.empty((kernel.N, width), np.float32)
        for i in np.flatnonzero(active.any(1)).tolist():
            kernel.features_row(
                i, 0, width, cells.shown, cells.expected, before, cells.peak[0], cells.square[0], known.variance,
                known.usual, known.unrest, known.cover, sums, row,
            )  # fmt: skip
            features[:, i] = row * active[i]
        return Evidence(features, active)

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
        active, n = self.active(cells, known.variance), 8 * cells.peak[0].size
        rows, (x, y) = self._blocks[0], self._maps
        bands.run_rows(
            kernel.enter_band, rows, n, active, cells.shown, cells.expected, before, cells.peak[0], cells.square[0],
            known.variance, known.usual, known.unrest, known.cover, weights.enter, weights.enter_bias,
            self._filled, x, y,
        )  # fmt: skip
        for k, reach in enumerate(REACHES):
            bands.run_rows(
                kernel.layer_band, rows, n, active, *self._shape, reach, weights.spread[k], weights.mix[k],
                weights.mix_bias[k], x, y,
            )  # fmt: skip
            x, y = y, x
        logit, shadow = np.empty(self._shape, np.float32), np.empty(self._shape, np.float32)
        bands.run_rows(kernel.leave_band, rows, n, active, weights.leave, weights.leave_bias, x, logit, shadow, NOTHING)
        height, width = self._shape
        inner = x[kernel.PAD : kernel.PAD + height, :, kernel.PAD : kernel.PAD + width].transpose(1, 0, 2)
        return Verdict(logit, shadow, active, inner)
