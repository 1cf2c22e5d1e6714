"""The dictionary by projected gradient descent: the rule of OPGD."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.nmf.dictionaries.base import Descent, Statistics
from core.nmf.dictionaries.domain import BALL, Domain
from core.nmf.inner_products import inner
from core.runtime import stopping


class ProjectedGradientDictionary:
    """``W ← P_C(W − η(W A − B))``, ``η = κ / ‖A‖_F``.

    Zhao & Tan (2017), eqs. (20) to (22). With ``momentum`` the gradient is taken at Nesterov's extrapolated point
    (their remark 2), started anew whenever it points uphill; without, the steps are the paper's own. An elastic net
    on W (section VI-B) joins the projection.

    Parameters
    ----------
    kappa : float
        Step size factor κ, in (0, 1].
    momentum : bool
    tolerance : float
        Stop when the surrogate changes relatively by less.
    max_iterations : int
    domain : Domain
        The set C, and the elastic net.
    """

    needs_outliers = False

    def __init__(
        self, kappa: float, momentum: bool, tolerance: float, max_iterations: int, domain: Domain = BALL
    ) -> None:
        self.domain = domain
        self._kappa, self._momentum = kappa, momentum
        self._tolerance, self._max_iterations = tolerance, max_iterations

    def update(self, W: NDArray[np.floating], statistics: Statistics) -> NDArray[np.floating]:
        """Return a better dictionary (K, F); see `core.nmf.dictionaries.base.DictionaryRule`."""
        number = W.dtype.type
        A, B = statistics.A.astype(W.dtype), statistics.B
        eta = number(self._kappa / max(float(np.linalg.norm(statistics.A)), 1e-12))
        domain = self.domain.scaled(statistics.A)
        start, Y, inertia, before = W, W, 1.0, np.inf
        descent = Descent(statistics, W)
        for _ in range(self._max_iterations):
            stopping.check()
            slope = A @ Y
            slope -= B
            value = descent.value(Y, slope) + domain.value(Y)
            if abs(before - value) <= self._tolerance * abs(value):
                break
            before = value
            slope *= -eta
            slope += Y
            following = domain.prox(slope, float(eta))
            if self._momentum:
                step = following - W
                if inner(Y - following, step) > 0:
                    inertia = 1.0
                next_inertia = (1 + np.sqrt(1 + 4 * inertia**2)) / 2
                step *= number((inertia - 1) / next_inertia)
                step += following
                Y, inertia = step, next_inertia
            else:
                Y = following
            W = following
        if self._momentum:
            risen = statistics.rise(start, W) + domain.value(W) - domain.value(start)
            if risen > 0:
                return start.copy()
        return W if W is not start else start.copy()
