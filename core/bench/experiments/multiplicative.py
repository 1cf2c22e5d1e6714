"""Correntropy NMF by its authors' multiplicative updates (Du et al. 2012), which stop far from the minimum."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

LEAST = 1e-9
"""No denominator is smaller."""


def correntropy(V: Matrix, rank: int, iterations: int, seed: int) -> tuple[Matrix, Matrix]:
    """Return ``H W`` (n, F) and ``H`` (n, K) after so many updates of both factors from a random start.

    Weights as in the row ``cim`` of the catalogue: ``q = exp(−e²/2σ²)`` with ``2σ²`` the mean of ``e²``, anew in each
    iteration; then ``H ∘= (Q∘V)Wᵀ / (Q∘HW)Wᵀ`` and the same for ``W``. The row solves weighted least squares instead.

    Parameters
    ----------
    V : (n, F) float32
        Samples, nonnegative, units of white.
    rank, iterations, seed : int
    """
    rng = np.random.default_rng(seed)
    H, W = rng.random((len(V), rank), np.float32), rng.random((rank, V.shape[1]), np.float32)
    H *= V.mean() / (H @ W).mean()
    for _ in range(iterations):
        E = V - H @ W
        Q = np.exp(-np.square(E) / np.square(E).mean())
        H *= (Q * V) @ W.T / np.maximum((Q * (H @ W)) @ W.T, LEAST)
        W *= H.T @ (Q * V) / np.maximum(H.T @ (Q * (H @ W)), LEAST)
    return H @ W, H
