"""Which entries of a vector belong together: runs of coefficients, blocks of an image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.floating]


class Groups(Protocol):
    """A partition of the P entries of a vector into G groups."""

    def sizes(self, n_entries: int) -> NDArray[np.float64]:
        """Return how many entries each group has, (G,); ``n_entries`` is P."""

    def sums(self, X: Matrix) -> Matrix:
        """Return the sum over each group, (n, G), for rows (n, P)."""

    def spread(self, values: Matrix, n_entries: int) -> Matrix:
        """Give each entry the value of its group: (n, P) for ``values`` (n, G)."""


class Runs:
    """Runs of entries, one after the other; the last may be shorter.

    Parameters
    ----------
    sizes : sequence of int
        Of the first runs, each at least 1; what no run has room for is left out.
    growth : int
        By how many entries each further run is larger than the one before it.
    """

    def __init__(self, sizes: Sequence[int], growth: int = 0) -> None:
        self._first, self._growth = tuple(sizes), growth

    def sizes(self, n_entries: int) -> NDArray[np.float64]:
        """Return the size of each run."""
        return np.diff(self._starts(n_entries), append=n_entries).astype(np.float64)

    def sums(self, X: Matrix) -> Matrix:
        """Return the sum over each run."""
        return np.add.reduceat(X, self._starts(X.shape[1]), axis=1)

    def spread(self, values: Matrix, n_entries: int) -> Matrix:
        """Give each entry the value of its run."""
        return np.repeat(values, np.diff(self._starts(n_entries), append=n_entries), axis=1)

    def _starts(self, n_entries: int) -> NDArray[np.intp]:
        # With the least growth, sizes of 1, there are as many runs as entries.
        further = self._first[-1] + self._growth * np.arange(1, n_entries + 1)
        starts = np.cumsum([0, *self._first, *further])
        return starts[starts < n_entries]


class ImageBlocks:
    """Square blocks of pixels of each plane of an image; those at the right and lower edges may be smaller.

    Parameters
    ----------
    shapes : sequence of (int, int)
        Height and width of each plane, pixels; the planes follow each other in a vector.
    size : int
        Side of a block, pixels, at least 1.
    """

    def __init__(self, shapes: Sequence[tuple[int, int]], size: int) -> None:
        self._shapes, self._size = tuple(shapes), size
        self._sizes: NDArray[np.float64] = self.sums(np.ones((1, sum(h * w for h, w in shapes))))[0]

    def sizes(self, n_entries: int) -> NDArray[np.float64]:
        """Return how many pixels each block has."""
        return self._sizes

    def sums(self, X: Matrix) -> Matrix:
        """Return the sum over each block."""
        parts, start, size = [], 0, self._size
        for height, width in self._shapes:
            plane = X[:, start : start + height * width].reshape(-1, height, width)
            parts.append(_sums(_sums(plane, size, 2), size, 1).reshape(len(X), -1))
            start += height * width
        return np.concatenate(parts, axis=1)

    def spread(self, values: Matrix, n_entries: int) -> Matrix:
        """Give each pixel the value of its block."""
        parts, start, size = [], 0, self._size
        for height, width in self._shapes:
            down, across = -(-height // size), -(-width // size)
            blocks = values[:, start : start + down * across].reshape(-1, down, across)
            pixels = _spread(_spread(blocks, size, width, 2), size, height, 1)
            parts.append(pixels.reshape(len(values), -1))
            start += down * across
        return np.concatenate(parts, axis=1)


def _sums(X: Matrix, size: int, axis: int) -> Matrix:
    return np.add.reduceat(X, np.arange(0, X.shape[axis], size), axis=axis)


def _spread(X: Matrix, size: int, length: int, axis: int) -> Matrix:
    pixels = np.repeat(X, size, axis=axis)
    return pixels[:, :length] if axis == 1 else pixels[:, :, :length]
