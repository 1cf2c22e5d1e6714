"""Penalties on coefficients and on outliers, each with its proximal operator."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.nmf.groups import Groups
from core.nmf.inner_products import inner
from core.nmf.shrinkage import soft_threshold

Matrix = NDArray[np.floating]

HALVINGS = 50
"""Bisection for a bounded group's factor stops after so many halvings: more than a float64 can tell apart."""


class Penalty(Protocol):
    """A convex function of the rows of a matrix, summed over them (section VI-B of Zhao & Tan, 2017)."""

    def value(self, X: Matrix) -> float:
        """Return the penalty of ``X`` (n, P), all rows together."""

    def prox(self, X: Matrix, step: float, low: float = -np.inf, high: float = np.inf) -> Matrix:
        """Return ``argmin over low ≤ Z ≤ high of ½‖Z − X‖² + step · value(Z)``.

        Parameters
        ----------
        X : (n, P) float32 or float64
            Left as it is.
        step : float
            Positive.
        low, high : float
            Interval that holds 0.
        """


@dataclass(frozen=True)
class NoPenalty:
    """0 everywhere."""

    def value(self, X: Matrix) -> float:
        """Return 0."""
        return 0.0

    def prox(self, X: Matrix, step: float, low: float = -np.inf, high: float = np.inf) -> Matrix:
        """Return ``X`` within the interval."""
        return _within(X, low, high)


@dataclass(frozen=True)
class Lasso:
    """``weight · ‖x‖₁``: few entries differ from zero."""

    weight: float

    def value(self, X: Matrix) -> float:
        """Return the sum of the absolute values, weighted."""
        return self.weight * float(np.abs(X).sum())

    def prox(self, X: Matrix, step: float, low: float = -np.inf, high: float = np.inf) -> Matrix:
        """Return the soft threshold of ``X`` within the interval: entries are separate, so clipping is exact."""
        return _within(soft_threshold(X, step * self.weight), low, high)


@dataclass(frozen=True)
class Ridge:
    """``weight/2 · ‖x‖₂²``, Tikhonov's: no entry grows large."""

    weight: float

    def value(self, X: Matrix) -> float:
        """Return half the sum of squares, weighted."""
        return self.weight * inner(X, X) / 2

    def prox(self, X: Matrix, step: float, low: float = -np.inf, high: float = np.inf) -> Matrix:
        """Return ``X`` shrunk by a factor, within the interval."""
        return _within(X / X.dtype.type(1 + step * self.weight), low, high)


@dataclass(frozen=True)
class ElasticNet:
    """``lasso · ‖x‖₁ + ridge/2 · ‖x‖₂²``: few entries differ from zero, and none grows large."""

    lasso: float
    ridge: float

    def value(self, X: Matrix) -> float:
        """Return both parts."""
        return Lasso(self.lasso).value(X) + Ridge(self.ridge).value(X)

    def prox(self, X: Matrix, step: float, low: float = -np.inf, high: float = np.inf) -> Matrix:
        """Return the soft threshold, shrunk by a factor, within the interval: entries are separate."""
        return Ridge(self.ridge).prox(soft_threshold(X, step * self.lasso), step, low, high)


@dataclass(frozen=True)
class WithRidge:
    """Another penalty, and ``ridge/2 · ‖x‖₂²``."""

    penalty: Penalty
    ridge: float

    def value(self, X: Matrix) -> float:
        """Return both parts."""
        return self.penalty.value(X) + Ridge(self.ridge).value(X)

    def prox(self, X: Matrix, step: float, low: float = -np.inf, high: float = np.inf) -> Matrix:
        """Return the minimiser of the other penalty where the squares, completed, have shrunk point and step."""
        factor = 1 / (1 + step * self.ridge)
        return self.penalty.prox(X * X.dtype.type(factor), step * factor, low, high)


@dataclass(frozen=True)
class SparseGroupLasso:
    """``lasso · ‖x‖₁ + group · Σ_g √n_g ‖x_g‖₂`` over groups of n_g entries: few groups, and few entries in them.

    With ``lasso`` 0 it is the group lasso. The factors √n_g are those of Yuan & Lin (2006): groups of all sizes go
    when their entries are as small in the mean square.

    Attributes
    ----------
    lasso, group : float
        Weights, nonnegative.
    groups : Groups
        Which entries belong together.
    """

    lasso: float
    group: float
    groups: Groups = field(repr=False)

    def value(self, X: Matrix) -> float:
        """Return both parts, weighted."""
        norms = np.sqrt(self.groups.sums(X * X))
        weights = self.group * np.sqrt(self.groups.sizes(X.shape[1]))
        return self.lasso * float(np.abs(X).sum()) + float(np.sum(norms @ weights, dtype=np.float64))

    def prox(self, X: Matrix, step: float, low: float = -np.inf, high: float = np.inf) -> Matrix:
        """Return the soft threshold, then each group shortened; see `Penalty.prox`.

        A lower bound at 0 acts first: an entry that may not be negative is best at 0 if ``X`` is below it, whatever its
        group does. Where another bound cuts a group, its size solves an equation in one unknown (`_shortened`).
        """
        number = X.dtype.type
        X = soft_threshold(X, step * self.lasso)
        if low == 0:
            X = np.maximum(X, number(0))
        weights = (step * self.group * np.sqrt(self.groups.sizes(X.shape[1]))).astype(X.dtype)
        norms = np.sqrt(self.groups.sums(X * X))
        factors: Matrix = np.maximum(0, norms - weights) / np.maximum(norms, np.finfo(X.dtype).tiny)
        Z = X * self.groups.spread(factors, X.shape[1])
        if Z.size == 0 or (Z.min() >= low and Z.max() <= high):
            return Z
        cut = self.groups.sums(((low > Z) | (high < Z)).astype(X.dtype)) > 0
        factors = self._shortened(X, factors, weights, cut, number(low), number(high))
        return _within(X * self.groups.spread(factors, X.shape[1]), low, high)

    def _shortened(
        self, X: Matrix, factors: Matrix, weights: Matrix, cut: NDArray[np.bool_], low: np.floating, high: np.floating
    ) -> Matrix:
        """Return the factors ``t`` of groups, such that ``clip(t x)`` is the minimiser where bounds cut it.

        The minimiser has ``z = clip(x · s / (s + weight))`` with ``s = ‖z‖``. In ``t = s / (s + weight)`` that is
        ``‖clip(t x)‖ / t = weight / (1 − t)``, whose left side falls and whose right side rises: one root, found by
        halving the interval.
        """
        least, most = np.zeros_like(factors), np.ones_like(factors)
        weight = np.broadcast_to(weights, factors.shape)
        for _ in range(HALVINGS):
            middle = (least + most) / 2
            Z = _within(X * self.groups.spread(middle, X.shape[1]), low, high)
            above = np.sqrt(self.groups.sums(Z * Z)) * (1 - middle) > weight * middle
            least, most = np.where(above, middle, least), np.where(above, most, middle)
        return np.where(cut, (least + most) / 2, factors)


def _within(X: Matrix, low: float | np.floating, high: float | np.floating) -> Matrix:
    if low != -np.inf:
        X = np.maximum(X, X.dtype.type(low))
    return X if high == np.inf else np.minimum(X, X.dtype.type(high))
