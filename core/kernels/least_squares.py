"""Kernel of nonnegative least squares on a Gram matrix."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def sweep(G: NDArray[np.float64], b: NDArray[np.float64], n_sweeps: int, out: NDArray[np.float64]) -> None:
    """Improve ``h ≥ 0`` for ``min ½ hᵀ G h − bᵀ h`` by sweeps of exact coordinate descent.

    Parameters
    ----------
    G : (K, K) float64
        Positive semidefinite.
    b : (K,) float64
    n_sweeps : int
    out : (K,) float64
        h, improved; coordinates with a zero on the diagonal of ``G`` are left as they are.
    """
    for _ in range(n_sweeps):
        for k in range(out.size):
            if G[k, k] > 0:
                slope = b[k]
                for j in range(out.size):
                    slope -= G[k, j] * out[j]
                out[k] = max(0.0, out[k] + slope / G[k, k])
