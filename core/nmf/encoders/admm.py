"""Coefficients by the alternating direction method of multipliers: the encoder of OADMM."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.nmf.encoders.base import NO_PENALTY, Encoding, encoding_of, gram
from core.nmf.outlier_losses import Loss
from core.nmf.penalties import Penalty
from core.runtime import stopping


class AdmmEncoder:
    """Splits ``h = u ≥ 0`` and ``r = q`` within its bounds, and alternates over h, r, u, q and their multipliers.

    Zhao & Tan (2017), eqs. (25) to (30), in that order. Two departures: it stops when u and the gap between h and u
    change relatively by less than the tolerance, which costs no product with the dictionary; and the outliers
    returned are those that are best for the u returned, which q tends to. A penalty on the coefficients
    (section VI-B) acts on u, through its proximal operator over ``u ≥ 0``.

    Parameters
    ----------
    rho : float
        Penalty ρ of both splittings.
    tolerance : float
    max_iterations : int
    penalty : Penalty
        On the coefficients.
    column_norm : float
        About the norm of basis images; that of h and u counts in units of its square.
    """

    def __init__(
        self, rho: float, tolerance: float, max_iterations: int, penalty: Penalty = NO_PENALTY, column_norm: float = 1.0
    ) -> None:
        self._rho, self._tolerance, self._max_iterations = rho, tolerance, max_iterations
        self._penalty, self._rho_h = penalty, rho * column_norm**2
        self._W: NDArray[np.floating] = np.zeros((0, 0))
        self._inverse: NDArray[np.floating] = np.zeros((0, 0))

    def prepare(self, W: NDArray[np.floating]) -> None:
        """Use a dictionary (K, F)."""
        self._W = W
        self._inverse = np.linalg.inv(gram(W) + self._rho_h * np.eye(len(W)))

    def encode(self, V: NDArray[np.floating], H: NDArray[np.floating], loss: Loss) -> Encoding:
        """Encode samples ``V`` (n, F) from the start ``H`` (n, K); see `core.nmf.encoders.base.Encoder`."""
        W, number = self._W, V.dtype.type
        rho, rho_h, low, high = (number(x) for x in (self._rho, self._rho_h, loss.low, loss.high))
        inverse = self._inverse.astype(V.dtype)
        VW = V @ W.T
        U = H.astype(V.dtype)
        Q = V - U @ W
        Q = Q - loss.capped(Q)[0]
        R = Q
        alpha, beta = np.zeros_like(U), np.zeros_like(Q)
        spent = 0
        for _ in range(self._max_iterations):
            stopping.check()
            spent += 1
            H = (VW - R @ W.T + rho_h * U - alpha) @ inverse
            R = V - H @ W
            R += rho * Q
            R -= beta
            R = loss.shrink(R, self._rho)
            before = U
            U = self._penalty.prox(H + alpha / rho_h, 1 / self._rho_h, 0)
            beta /= rho
            beta += R
            Q = np.clip(beta, low, high)
            beta -= Q
            beta *= rho
            alpha += rho_h * (H - U)
            if max(np.linalg.norm(U - before), np.linalg.norm(H - U)) <= self._tolerance * np.linalg.norm(U):
                break
        return encoding_of(V, W, U, loss, spent, self._penalty)
