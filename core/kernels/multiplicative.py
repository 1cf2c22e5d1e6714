"""Kernel of the multiplicative encoder: all that one update does to long vectors, in one pass."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Real, Scalar
from core.kernels.vanishing import VANISHED

BLOCK = 1024
"""Values in a block, which stay in the first-level cache while the planes of the dictionary are added up."""


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def step_band(
    start: int, stop: int, V: Real, W: Real, H: Real, lam: Scalar, R: Real,
) -> tuple[Scalar, NDArray[np.float64]]:  # fmt: skip
    """Update outliers, ``r ∘= v / (W h + r + λ)``, and return what the next update of coefficients asks for.

    What has shrunk to nothing becomes 0 (`core.kernels.vanishing`).

    Parameters
    ----------
    start, stop : int
        The band.
    V : (n, F) floating
        Samples, nonnegative.
    W : (K, F) as ``V``
        Dictionary, nonnegative.
    H : (n, K) as ``V``
        Coefficients, nonnegative.
    lam : as ``V``
        Outlier penalty λ, above 0.
    R : (n, F) as ``V``
        Outliers, nonnegative; changed.

    Returns
    -------
    (loss, products)
        ``Σ ½(v − W h − r)² + λ r`` over the band, float64; and (n, K) float64, ``Wᵀ(W h + r)`` over it.
    """
    n, K = H.shape
    loss: Scalar = 0.0
    products = np.zeros((n, K))
    model = np.empty(BLOCK, V.dtype)
    zero, half, least = V.dtype.type(0), V.dtype.type(0.5), V.dtype.type(VANISHED)
    for a in range(start, stop, BLOCK):
        b = min(a + BLOCK, stop)
        for i in range(n):
            seen, outliers = V[i, a:b], R[i, a:b]
            size = seen.size
            for p in range(size):
                model[p] = zero
            for k in range(K):
                column, c = W[k, a:b], H[i, k]
                for p in range(size):
                    model[p] += column[p] * c
            total = zero
            for p in range(size):
                fit, v = model[p], seen[p]
                r = outliers[p] * v / (fit + outliers[p] + lam)
                r = r if r >= least else zero
                left = v - fit - r
                outliers[p] = r
                model[p] = fit + r
                total += half * left * left + lam * r
            loss += total
            for k in range(K):
                column, product = W[k, a:b], zero
                for p in range(size):
                    product += model[p] * column[p]
                products[i, k] += product
    return loss, products
