"""Kernel of the loss: what of a residual is an outlier, and what is left."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Real, Scalar


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def cap(e: Real, lam: Scalar, low: Scalar, high: Scalar, capped: Real) -> Scalar:
    """Write ``e − r`` with the best outliers ``r``, and return ``Σ ½(e − r)² + λ|r|``.

    Parameters
    ----------
    e : (P,) floating
        Residual ``v − W h``.
    lam, low, high : of the type of ``e``
        Penalty, and the interval that holds 0 and bounds the outliers.
    capped : (P,) as ``e``
        Written: ``e − r``, where ``r`` is the soft threshold of ``e``, clipped to the interval.
    """
    loss: Scalar = e[0] * 0
    for p in range(e.size):
        r = min(max(e[p] - min(max(e[p], -lam), lam), low), high)
        c = e[p] - r
        capped[p] = c
        loss += c * c / 2 + lam * abs(r)
    return loss


@njit(cache=True, nogil=True)
def losses(E: Real, lam: Scalar, low: Scalar, high: Scalar, capped: Real, out: NDArray[np.float64]) -> None:
    """Write the loss of each sample, as `cap` returns it.

    Parameters
    ----------
    E : (n, P) floating, C-contiguous
        Residuals, a sample a row.
    lam, low, high : of the type of ``E``
        See `cap`.
    capped : (P,) as ``E``
        Scratch.
    out : (n,) float64
        Written.
    """
    for i in range(E.shape[0]):
        out[i] = cap(E[i], lam, low, high, capped)
