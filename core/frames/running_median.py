"""The median of frames spread over all that was seen so far, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.kernels import median
from core.runtime import bands

CAPACITY = 15
"""Frames kept."""


def twice_in_each_doubling(n: int) -> bool:
    """Return whether ``n`` is one of 1, 2, 3, 4, 6, 8, 12, 16, 24, …: when to do what should fade in cost."""
    while n > 3 and n % 2 == 0:
        n //= 2
    return n <= 3


class RunningMedian:
    """Keeps frames evenly spread over the past; when full, every other one goes and the spacing doubles.

    What stands in the way in the first frames is outvoted as soon as it has left for longer than it stayed.

    Parameters
    ----------
    capacity : int
        Frames kept, at most.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._frames: NDArray | None = None
        self._count = 0
        self._spacing = 1
        self._n_offered = 0

    def offer(self, v: NDArray) -> bool:
        """Take note of the next vector; True when the median is worth computing anew.

        That is at frames 1, 2, 3, 4, 6, 8, 12, 16, 24, …: twice in each doubling, so its cost fades.
        """
        n = self._n_offered
        self._n_offered += 1
        if n % self._spacing == 0:
            if self._frames is None:
                self._frames = np.empty((self._capacity, v.size), v.dtype)
            if self._count == self._capacity:
                self._count = (self._capacity + 1) // 2
                self._frames[: self._count] = self._frames[::2].copy()
                self._spacing *= 2
            if n % self._spacing == 0:
                self._frames[self._count] = v
                self._count += 1
        return twice_in_each_doubling(self._n_offered)

    def median(self) -> NDArray:
        """Return the median vector, of the type of the frames."""
        assert self._frames is not None, "offer a frame first"
        out = np.empty(self._frames.shape[1], self._frames.dtype)
        bands.run(median.median_band, out.size, self._frames, self._count, out)
        return out

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what `load` needs to go on."""
        frames = np.empty((0, 0)) if self._frames is None else self._frames[: self._count].copy()
        return {"frames": frames, "counts": np.array([self._spacing, self._n_offered])}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Take up what `state` gave."""
        kept = state["frames"][: self._capacity]
        self._count = len(kept)
        self._spacing, self._n_offered = (int(x) for x in state["counts"])
        self._frames = None
        if self._count:
            self._frames = np.empty((self._capacity, kept.shape[1]), kept.dtype)
            self._frames[: self._count] = kept
