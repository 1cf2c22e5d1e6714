"""A curve that never grows: the whole run in a bounded number of points. No Qt here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CAPACITY = 2000


class CurveHistory:
    """Several curves over the number of the frame, from the first frame to the newest, in at most `CAPACITY` points.

    When it is full, neighbours are joined two by two, and from then on twice as many frames make one point. Memory
    and the cost of a frame do not depend on how long the run is.

    Parameters
    ----------
    n_curves : int
        Curves that there are from the beginning.
    averages : bool
        A point of many frames has the mean of their values; otherwise the value of the first one, for values between
        which there is nothing: numbers of frames where a film begins anew.
    """

    def __init__(self, n_curves: int = 0, *, averages: bool = True) -> None:
        self._averages = averages
        self._x = np.full(CAPACITY, np.nan)
        self._y = np.full((n_curves, CAPACITY), np.nan, np.float32)
        self._n = 0
        self._stride = 1
        self._pending_x = 0.0
        self._pending: NDArray[np.float64] = np.zeros(n_curves)
        self._n_pending = 0

    @property
    def n_curves(self) -> int:
        """How many curves there are."""
        return self._y.shape[0]

    @property
    def x(self) -> NDArray[np.float64]:
        """Numbers of the frames, shape (n,)."""
        return self._x[: self._n]

    @property
    def y(self) -> NDArray[np.float32]:
        """Curves, shape (n_curves, n); NaN where one was not there."""
        return self._y[:, : self._n]

    def append(self, x: float, values: NDArray[np.float64]) -> None:
        """Add one frame with a value for each curve; another number of values adds curves or ends the last ones."""
        values = np.asarray(values, np.float64)
        if values.size > self.n_curves:
            more = values.size - self.n_curves
            self._y = np.concatenate([self._y, np.full((more, CAPACITY), np.nan, np.float32)])
            self._pending = np.concatenate([self._pending, np.full(more, np.nan)])
        elif values.size < self.n_curves:
            values = np.concatenate([values, np.full(self.n_curves - values.size, np.nan)])
        if self._n_pending == 0:
            self._pending = values
        elif self._averages:
            self._pending = self._pending + values
        self._pending_x += x
        self._n_pending += 1
        if self._n_pending < self._stride:
            return
        if self._n == CAPACITY:
            self._halve()
        self._x[self._n] = self._pending_x / self._n_pending
        self._y[:, self._n] = self._pending / (self._n_pending if self._averages else 1)
        self._n += 1
        self._pending_x, self._n_pending = 0.0, 0

    def _halve(self) -> None:
        half = CAPACITY // 2
        self._x[:half] = self._x.reshape(half, 2).mean(1)
        pairs = self._y.reshape(-1, half, 2)
        self._y[:, :half] = pairs.mean(2) if self._averages else pairs[..., 0]
        self._n = half
        self._stride *= 2
