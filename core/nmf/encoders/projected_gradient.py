"""Coefficients by projected gradient descent: the encoder of OPGD."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.nmf.encoders.base import NO_PENALTY, Encoding, encoding_of, gram
from core.nmf.outlier_losses import Loss
from core.nmf.penalties import Penalty
from core.runtime import stopping


class ProjectedGradientEncoder:
    """``h ← max(0, h − η Wᵀ(W h + r − v))`` with the best ``r`` at each step; ``η = κ / ‖W‖₂²``.

    Zhao & Tan (2017), eqs. (13) and (14). With ``momentum`` the gradient is taken at Nesterov's extrapolated point
    (their remark 2), started anew whenever the loss rises; without, the steps are the paper's own. A penalty on the
    coefficients (section VI-B) takes the place of the clipping: its proximal operator over ``h ≥ 0``.

    Parameters
    ----------
    kappa : float
        Step size factor κ, in (0, 1].
    momentum : bool
    tolerance : float
        Stop when the loss changes relatively by less.
    max_iterations : int
    penalty : Penalty
        On the coefficients.
    """

    def __init__(
        self, kappa: float, momentum: bool, tolerance: float, max_iterations: int, penalty: Penalty = NO_PENALTY
    ) -> None:
        self._kappa, self._momentum, self._penalty = kappa, momentum, penalty
        self._tolerance, self._max_iterations = tolerance, max_iterations
        self._W: NDArray[np.floating] = np.zeros((0, 0))
        self._eta = 0.0

    def prepare(self, W: NDArray[np.floating]) -> None:
        """Use a dictionary (K, F)."""
        self._W = W
        self._eta = self._kappa / max(float(np.linalg.eigvalsh(gram(W))[-1]), 1e-12)

    def encode(self, V: NDArray[np.floating], H: NDArray[np.floating], loss: Loss) -> Encoding:
        """Encode samples ``V`` (n, F) from the start ``H`` (n, K); see `core.nmf.encoders.base.Encoder`."""
        W, eta, penalty = self._W, V.dtype.type(self._eta), self._penalty
        H = H.astype(V.dtype)
        Y, inertia, before, value = H, 1.0, np.inf, np.inf
        spent = 0
        for _ in range(self._max_iterations):
            stopping.check()
            spent += 1
            capped, value = loss.capped(V - Y @ W)
            value += penalty.value(Y)
            if abs(before - value) <= self._tolerance * value:
                break
            if value > before:
                inertia = 1.0
            following = penalty.prox(Y + eta * (capped @ W.T), self._eta, 0)
            if self._momentum:
                next_inertia = (1 + np.sqrt(1 + 4 * inertia**2)) / 2
                Y = following + V.dtype.type((inertia - 1) / next_inertia) * (following - H)
                inertia = next_inertia
            else:
                Y = following
            H, before = following, value
        return encoding_of(V, W, H, loss, spent, penalty)
