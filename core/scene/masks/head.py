"""The learned head: a small convolutional network that tells foreground, and cast shadow, from what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.kernels import cell_features
from core.kernels import head as kernel
from core.kernels.likeness import teach_band
from core.runtime import bands
from core.scene.masks.cells import Cells, Map
from core.scene.masks.look_alikes import LookAlikes
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

BLOCK_VALUES = 1400
"""A block of the head costs about as much time as so many samples cost elsewhere: by them it is judged whether bands
pay."""

BEYOND = -(-sum(REACHES) // cell_features.BLOCK)
"""Rows of blocks on both sides of a band of which its values depend: there layers are worked out a second time."""

BAND_ROWS = 3 * BEYOND
"""A band has so many rows of blocks at least in which the head looks, so that most of its work is its own."""

LINE = 64
"""Of a cache, bytes: as many as the activations of a cell."""

NOTHING = np.float32(-12)
"""Logit where the head did not look."""


_N, _LAYERS = cell_features.N, len(REACHES)

SCHEMA = StateSchema({
    name: ArraySpec(np.float32, shape)
    for name, shape in {
        "enter": (_N, _N), "enter_bias": (_N,), "spread": (_LAYERS, _N, 9), "mix": (_LAYERS, _N, _N),
        "mix_bias": (_LAYERS, _N), "leave": (2, _N), "leave_bias": (2,),
    }.items()
})  # fmt: skip
"""Of the arrays of `Weights`, by whose sizes the kernels go without a look."""


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
    return _file()


@cache
def _file() -> Weights:
    try:
        return _read(resources.files("resources").joinpath("head.npz"))
    except UNREADABLE as error:
        raise CleanplateError(f"resources/head.npz is damaged{_reason(error)}; install the program again.") from error


def load_weights(path: Path) -> Weights:
    """Return the weights of a file.

    Raises
    ------
    CleanplateError
        It cannot be read, or holds none.
    """
    try:
        return _read(path)
    except UNREADABLE as error:
        raise CleanplateError(f"{path.name} holds no weights of the head{_reason(error)}.") from error


UNREADABLE = (OSError, KeyError, ValueError, EOFError, BadZipFile)


def _read(path: Traversable) -> Weights:
    with np.load(BytesIO(path.read_bytes())) as file:
        arrays = {name: file[name] for name in SCHEMA.arrays}
    SCHEMA.check(arrays)
    return Weights.of(arrays)


def _reason(error: Exception) -> str:
    return f": {error}" if isinstance(error, MisfitError) else ""


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


class _Rooms:
    """What bands of the head work in: two maps in which they lie below each other, each with what is `BEYOND` it.

    Bands differ from frame to frame: what one left is found again by the next that comes to lie there.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns of blocks of a frame.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._shape = shape
        self._n_bands = 0
        self._x = self._out = np.empty((0, 0, 0), np.float32)
        self._filled = np.empty((0, 0), np.uint8)

    def divide(self, n_bands: int) -> None:
        """Make place for so many bands."""
        if n_bands == self._n_bands:
            return
        self._n_bands, (n_rows, n_columns) = n_bands, self._shape
        last = 2 * BEYOND * (n_bands - 1)
        if last + n_rows > len(self._filled):
            rows, columns = (n * cell_features.BLOCK + 2 * kernel.PAD for n in (last + n_rows, n_columns))
            del self._x, self._out  # Not the old ones and the new at once.
            self._x, self._out = _aligned(rows, columns), _aligned(rows, columns)
            self._filled = np.zeros((last + n_rows, n_columns), np.uint8)
            return
        # Below the frame all has to be 0, from the last row of blocks on, which may be cut.
        bottom = last + n_rows - 1
        for x in (self._x, self._out):
            x[bottom * cell_features.BLOCK + kernel.PAD :][: cell_features.BLOCK + kernel.PAD] = 0

    def of_band(self, k: int) -> tuple[NDArray[np.uint8], Map, Map]:
        """Return where band ``k`` finds the whole frame.

        Returns
        -------
        filled : (r, c) uint8
            In which blocks the maps are not 0.
        x, out : (BLOCK r + 2 PAD, BLOCK c + 2 PAD, N) float32
            It works in its own rows and those `BEYOND`; all others are of other bands.
        """
        first, rows = 2 * BEYOND * k, self._shape[0]
        cells = slice(first * cell_features.BLOCK, (first + rows) * cell_features.BLOCK + 2 * kernel.PAD)
        return self._filled[first : first + rows], self._x[cells], self._out[cells]


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
        self._rooms = _Rooms(self._blocks)

    def active(self, cells: Cells, variance: Map) -> NDArray[np.uint8]:
        """Return the blocks (r, c) in which something differs, and those around them: 1, else 0."""
        found = np.empty(self._blocks, np.uint8)
        cell_features.find_active(cells.square, variance, DIFFERS, NOISE**2, FEWEST, found)
        return found

    def evidence(
        self, cells: Cells, before: Map, known: CellStatistics, blocks: NDArray[np.uint8] | None = None
    ) -> Evidence:
        """Return what `judge` goes by, for as many cells as it looks at, or in these blocks; parameters as there."""
        blocks = self.active(cells, known.variance) if blocks is None else blocks
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
        logit, shadow = np.empty(self._shape, np.float32), np.empty(self._shape, np.float32)
        n = int(np.count_nonzero(active)) * BLOCK_VALUES
        cut = _bands(active, n)
        self._rooms.divide(len(cut))
        tasks, last_layer = [], []
        for k, (start, stop) in enumerate(cut):
            filled, x, out = self._rooms.of_band(k)
            tasks.append(partial(
                kernel.judge_band, start, stop, active, cells.shown, cells.expected, before, cells.peak,
                cells.square[0], known.variance, known.usual, known.unrest, known.cover, weights.enter,
                weights.enter_bias, REACHES, weights.spread, weights.mix, weights.mix_bias, weights.leave,
                weights.leave_bias, filled, x, out, logit, shadow, NOTHING,
            ))  # fmt: skip
            last_layer.append(self._inner(x, start, stop))
        bands.all_of(tasks, n)
        return Verdict(logit, shadow, logit, active, last_layer)

    def teach(self, taught: LookAlikes, verdict: Verdict, cells: Cells, before: Map, known: CellStatistics) -> Verdict:
        """Return the verdict on a frame with what strokes taught; the head judged that frame last, as in `judge`."""
        logit, first, tasks = verdict.untaught.copy(), 0, []
        for band in verdict.last_layer:
            stop = first + -(-len(band) // cell_features.BLOCK)
            tasks.append(partial(
                teach_band, first, stop, verdict.active, cells.shown, cells.expected, before, cells.peak,
                cells.square[0], known.variance, known.usual, known.unrest, known.cover, band, taught.unit,
                taught.centres, taught.halves, taught.weights, logit,
            ))  # fmt: skip
            first = stop
        bands.all_of(tasks, int(np.count_nonzero(verdict.active)) * BLOCK_VALUES)
        return replace(verdict, foreground=logit)

    def _inner(self, x: Map, start: int, stop: int) -> Map:
        """Return the cells of a map that lie in a band of rows of blocks, without what pads it."""
        (height, width), block = self._shape, cell_features.BLOCK
        return x[kernel.PAD + start * block : kernel.PAD + min(stop * block, height), kernel.PAD : kernel.PAD + width]


def _bands(active: NDArray[np.uint8], n_values: int) -> list[tuple[int, int]]:
    """Return bands of rows of blocks (r, c), as many at most as are done at once, with about as many active ones each.

    Each has `BAND_ROWS` with active blocks at least, or there is one band.
    """
    most, edges = bands.at_once(n_values), [0]
    if most > 1:  # The time of small frames is short.
        of_rows = np.count_nonzero(active, axis=1)
        most = min(most, int(np.count_nonzero(of_rows)) // BAND_ROWS)
        done, rows_done = np.cumsum(of_rows), np.cumsum(of_rows > 0)
        before = 0
        for k in range(1, most):
            edge = int(np.searchsorted(done, done[-1] * k / most)) + 1
            now = int(rows_done[edge - 1])
            if min(now - before, int(rows_done[-1]) - now) >= BAND_ROWS:
                edges.append(edge)
                before = now
    return list(pairwise([*edges, len(active)]))
