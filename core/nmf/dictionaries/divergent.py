"""The dictionary's stochastic gradient step for any divergence, and the set that it stays in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.nmf.constraints import Simplex
from core.nmf.divergences import Divergence, Matrix
from core.state_schema import LEARNT_COUNT, NONNEGATIVE_SUMS, ArraySpec, StateSchema, all_or_none

LEAST_SUM, HIGHEST = 1e-8, 1e8
"""ε and U of Zhao, Tan & Xu (2017), remark 2."""

RECENT = 0.05
"""Share that one more mini-batch has in the mean curvature, once there are enough."""

LEAST_CURVATURE = 1e-3
"""Curvature that each column counts with, as part of the most curved one's at that pixel: one that was hardly ever
used shall not leap."""


def project_onto_floored_sums(W: Matrix, least: float = LEAST_SUM, highest: float = HIGHEST) -> Matrix:
    """Move ``W`` to the nearest point of ``C = {0 ≤ W ≤ U, Σ_k W_kf ≥ ε for each value f}``; in place, and returned.

    Zhao, Tan & Xu (2017), section 2.2. The set is a product over the values f. Where clipping leaves a sum of ε or
    more, that is the nearest point. Elsewhere the nearest point has the sum ε exactly (as ``ε ≤ U``, no upper bound
    binds), so it is the projection onto a simplex of that size.

    Parameters
    ----------
    W : (K, F)
        One basis image a row.
    least, highest : float
        ε and U, with ``ε ≤ U``.
    """
    short = np.flatnonzero(np.maximum(W, 0).sum(axis=0, dtype=np.float64) < least)
    if short.size:
        scaled = W[:, short].T.astype(np.float64) / least
        W[:, short] = Simplex().project(scaled).T * least
    return np.clip(W, 0, W.dtype.type(highest), out=W)


class GradientStep:
    """``W ← P_C(W − η c⁻¹ ∘ G)`` after each mini-batch: Zhao, Tan & Xu (2017), eq. (5), with curvature as the unit.

    ``G = mean of h (q ∘ (u − v))ᵀ`` is the gradient, and ``c = mean of (Σh) h qᵀ`` over all mini-batches, later ones
    counting more, but no less than that of this one, bounds the curvature at each entry. The paper steps by
    ``η_t G_t`` alone. But nothing fixes the scale of W: doubling it and halving h leaves the model as it is and makes
    that step a quarter as long, and what is long depends on the divergence and on the grey range too. In units of
    ``1/c`` it does not, 1 is the longest safe step for all six, and the paper's ``η_t = a/(b + τt)`` begins there.

    Parameters
    ----------
    divergence : Divergence
    a, b : float
        Of the step length; no step is longer than 1.
    """

    def __init__(self, divergence: Divergence, a: float, b: float) -> None:
        self._divergence, self._a, self._b = divergence, a, b
        self._curvature: NDArray[np.float32] | None = None
        self._n_batches, self._n_seen = 0, 0

    def step(self, V: Matrix, W: Matrix, H: Matrix) -> Matrix:
        """Return the dictionary (K, F) after samples ``V`` (n, F) whose coefficients with ``W`` are ``H`` (n, K)."""
        number = W.dtype.type
        V = self._divergence.target(V)
        U = H @ W
        weights = self._divergence.weights(V, U)
        self._n_batches += 1
        self._n_seen += len(V)
        curvature = H.T @ (weights * H.sum(axis=1, keepdims=True)) / number(len(V))
        if self._curvature is None:
            self._curvature = curvature
        else:
            share = number(max(RECENT, 1 / self._n_batches))
            self._curvature = self._curvature + share * (curvature - self._curvature)
        unit = np.maximum(self._curvature, curvature)  # Light that comes back bends more than the dark before it.
        unit = np.maximum(unit, np.maximum(number(LEAST_CURVATURE) * unit.max(axis=0), number(1e-30)))
        length = number(min(1.0, self._a / (self._b + self._n_seen)) / len(V))
        return project_onto_floored_sums(W - length * (H.T @ (weights * (U - V))) / unit)

    def keep(self, kept: NDArray[np.intp], n_new: int) -> None:
        """Go on with some of the columns; ``n_new`` join that start as carefully as the most curved one."""
        if self._curvature is not None:
            most = self._curvature.max(axis=0)
            self._curvature = np.vstack([self._curvature[kept], np.tile(most, (n_new, 1))])

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays that `load` needs; not copied."""
        counts = np.array([self._n_batches, self._n_seen])
        return {} if self._curvature is None else {"curvature": self._curvature, "counts": counts}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give for vectors of length ``n_values``; the rank is the size ``K``."""
        V = np.ones((1, 2), np.float32)
        weighs_samples = self._divergence.weights(V, 2 * V).shape[1] == 1
        return all_or_none({
            "curvature": ArraySpec(np.float32, ("K", 1 if weighs_samples else n_values), (NONNEGATIVE_SUMS,)),
            "counts": ArraySpec(np.int64, (2,), (LEARNT_COUNT,)),
        })  # fmt: skip

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load copies of arrays that `state` gave."""
        if state:
            self._curvature = np.array(state["curvature"], np.float32)
            self._n_batches, self._n_seen = (int(n) for n in state["counts"])
