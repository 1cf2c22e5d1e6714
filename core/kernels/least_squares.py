"""Kernel of nonnegative least squares on a Gram matrix."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def sweep(G: NDArray[np.float64], b: NDArray[np.float64], h: NDArray[np.float64], n_sweeps: int) -> None:
    """Improve ``h ≥ 0`` for ``min ½ hᵀ G h − bᵀ h`` by sweeps of exact coordinate descent.

    Parameters
    ----------
    G : (K, K) float64
        Positive semidefinite.
    b : (K,) float64
    h : (K,) float64
        Written; coordinates with a zero on the diagonal of ``G`` are left as they are.
    n_sweeps : int
    """
    for _ in range(n_sweeps):
        for k in range(h.size):
            if G[k, k] > 0:
                slope = b[k]
                for j in range(h.size):
                    slope -= G[k, j] * h[j]
                h[k] = max(0.0, h[k] + slope / G[k, k])
