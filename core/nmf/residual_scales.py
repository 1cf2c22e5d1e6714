"""Scales of residuals for robust losses: Cauchy's γ and the outlier limit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.frames.noise import spread_over

Matrix = NDArray[np.float32]

FLOOR = 1e-4
"""No scale is smaller, units of white: a fortieth of a grey level of 255."""

MOST_VALUES = 1 << 20
"""Values, at most, from which a scale is estimated; they are spread evenly over larger residuals."""

ROBUST_SIGMAS = 3 * 1.4826
"""Three standard deviations of a Gaussian, in its median magnitudes."""

SHOULDER = 8.0
"""Median magnitudes up to which residuals lie in the shoulder; those of gross outliers are dozens."""

NAGY_STEPS, NAGY_TOLERANCE = 50, 1e-3
"""Of the fixed-point iteration for Cauchy's scale, at most, and the relative change at which it ends."""


def nagy(magnitudes: Matrix) -> Matrix:
    """Return Cauchy's scale γ of residuals around 0, by Nagy's algorithm (Guan et al. 2019, eq. 18).

    ``γ ← γ √(1/ē − 1)`` with ``ē`` the mean of ``1/(1 + (e/γ)²)``, from the median on, which is γ where the
    distribution is Cauchy's; the fixed point is the likeliest γ.

    Parameters
    ----------
    magnitudes : (m, P) float32
        Each row by itself.

    Returns
    -------
    (m, 1) float32
    """
    squares = np.square(magnitudes)
    gamma = np.maximum(np.median(magnitudes, axis=1, keepdims=True), FLOOR).astype(np.float64)
    for _ in range(NAGY_STEPS):
        mean = np.mean(1 / (1 + squares * (1 / np.square(gamma)).astype(np.float32)), axis=1, keepdims=True)
        new = np.maximum(gamma * np.sqrt(1 / mean.astype(np.float64) - 1), FLOOR)
        settled = np.abs(new - gamma).max() <= NAGY_TOLERANCE * gamma.min()
        gamma = new
        if settled:
            break
    return gamma.astype(np.float32)


def outlier_limit(magnitudes: Matrix) -> Matrix:
    """Return the magnitude beyond which residuals are outliers, ``μ + 3σ`` (Guan et al. 2019, section 3.3).

    μ and σ are mean and standard deviation of the magnitudes not above their median, the paper's Γ. As printed, the
    paper also looks for outliers in Γ, where there are next to none; here it is in all magnitudes. Its rule,
    ``||e| − μ| > 3σ``, also speaks of magnitudes below ``μ − 3σ``, of which there are none but in freak cases; a small
    residual is no outlier, so they are left out.

    Parameters
    ----------
    magnitudes : (m, P) float32
        Each row by itself.

    Returns
    -------
    (m, 1) float32
    """
    half = (magnitudes.shape[1] + 1) // 2
    lower = np.partition(magnitudes, half - 1, axis=1)[:, :half].astype(np.float64)
    limit = lower.mean(axis=1, keepdims=True) + 3 * lower.std(axis=1, keepdims=True)
    result: Matrix = np.maximum(limit, FLOOR).astype(np.float32)
    return result


def shoulder(E: Matrix) -> float:
    """Return the share of residuals that are too large for noise and not yet far from it.

    Between `ROBUST_SIGMAS` and `SHOULDER` median magnitudes: a fit leaves few there, and outliers that stand apart
    are beyond.

    Parameters
    ----------
    E : (n, F) float32
    """
    magnitudes = magnitudes_of(E, False)
    median = max(float(np.median(magnitudes)), FLOOR)
    return float(np.mean((magnitudes > ROBUST_SIGMAS * median) & (magnitudes <= SHOULDER * median)))


def magnitudes_of(E: Matrix, each: bool) -> Matrix:
    """Return ``|e|`` of residuals (n, F): one row for each sample, or a single one for all."""
    rows = E if each else E.reshape(1, -1)
    return np.abs(spread_over(rows, MOST_VALUES))
