"""How much of each frame moves, over a clip of any length, in memory of one size."""

from __future__ import annotations

import copy
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

N_BINS = 2048
"""Bins that are kept: one for each pixel of a strip over a wide screen; 48 kB."""

N_RECENT = 64
"""Last frames that can still be forgotten: a cut is found sooner."""


@dataclass(frozen=True)
class ActivityCurve:
    """Shares of foreground over the frames.

    Attributes
    ----------
    frames_a_bin : int
    low, mean, high : (N,) float64
        Of the shares, 0 to 1, of the frames of each bin; NaN where no frame was seen.
    """

    frames_a_bin: int
    low: NDArray[np.float64]
    mean: NDArray[np.float64]
    high: NDArray[np.float64]


class Activity:
    """Takes the share of foreground of frames, in any order; each bin holds twice the frames where there are too many.

    Parameters
    ----------
    n_frames : int, optional
        How many there will be, where known: bins are then wide enough from the beginning.
    n_bins : int
        Even.
    """

    def __init__(self, n_frames: int | None = None, n_bins: int = N_BINS) -> None:
        self._width = 1
        self._low, self._high = np.full(n_bins, np.inf), np.full(n_bins, -np.inf)
        self._sum, self._count = np.zeros(n_bins), np.zeros(n_bins, np.int64)
        self._recent: deque[tuple[int, float]] = deque()
        self._scene_first = 0
        while n_frames is not None and n_frames > self._width * n_bins:
            self._width *= 2

    def add(self, index: int, share: float, scene_first: int = 0) -> None:
        """Take the share, 0 to 1, of frame ``index``, from 0; a frame may come again.

        ``scene_first`` is the first frame of the scene that it shows, which may be known some frames late: those that
        were compared with the scene before until then are forgotten.
        """
        if scene_first > self._scene_first:
            self._recent = deque(one for one in self._recent if one[0] < scene_first)
        self._scene_first = scene_first
        self._recent.append((index, share))
        if len(self._recent) > N_RECENT:
            self._keep(*self._recent.popleft())

    def curve(self) -> ActivityCurve:
        """Return a copy of what is known, up to the last bin that is."""
        whole = copy.deepcopy(self)
        for one in whole._recent:
            whole._keep(*one)
        return whole._kept()

    def _keep(self, index: int, share: float) -> None:
        """Put a frame into its bin."""
        while index >= self._width * len(self._sum):
            self._halve()
        place = index // self._width
        self._low[place] = min(self._low[place], share)
        self._high[place] = max(self._high[place], share)
        self._sum[place] += share
        self._count[place] += 1

    def _kept(self) -> ActivityCurve:
        known = self._count > 0
        n = int(np.flatnonzero(known)[-1]) + 1 if known.any() else 0
        known = known[:n]
        low, high = np.where(known, self._low[:n], np.nan), np.where(known, self._high[:n], np.nan)
        return ActivityCurve(
            self._width, low, np.where(known, self._sum[:n] / np.maximum(self._count[:n], 1), np.nan), high
        )

    def _halve(self) -> None:
        """Let each bin hold twice the frames."""
        half = len(self._sum) // 2
        for values, join, empty in (
            (self._low, np.minimum, np.inf), (self._high, np.maximum, -np.inf), (self._sum, np.add, 0),
            (self._count, np.add, 0),
        ):  # fmt: skip
            values[:half] = join(values[::2], values[1::2])
            values[half:] = empty
        self._width *= 2
