"""Coefficients and nonnegative outliers by multiplicative updates: the encoder of ONMFO."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels import multiplicative
from core.nmf.encoders.base import Encoding, encoding_of
from core.nmf.outlier_losses import Loss
from core.nmf.vanishing import TINY, clear_vanished
from core.runtime import bands, stopping


class MultiplicativeEncoder:
    """``h ∘= Wᵀv / (WᵀW h + Wᵀr)``, ``r ∘= v / (W h + r + λ)``.

    Zhao & Tan (2016), eqs. (16) and (17). As factors that are zero stay so, it starts just inside: coefficients and
    outliers are raised to small positive numbers. The outliers returned are those that are best for the coefficients
    returned, which the updates tend to. The loss has to be that of the lasso, with outliers of at least 0.

    Parameters
    ----------
    tolerance : float
        Stop when the loss changes relatively by less.
    max_iterations : int
    """

    def __init__(self, tolerance: float, max_iterations: int) -> None:
        self._tolerance, self._max_iterations = tolerance, max_iterations
        self._W: NDArray[np.floating] = np.zeros((0, 0))

    def prepare(self, W: NDArray[np.floating]) -> None:
        """Use a dictionary (K, F)."""
        self._W = W

    def encode(self, V: NDArray[np.floating], H: NDArray[np.floating], loss: Loss) -> Encoding:
        """Encode samples ``V`` (n, F) from the start ``H`` (n, K); see `core.nmf.encoders.base.Encoder`."""
        W, number = self._W, V.dtype.type
        lam, tiny = number(loss.lam), number(TINY)
        H = H.astype(V.dtype)
        H = np.maximum(H, number(1e-3) * H.mean(axis=1, keepdims=True) + tiny)
        fit, VW = H @ W, V @ W.T
        R = np.maximum(V - fit - lam, number(0.01) * V)
        products = (fit + R) @ W.T
        before = np.inf
        spent = 0
        for _ in range(self._max_iterations):
            stopping.check()
            spent += 1
            H = H * VW / (products + tiny)
            clear_vanished(H)
            parts = bands.run(multiplicative.step_band, V.shape[1], V, W, H, lam, R, cost=bands.HEAVY)
            value = float(sum(part for part, _ in parts))
            if before - value <= self._tolerance * value:
                break
            before = value
            products = sum((product for _, product in parts), np.zeros(H.shape)).astype(V.dtype)
        return encoding_of(V, W, H, loss, spent)
