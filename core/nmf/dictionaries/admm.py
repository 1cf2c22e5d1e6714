"""The dictionary by the alternating direction method of multipliers: the rule of OADMM."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.nmf.dictionaries.base import Statistics
from core.nmf.dictionaries.domain import BALL, Domain
from core.runtime import stopping


class AdmmDictionary:
    """``W = (B − D + ρQ)(A + ρI)⁻¹``, ``Q = P_C(W + D/ρ)``, ``D += ρ(W − Q)``; Q is the dictionary.

    Zhao & Tan (2017), eqs. (33) to (35). One departure: ρ is in units of the mean eigenvalue of A, so that it
    means the same for small faces, where that is about 1, and for large frames. An elastic net on W (section VI-B)
    joins the projection.

    Parameters
    ----------
    rho : float
        Penalty ρ, in units of ``tr(A) / K``.
    tolerance : float
        Stop when W and Q, and Q and its predecessor, differ relatively by less.
    max_iterations : int
    domain : Domain
        The set C, and the elastic net.
    """

    needs_outliers = False

    def __init__(self, rho: float, tolerance: float, max_iterations: int, domain: Domain = BALL) -> None:
        self.domain = domain
        self._rho, self._tolerance, self._max_iterations = rho, tolerance, max_iterations

    def update(self, W: NDArray[np.floating], statistics: Statistics) -> NDArray[np.floating]:
        """Return a better dictionary (K, F); see `core.nmf.dictionaries.base.DictionaryRule`."""
        A, B = statistics.A, statistics.B
        absolute = max(self._rho * float(np.trace(A)) / len(A), 1e-12)
        rho = W.dtype.type(absolute)
        inverse = np.linalg.inv(A + absolute * np.eye(len(A))).astype(W.dtype)
        domain = self.domain.scaled(A)
        Q, D = W, np.zeros_like(W)
        for _ in range(self._max_iterations):
            stopping.check()
            free = inverse @ (B - D + rho * Q)
            D /= rho
            D += free
            before, Q = Q, domain.prox(D.copy(), 1 / absolute)
            D -= Q
            D *= rho
            free -= Q
            if max(np.linalg.norm(free), np.linalg.norm(Q - before)) <= self._tolerance * np.linalg.norm(Q):
                break
        risen = statistics.rise(W, Q) + domain.value(Q) - domain.value(W)
        return W.copy() if risen > 0 else Q
