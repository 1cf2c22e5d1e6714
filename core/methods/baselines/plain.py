"""What the baselines without outliers share: nonnegative least squares, and an encoding by squared error."""

from __future__ import annotations

import numpy as np

from core.kernels import least_squares
from core.methods.rules import Matrix
from core.nmf.encoders.base import Encoding, gram
from core.nmf.inner_products import inner

SWEEPS = 5
"""Sweeps of coordinate descent between two looks at how far it came."""


class LeastSquares:
    """``min over h ≥ 0 of ‖v − W h‖²`` for each sample, by coordinate descent until it hardly moves.

    Parameters
    ----------
    tolerance : float
        Stop when a sweep changes a sample's coefficients relatively by less.
    max_sweeps : int
    """

    def __init__(self, tolerance: float = 1e-5, max_sweeps: int = 200) -> None:
        self._tolerance, self._max_sweeps = tolerance, max_sweeps
        self._W: Matrix | None = None

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return the best coefficients of samples (n, F) for a dictionary (K, F), from the start (n, K)."""
        if self._W is not W:
            self._W, self._gram = W, gram(W)
        products = (V @ W.T).astype(np.float64)
        found, most = H.astype(np.float64), 0
        for h, b in zip(found, products, strict=True):
            for spent in range(0, self._max_sweeps, SWEEPS):
                before = h.copy()
                least_squares.sweep(self._gram, b, SWEEPS, h)
                most = max(most, spent + SWEEPS)
                if np.abs(h - before).max() <= SWEEPS * self._tolerance * h.max():
                    break
        return squared_error(V, W, found.astype(np.float32), most)


def squared_error(V: Matrix, W: Matrix, H: Matrix, iterations: int) -> Encoding:
    """Return the encoding that coefficients (n, K) give where nothing is an outlier; its loss is ``½‖v − W h‖²``."""
    background = H @ W
    residual = V - background
    return Encoding(H, background, residual, None, inner(residual, residual) / 2, iterations)
