"""The learned head: a small convolutional network that tells foreground, and cast shadow, from what differs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from io import BytesIO
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.kernels import cell_features
from core.kernels import head as kernel
from core.runtime import bands
from core.scene.masks.cells import Cells, Map
from core.scene.masks.statistics import CellStatistics
from core.scene.tuning import DIFFERS, NOISE
from core.state_schema import ArraySpec, MisfitError, StateSchema

REACHES = (1, 2, 4, 8)
"""Dilation of each layer, cells."""

FEWEST = 3
"""So many cells of a block must differ for the head to look at it, and at those around it: the head was trained with
that. With 2, `foliage` gains 0.003 of F and `ibmtest2` loses 0.002; with 4, `foliage` loses 0.008."""

FEATURES = 1
"""Which features the kernels compute: it counts up whenever one changes, as weights fit no others."""

BLOCK_VALUES = 400
"""A block of the head costs about as much time as so many samples cost elsewhere: by them it is judged whether bands
pay."""

LINE = 64
"""Of a cache, bytes: as many as the activations of a cell."""

NOTHING = np.float32(-12)
"""Logit where the head did not look."""


_N, _LAYERS = cell_features.N, len(REACHES)

SCHEMA = StateSchema({
    name: ArraySpec(np.float32, shape)
    for name, shape in {
        "enter": (_N, _N), "enter_bias": (_N,), "spread": (_LAYERS, _N, 9), "mix": (_LAYERS, _N, _N),
        "mix_bias": (_LAYERS, _N), "leave": (2, _N), "leave_bias": (2,), "experience": (_N + 1, _N + 1),
    }.items()
})  # fmt: skip
"""Of the arrays of `Weights`, by whose sizes the kernels go without a look, and of `experience`."""


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


def shipped() -> Weights:
    """Return the weights that come with the program.

    Raises
    ------
    CleanplateError
        Their file is damaged.
    """
    return _file()[0]


def experience() -> NDArray[np.float64]:
    """Return what holds the last layer to these weights, (N + 1, N + 1); see `core.training.experience`.

    Raises
    ------
    CleanplateError
        Their file is damaged.
    """
    return _file()[1]


@cache
def _file() -> tuple[Weights, NDArray[np.float64]]:
    try:
        data = resources.files("resources").joinpath("head.npz").read_bytes()
        with np.load(BytesIO(data)) as file:
            arrays = {name: file[name] for name in SCHEMA.arrays}
        SCHEMA.check(arrays)
    except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
        reason = f": {error}" if isinstance(error, MisfitError) else ""
        raise CleanplateError(f"resources/head.npz is damaged{reason}; install the program again.") from error
    return Weights.of(arrays), arrays["experience"].astype(np.float64)


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
        return _at_cells(self.active, self.foreground.shape).astype(np.bool_)


@dataclass(frozen=True)
class Evidence:
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


def _aligned(rows: int, columns: int) -> Map:
    """Return a map (rows, columns, N) of zeros, each cell a line of a cache: those across two cost a tenth more."""
    n, line = rows * columns * cell_features.N, LINE // 4
    room = np.zeros(n + line, np.float32)
    first = -(room.ctypes.data // 4) % line
    return room[first : first + n].reshape(rows, columns, cell_features.N)


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
        rows, columns = (n * cell_features.BLOCK + 2 * kernel.PAD for n in self._blocks)
        self._maps = [_aligned(rows, columns) for _ in range(2)]
        self._filled = np.zeros(self._blocks, np.uint8)

    def active(self, cells: Cells, variance: Map) -> NDArray[np.uint8]:
        """Return the blocks (r, c) in which something differs, and those around them: 1, else 0."""
        found = np.empty(self._blocks, np.uint8)
        cell_features.find_active(cells.square, variance, DIFFERS, NOISE**2, FEWEST, found)
        return found

    def evidence(self, cells: Cells, before: Map, known: CellStatistics) -> Evidence:
        """Return what `judge` goes by, for as many cells as it looks at; parameters as there."""
        blocks = self.active(cells, known.variance)
        features = np.zeros((cell_features.N, *self._shape), np.float32)
        cell_features.write_all(
            blocks, cells.shown, cells.expected, before, cells.peak, cells.square[0], known.variance, known.usual,
            known.unrest, known.cover, features,
        )  # fmt: skip
        return Evidence(features, _at_cells(blocks, self._shape))

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
        (height, width), rows, (x, y) = self._shape, self._blocks[0], self._maps
        logit, shadow = np.empty(self._shape, np.float32), np.empty(self._shape, np.float32)
        seen = (
            cells.shown, cells.expected, before, cells.peak, cells.square[0], known.variance, known.usual,
            known.unrest, known.cover,
        )  # fmt: skip
        n = int(np.count_nonzero(active)) * BLOCK_VALUES
        if n <= bands.SHORT:
            kernel.judge(
                active, *seen, weights.enter, weights.enter_bias, REACHES, weights.spread, weights.mix,
                weights.mix_bias, weights.leave, weights.leave_bias, self._filled, x, y, logit, shadow, NOTHING,
            )  # fmt: skip
        else:
            bands.run_rows(
                kernel.enter_band, rows, n, active, *seen, weights.enter, weights.enter_bias, self._filled, x, y
            )
            for k, reach in enumerate(REACHES):
                learnt = (reach, weights.spread[k], weights.mix[k], weights.mix_bias[k])
                if k < len(REACHES) - 1:
                    bands.run_rows(kernel.layer_band, rows, n, active, height, width, *learnt, x, y)
                else:
                    bands.run_rows(
                        kernel.leave_band, rows, n, active, *learnt, weights.leave, weights.leave_bias, x, y, logit,
                        shadow, NOTHING,
                    )  # fmt: skip
                x, y = y, x
        inner = self._maps[0][kernel.PAD : kernel.PAD + height, kernel.PAD : kernel.PAD + width].transpose(2, 0, 1)
        return Verdict(logit, shadow, active, inner)
