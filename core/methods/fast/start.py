"""The warm-up: the dictionary starts from the median of what was seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Vector
from core.frames.running_median import RunningMedian, twice_in_each_doubling
from core.methods.base import WarmUp


class MedianStart:
    """Gives the median of the scene while its first frames come in, and knows which values were set by other means.

    Parameters
    ----------
    n_values : int
        Length F of the vectors.

    Attributes
    ----------
    n_frames : int
        Frames of this scene that were offered.
    overwritten : (F,) bool
        Values of which the background was set (`core.methods.base.Method.overwrite_background`): the median does not
        know better. Not written by others: see `overwrite`.
    """

    def __init__(self, n_values: int) -> None:
        # Frames are not written again, and a plate keeps many of those that the median does.
        self._median: RunningMedian | None = RunningMedian(shares=True)
        self.n_frames = 0
        self.overwritten = np.zeros(n_values, np.bool_)
        self._is_known = False

    @property
    def is_over(self) -> bool:
        """Whether the median is followed no more."""
        return self._median is None

    def end(self) -> None:
        """Follow the median no more."""
        self._median = None

    def overwrite(self, where: NDArray[np.bool_]) -> None:
        """Take note that the background was set at some values (F,)."""
        self.overwritten |= where
        self._is_known = bool(self.overwritten.all())
        if self._is_known and self._median is not None:
            self._median = RunningMedian(shares=True)  # Its values are not used any more: 46 MB of frames at 1080p.

    def progress(self, n_frames: int) -> WarmUp | None:
        """Return how far the start is, where it takes ``n_frames``; None once it is over."""
        return WarmUp(self.n_frames, n_frames) if not self.is_over and self.n_frames <= n_frames else None

    def offer(self, v: Vector, n_frames: int) -> Vector | None:
        """Take note of the next vector; return the median (F,), of its type, when it is worth starting from anew.

        Where all values were overwritten, the vector itself stands for the median.

        Parameters
        ----------
        v : (F,)
            Kept as it is: nobody writes to it again.
        n_frames : int
            The start is over after so many.
        """
        if self.n_frames > n_frames:
            self.end()
        self.n_frames += 1
        if self._is_known and self._median is not None:
            return v if twice_in_each_doubling(self.n_frames) else None
        return self._median.median() if self._median is not None and self._median.offer(v) else None
