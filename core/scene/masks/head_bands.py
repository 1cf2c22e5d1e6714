"""How the head's work is shared between cores: bands of rows of blocks, and the memory that each works in."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.kernels.cell_features import BLOCK, N
from core.kernels.head import PAD
from core.scene.masks.cells import Map
from core.scene.masks.head_weights import REACHES

BEYOND = -(-sum(REACHES) // BLOCK)
"""Rows of blocks on both sides of a band of which its values depend: there layers are worked out a second time."""

BAND_ROWS = 3 * BEYOND
"""A band has so many rows of blocks at least in which the head looks, so that most of its work is its own."""

LINE = 64
"""Of a cache, bytes: as many as the activations of a cell."""


def bands_of(active: NDArray[np.uint8], most: int) -> list[tuple[int, int]]:
    """Return ``most`` bands of rows of blocks (r, c), or fewer, with about as many active blocks each.

    Each has `BAND_ROWS` with active blocks at least, or there is one band.
    """
    edges = [0]
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


class BandRooms:
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
            rows, columns = (n * BLOCK + 2 * PAD for n in (last + n_rows, n_columns))
            del self._x, self._out  # Not the old ones and the new at once.
            self._x, self._out = _aligned(rows, columns), _aligned(rows, columns)
            self._filled = np.zeros((last + n_rows, n_columns), np.uint8)
            return
        # Below the frame all has to be 0, from the last row of blocks on, which may be cut.
        bottom = last + n_rows - 1
        for x in (self._x, self._out):
            x[bottom * BLOCK + PAD :][: BLOCK + PAD] = 0

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
        cells = slice(first * BLOCK, (first + rows) * BLOCK + 2 * PAD)
        return self._filled[first : first + rows], self._x[cells], self._out[cells]


def _aligned(rows: int, columns: int) -> Map:
    """Return a map (rows, columns, N) of zeros, each cell a line of a cache: those across two cost a tenth more."""
    n, line = rows * columns * N, LINE // 4
    room = np.zeros(n + line, np.float32)
    first = -(room.ctypes.data // 4) % line
    return room[first : first + n].reshape(rows, columns, N)
