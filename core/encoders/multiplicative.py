"""Coefficients and nonnegative outliers by multiplicative updates: the encoder of ONMFO."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.encoders.base import Encoding, encoding_of
from core.losses import OutlierLoss

TINY = 1e-12
"""Kept in denominators, so that black pixels divide."""


def step(
    V: NDArray[np.floating], W: NDArray[np.floating], VW: NDArray[np.floating], H: NDArray[np.floating],
    R: NDArray[np.floating], fit: NDArray[np.floating], lam: float,
) -> tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.floating]]:  # fmt: skip
    """One update of coefficients, then of outliers; the loss never rises (Zhao & Tan 2016, eqs. (16), (17)).

    Parameters
    ----------
    V, R : (n, F)
        Samples and outliers, nonnegative.
    W : (K, F)
        Dictionary, nonnegative.
    VW, H : (n, K)
        Products of the samples with the basis, and coefficients, nonnegative.
    fit : (n, F)
        ``W h``.
    lam : float

    Returns
    -------
    H, R, fit
        After the step.
    """
    tiny = V.dtype.type(TINY)
    H = H * VW / ((fit + R) @ W.T + tiny)
    fit = H @ W
    below = fit + R
    below += V.dtype.type(lam) + tiny
    R = R * V
    R /= below
    return H, R, fit


class MultiplicativeEncoder:
    """``h ∘= Wᵀv / (WᵀW h + Wᵀr)``, ``r ∘= v / (W h + r + λ)``.

    Zhao & Tan (2016), eqs. (16) and (17). As factors that are zero stay so, it starts just inside: coefficients and
    outliers are raised to small positive numbers. The outliers returned are those that are best for the coefficients
    returned, which the updates tend to.

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
        """Take up a dictionary (K, F)."""
        self._W = W

    def encode(self, V: NDArray[np.floating], H: NDArray[np.floating], loss: OutlierLoss) -> Encoding:
        """Encode samples ``V`` (n, F) from the start ``H`` (n, K); see `core.encoders.base.Encoder`."""
        W, lam = self._W, loss.lam
        H = H.astype(V.dtype)
        H = np.maximum(H, V.dtype.type(1e-3) * H.mean(axis=1, keepdims=True) + V.dtype.type(TINY))
        fit, VW = H @ W, V @ W.T
        R = np.maximum(V - fit - V.dtype.type(lam), V.dtype.type(0.01) * V)
        before = np.inf
        spent, value = 0, np.inf
        for _ in range(self._max_iterations):
            spent += 1
            H, R, fit = step(V, W, VW, H, R, fit, lam)
            capped = V - fit
            capped -= R
            value = float(np.vdot(capped, capped)) / 2 + lam * float(R.sum())
            if before - value <= self._tolerance * value:
                break
            before = value
        return encoding_of(V, W, H, loss, spent)
