"""The squared ℓ1 norm as the price of outliers: the more of a sample is one, the more each costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.rules import Matrix


@dataclass(frozen=True)
class SquaredL1:
    """``λ ‖e‖₁²`` for each sample (Shen et al. 2012, eq. 6).

    The minimum over ``e`` of ``‖r − e‖² + λ ‖e‖₁²`` for a residual ``r`` is a soft threshold ``τ`` that depends on the
    sample: ``e = S_τ(r)`` with ``τ = λ ‖e‖₁``, so ``τ = λ Σ|r| / (1 + λ m)`` over the m entries above it. The paper's
    multiplicative step (9) on the parts ``Eᵖ``, ``Eⁿ`` tends to the same minimiser but reaches no zero, and what it
    detects is ``E ≠ 0``. The paper's constraint ``V − E ≥ 0`` holds of itself where ``V − r ≥ 0``.

    Attributes
    ----------
    lam : float
        λ, a pure number: objective and data scale alike.
    """

    lam: float

    def of(self, V: Matrix, residual: Matrix) -> tuple[Matrix, NDArray[np.float64]]:
        """Return the minimising outliers (n, F) and the penalty of each sample (see `core.set_aside.Outliers`)."""
        size = np.abs(residual)
        tau = self._thresholds(size)[:, None].astype(np.float32)
        over = np.maximum(size - tau, 0)
        return np.copysign(over, residual), self.lam * np.square(over.sum(axis=1, dtype=np.float64))

    def _thresholds(self, size: Matrix) -> NDArray[np.float64]:
        """Return ``τ`` (n,): Newton's method from 0, which climbs to the solution in finitely many steps."""
        tau = np.zeros(len(size))
        n_above = np.full(len(size), -1)
        while True:
            above = size > tau[:, None].astype(np.float32)
            count = np.count_nonzero(above, axis=1)
            if np.array_equal(count, n_above):
                return tau
            n_above = count
            tau = np.maximum(
                tau, self.lam * np.where(above, size, 0).sum(axis=1, dtype=np.float64) / (1 + self.lam * count)
            )
