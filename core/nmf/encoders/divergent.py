"""Coefficients that minimise a divergence, by projected gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.nmf.divergences import Divergence, Matrix
from core.runtime import stopping

LOWEST, HIGHEST = 1e-8, 1e8
"""ε' and U' of Zhao, Tan & Xu (2017), remark 2: the box that coefficients stay in."""

REFRESH = 5
"""Steps after which the curvature is measured anew: it costs half as much as a step."""

ROUNDING = 1e-6
"""A step counts as no worse when the divergence rises relatively by less."""


@dataclass(frozen=True)
class DivergenceEncoder:
    """Solves ``min d(v ‖ W h)`` over ``ε' ≤ h ≤ U'`` for each of n samples: Zhao, Tan & Xu (2017), algorithm 2.

    Each step is ``h ← P(h − β c⁻¹ ∘ g)``. With ``q`` the weights of the divergence, ``g = Wᵀ(q ∘ (u − v))`` is the
    gradient and ``c = Wᵀ(q ∘ W1)`` bounds its curvature, so that the basis images' brightness, which nothing fixes,
    does not matter. Departures from the paper, which leaves β open: Nesterov's extrapolation; a step that would raise
    the divergence is not done, and the next is plain, then half as long (per sample).

    Attributes
    ----------
    divergence : Divergence
    tolerance : float
        Steps end when one lowers the sum of the divergences relatively by less.
    n_steps : int
        At most.
    """

    divergence: Divergence
    tolerance: float
    n_steps: int

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, int]:
        """Return coefficients (n, K) and the steps done.

        Parameters
        ----------
        V : (n, F)
            Samples, units of white.
        W : (K, F)
            Dictionary, nonnegative.
        H : (n, K)
            Start; the result is never worse.
        """
        d, number = self.divergence, V.dtype.type
        V = d.target(V)
        colours = W.sum(axis=0)
        H = _boxed(H)
        U = H @ W
        values = d.values(V, U)
        last_H, last_U = H, U
        momentum = np.ones((len(V), 1), V.dtype)
        length = np.ones_like(momentum)
        step = 0
        while step < self.n_steps:
            stopping.check()
            if step % REFRESH == 0:
                curvature = (d.weights(V, U) * colours) @ W.T
                scale = 1 / np.maximum(curvature, number(1e-30))
            step += 1
            following = (1 + np.sqrt(1 + 4 * momentum * momentum)) / 2
            ahead = (momentum - 1) / following
            X = U + ahead * (U - last_U)
            gradient = (d.weights(V, X) * (X - V)) @ W.T
            new_H = _boxed(H + ahead * (H - last_H) - length * scale * gradient)
            new_U = new_H @ W
            new_values = d.values(V, new_U)
            fine = (new_values <= values * (1 + ROUNDING))[:, None]
            last_H, last_U = H, U
            if fine.all():
                gain = float((values - new_values).sum())
                H, U, values, momentum = new_H, new_U, new_values, following
                if gain <= self.tolerance * float(values.sum()):
                    break
            else:
                length = np.where(fine | (momentum > 1), length, length / 2)
                momentum = np.where(fine, following, number(1))
                H, U = np.where(fine, new_H, H), np.where(fine, new_U, U)
                values = np.where(fine[:, 0], new_values, values)
        return H, step


def _boxed(H: Matrix) -> Matrix:
    return np.minimum(np.maximum(H, H.dtype.type(LOWEST)), H.dtype.type(HIGHEST))
