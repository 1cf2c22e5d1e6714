"""The dictionary by multiplicative updates: the rule of ONMFO."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.nmf.constraints import NonnegativeOrthant
from core.nmf.dictionaries.base import Descent, Statistics
from core.nmf.dictionaries.domain import Domain
from core.nmf.vanishing import TINY, clear_vanished
from core.runtime import stopping


class MultiplicativeDictionary:
    """``W ∘= (Σ v hᵀ) / (W Σ h hᵀ + Σ r hᵀ)``; the surrogate never rises.

    Zhao & Tan (2016), eq. (18). The columns are not bounded.

    Parameters
    ----------
    tolerance : float
        Stop when the surrogate falls relatively by less.
    max_iterations : int
    """

    needs_outliers = True
    domain = Domain(NonnegativeOrthant())

    def __init__(self, tolerance: float, max_iterations: int) -> None:
        self._tolerance, self._max_iterations = tolerance, max_iterations

    def update(self, W: NDArray[np.floating], statistics: Statistics) -> NDArray[np.floating]:
        """Return a better dictionary (K, F); see `core.nmf.dictionaries.base.DictionaryRule`."""
        assert statistics.C is not None, "this rule needs the outliers' statistics"
        A, tiny = statistics.A.astype(W.dtype), W.dtype.type(TINY)
        above = statistics.B + statistics.C + tiny
        below = statistics.C + tiny
        before, descent = np.inf, Descent(statistics, W)
        for _ in range(self._max_iterations):
            stopping.check()
            product = A @ W
            value = descent.value(W, product - statistics.B)
            if before - value <= self._tolerance * abs(value):
                break
            before = value
            product += below
            W = W * above
            W /= product
            clear_vanished(W)
        return W.copy()
