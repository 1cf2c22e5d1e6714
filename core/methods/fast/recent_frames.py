"""The last few frames, at some pixels: what a start is judged by."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from core.kernels import sampled_nmf
from core.methods.fast.pixel_sample import HUBER, N_ROUNDS, TOLERANCE

N_FRAMES = 10
"""Frames kept."""

N_VALUES = 4096
"""Values kept of each, about."""


class RecentFrames:
    """Keeps part of a sample of each of the last frames.

    Parameters
    ----------
    n_values : int
        Length S of the samples.
    """

    def __init__(self, n_values: int) -> None:
        self._every = max(1, n_values // N_VALUES)
        self._kept: deque[NDArray[np.float32]] = deque(maxlen=N_FRAMES)

    def offer(self, sample: NDArray[np.float32]) -> None:
        """Take note of the sample (S,) of the next frame, units of white."""
        self._kept.append(sample[:: self._every].copy())

    def lift(self, by: np.float32, n_light: int) -> None:
        """Count the first ``n_light`` values of a sample, those of light, from so much lower, units of white."""
        for kept in self._kept:
            kept[: self.n_kept_of(n_light)] += by

    def n_kept_of(self, n_first: int) -> int:
        """Return how many of the first values of a sample are kept."""
        return -(-n_first // self._every)

    def change(self) -> NDArray[np.float32] | None:
        """Return by how much the newest frame differs from the oldest, units of white; None before there are enough."""
        return self._kept[-1] - self._kept[0] if len(self._kept) == N_FRAMES else None

    def step(self, back: int = 0) -> NDArray[np.float32] | None:
        """Return by how much the newest frame, or that so many before it, differs from the one before, units of white.

        None where there was none before.
        """
        return self._kept[-1 - back] - self._kept[-2 - back] if len(self._kept) > 1 + back else None

    def loss(self, W: NDArray[np.float32], h: NDArray[np.float64], lam: float) -> float:
        """Return Huber's loss of all that is kept, each frame encoded with a dictionary.

        Parameters
        ----------
        W : (K, S) float32
            Dictionary at the values of a sample.
        h : (K,) float64
            Coefficients to start from.
        lam : float
            Threshold of the loss, units of white.
        """
        part = np.ascontiguousarray(W[:, :: self._every])
        all_alike = np.ones(part.shape[1], np.float32)
        loss = np.float32(lam), HUBER
        return sum(sampled_nmf.encode(v, part, all_alike, *loss, N_ROUNDS, TOLERANCE, h.copy())[0] for v in self._kept)
