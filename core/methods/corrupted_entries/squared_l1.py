"""The squared ℓ1 norm as the penalty on outliers: the more of a sample is one, the more each costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.kernels import squared_l1 as kernel
from core.methods.rules import Matrix


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
        """Return the minimising outliers (n, F) and the penalty of each sample (see `Outliers`)."""
        E = np.empty_like(residual)
        sums = [kernel.shrink(r, self.lam, e) for r, e in zip(residual, E, strict=True)]
        return E, self.lam * np.square(np.array(sums, np.float64))
