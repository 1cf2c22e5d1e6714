"""The median of frames spread over all that was seen so far, in bounded memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core import bands
from core.kernels import video

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
    """

    def __init__(self) -> None:
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
                self._frames = np.empty((CAPACITY, v.size), v.dtype)
            if self._count == CAPACITY:
                self._count = (CAPACITY + 1) // 2
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
        bands.run(video.median_band, out.size, self._frames, self._count, out)
        return out
