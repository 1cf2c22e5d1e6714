"""The noise that the fast method sees, and the outlier threshold that follows from it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels import ranks

NOISE_FLOOR = float(1 / np.sqrt(12))
"""Standard deviation of rounding to whole samples, in samples."""

QUARTILE = 0.25
"""Misses and noise are judged by the value that this share of the pixels stays below: something near the camera may
hide the rest."""

QUARTILE_OF_GAUSSIAN = 0.31864
"""That share of the absolute values of a standard normal variable lies below this."""

MOST_OF_GRAIN, LEAST_OF_MOST = 3.0, 2 / 255
"""The noise is taken to be so many times the grain from frame to frame at most; but this much is always allowed, units
of the contrast."""

QUANTILE_VALUES = 1024
"""Values, about, from which quantiles are taken."""

MOSTLY = 0.9
"""Where a mask covers a larger share of the frame, it tells nothing about the noise."""


class NoiseTracker:
    """Follows how far values lie from the model, and how far they move from one frame to the next (the grain).

    Parameters
    ----------
    step : float
        One sample, units of white.
    contrast : float
        That the input spans, units of white.
    """

    def __init__(self, step: float, contrast: float) -> None:
        self._least, self._least_of_most = NOISE_FLOOR * step, LEAST_OF_MOST * contrast
        self._sigma, self._grain = 0.0, float(np.inf)

    @property
    def threshold(self) -> float:
        """Three times the noise, units of white.

        The noise is what the model misses, but little more than what differs from one frame to the next: a model
        that is wrong must not widen its own threshold.
        """
        most = max(MOST_OF_GRAIN * self._grain, self._least_of_most)
        return 3 * max(min(self._sigma, most), self._least)

    @property
    def sigma(self) -> float:
        """Standard deviation of the noise, units of white; 0 before anything was seen."""
        return self._sigma

    @property
    def grain(self) -> float:
        """Standard deviation of the change from frame to frame, units of white; infinite before anything was seen."""
        return self._grain

    def load(self, sigma: float, grain: float) -> None:
        """Go on from `sigma` and `grain` as they were."""
        self._sigma, self._grain = sigma, grain

    def begin(self, residual: NDArray[np.float32]) -> None:
        """Take the noise from a residual alone, as if nothing had been seen before."""
        self._sigma = quartile_sigma(residual)

    def begin_from_change(self, change: NDArray[np.float32]) -> None:
        """Take the noise from what two frames of one scene differ by."""
        self._sigma = quartile_sigma(change) / np.sqrt(2)

    def follow(self, residual: NDArray[np.float32], covered: NDArray[np.bool_]) -> None:
        """Follow the noise with the residual of a sample (S,), where no mask covers it (S,), unless it covers most."""
        some = slice(None, None, _stride(residual))
        thin = residual[some]
        seen = thin[~covered[some]]
        now = quartile_sigma(seen if seen.size >= (1 - MOSTLY) * thin.size else residual)
        self._sigma = asymmetric_ema(self._sigma, now)

    def follow_grain(self, step: NDArray[np.float32] | None) -> None:
        """Follow the grain with what a sample (S,) differs by from the one before; None before there are two."""
        if step is not None and step.any():
            grain = quartile_sigma(step) / np.sqrt(2)
            self._grain = grain if np.isinf(self._grain) else asymmetric_ema(self._grain, grain)


def lower_quartile(residual: NDArray[np.float32]) -> float:
    """Return the size that a quarter of residuals (S,) stays below, from about a thousand of them."""
    return quantile(residual, QUARTILE)


def quantile(values: NDArray[np.float32], share: float) -> float:
    """Return the size that a share of values (S,) stays below, from about a thousand of them."""
    every = _stride(values)
    return float(ranks.ranked_size(values, every, int(share * ((values.size - 1) // every))))


def quartile_sigma(residual: NDArray[np.float32]) -> float:
    """Return the scale of Gaussian noise from the lower quartile of (F,): that holds while most of it is covered."""
    return lower_quartile(residual) / QUARTILE_OF_GAUSSIAN


def asymmetric_ema(before: float, now: float) -> float:
    """Follow a scale of noise from frame to frame: slowly up, as one frame may be an accident, and soon down."""
    return before + (0.1 if now > before else 0.5) * (now - before)


def _stride(residual: NDArray[np.float32]) -> int:
    return max(1, residual.size // QUANTILE_VALUES)
