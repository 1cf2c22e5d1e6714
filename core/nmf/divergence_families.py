"""The families of divergences that the paper's remark 1 names: each has a number, or two, that a person can choose.

Zhao, Tan & Xu (2017), section 2.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.nmf.divergences import LEAST, ItakuraSaito, KullbackLeibler, Matrix, Plain, bounded, total

NEARLY = 1e-3
"""Where α or β is as near as this to a value at which its formula divides by zero, that family member's own is used;
and ratios as near to 1 count as 1."""


@dataclass(frozen=True)
class Alpha(Plain):
    """``(α v + (1 − α) u − v^α u^(1−α)) / (α (1 − α))``: Kullback-Leibler at 1, Hellinger's distance at ½.

    Cichocki, Lee, Kim & Choi (2008).

    Attributes
    ----------
    alpha : float
        α, positive: the larger, the more samples count that stand above the background.
    """

    alpha: float

    @property
    def exponent(self) -> float:
        """``1/α``."""
        return 1 / self.alpha

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        a, u = self.alpha, bounded(U)
        if abs(a - 1) < NEARLY:
            return KullbackLeibler().values(V, U)
        ratio = (self.target(V) / u).astype(np.float64)
        return total(u * ((a * ratio + 1 - a - ratio**a) / (a * (1 - a))))

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``(1 − (v/u)^α) / (α (u − v))``; ``1/u`` where the two are equal."""
        u = bounded(U)
        return np.asarray(_slope(self.target(V) / u, self.alpha) / u, u.dtype)

    def pulls(self, V: Matrix, U: Matrix) -> tuple[Matrix, Matrix]:
        """Return ``(v/u)^α / v`` and ``1/u``."""
        v, u = self.target(V), bounded(U)
        return np.asarray((v / u) ** self.alpha / v, u.dtype), 1 / u

    def target(self, V: Matrix) -> Matrix:
        """Return the samples, at least `LEAST`."""
        return bounded(V)


@dataclass(frozen=True)
class Beta(Plain):
    """``(v^β + (β − 1) u^β − β v u^(β−1)) / (β (β − 1))``: squared at 2, Kullback-Leibler at 1, Itakura-Saito at 0.

    Févotte & Idier (2011).

    Attributes
    ----------
    beta : float
        β, not negative: the larger, the more bright values count.
    """

    beta: float

    @property
    def exponent(self) -> float:
        """1 for β from 1 to 2, less for others."""
        return 1 / (2 - self.beta) if self.beta < 1 else 1 / max(1.0, self.beta - 1)

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        b, u = self.beta, bounded(U)
        if b < NEARLY:
            return ItakuraSaito(LEAST).values(V, U)
        if abs(b - 1) < NEARLY:
            return KullbackLeibler().values(V, U)
        ratio = (self.target(V) / u).astype(np.float64)
        return total(u**b * ((ratio**b + b - 1 - b * ratio) / (b * (b - 1))))

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``u^(β−2)``."""
        u = bounded(U)
        return np.asarray(u ** (self.beta - 2), u.dtype)

    def target(self, V: Matrix) -> Matrix:
        """Return the samples, at least `LEAST`."""
        return bounded(V)


@dataclass(frozen=True)
class AlphaBeta(Plain):
    """``(v^λ + β/α u^λ − λ/α v^α u^β) / (λ β)`` with ``λ = α + β``.

    Members are the α-divergences, with ``β = 1 − α``, and the β-divergences, with ``α = 1`` and β one less than theirs.
    Cichocki, Cruces & Amari (2011), also of the exponents of the updates.

    Attributes
    ----------
    alpha : float
        α, positive: the smaller, the less samples count that stand far above the background.
    beta : float
        β, not negative: the larger, the more bright values count.
    """

    alpha: float
    beta: float

    @property
    def exponent(self) -> float:
        """``1/α`` for β from ``1 − α`` to 1, less for others."""
        if self.beta < 1 - self.alpha:
            return 1 / (1 - self.beta)
        return 1 / max(self.alpha, self.alpha + self.beta - 1)

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        a, b, u = self.alpha, self.beta, bounded(U).astype(np.float64)
        ratio = self.target(V) / u
        if b < NEARLY:
            power = ratio**a
            return total(u**a * (power * np.log(power) - power + 1) / a**2)
        whole = a + b
        return total(u**whole * (ratio**whole + b / a - whole / a * ratio**a) / (whole * b))

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``u^(β−1) (u^α − v^α) / (α (u − v))``; ``u^(α+β−2)`` where the two are equal."""
        u = bounded(U)
        return np.asarray(u ** (self.alpha + self.beta - 2) * _slope(self.target(V) / u, self.alpha), u.dtype)

    def pulls(self, V: Matrix, U: Matrix) -> tuple[Matrix, Matrix]:
        """Return ``v^α u^(β−1) / v`` and ``u^(α+β−2)``."""
        v, u = self.target(V), bounded(U)
        power = u ** (self.alpha + self.beta - 2)
        return np.asarray(power * (v / u) ** (self.alpha - 1), u.dtype), np.asarray(power, u.dtype)

    def target(self, V: Matrix) -> Matrix:
        """Return the samples, at least `LEAST`."""
        return bounded(V)


@dataclass(frozen=True)
class Gamma(Plain):
    """``ln Σv^(1+γ) / (γ (1+γ)) + ln Σu^(1+γ) / (1+γ) − ln Σ v u^γ / γ``, and a price on a wrong level.

    Fujisawa & Eguchi (2008); Cichocki & Amari (2010). It is the same for ``u`` and ``c u``, and so leaves the level of
    a background open. The β-divergence with ``β = 1 + γ`` does not, and its least value over all levels ``c`` is
    ``Σv^β (1 − exp(−γ β d)) / (γ β)``: both have the same best shape. So ``d = −ln(1 − γ β D_β / Σv^β) / (γ β)`` is
    minimised here, which is the γ-divergence at the level that fits best, and more at any other. A background more than
    ``β/γ`` times too bright has no finite value; there it counts as just under that. A sample that is black all over
    has no shape, and no weight in multiplicative updates: it teaches nothing, and its background becomes black at once.

    Attributes
    ----------
    gamma : float
        γ, positive: towards 0 Kullback-Leibler's, of shapes.
    """

    gamma: float

    @property
    def exponent(self) -> float:
        """``1/(1 + γ)``: Jensen's inequality for both logarithms gives a majorizer of the γ-divergence with that."""
        return 1 / (1 + self.gamma)

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        out: NDArray[np.float64] = np.log1p(-self._lost(V, U)) / (-self.gamma * (1 + self.gamma))
        return out

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``u^(γ−1) / (Σv^β − γ β D_β)``."""
        u = bounded(U)
        left = total(self.target(V) ** (1 + self.gamma)) * (1 - self._lost(V, U))
        return np.asarray(u ** (self.gamma - 1) / left[:, None].astype(u.dtype), u.dtype)

    def pulls(self, V: Matrix, U: Matrix) -> tuple[Matrix, Matrix]:
        """Return ``u^(γ−1)`` over ``Σ v u^γ``, and over ``Σ u^(1+γ)``; 0 of samples without shape."""
        u = bounded(U)
        power = np.where(_has_shape(V)[:, None], u ** (self.gamma - 1), u.dtype.type(0))
        alike, own = self._sums(V, u)
        return power / alike, power / own

    def level(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``Σ v u^γ / Σ u^(1+γ)``."""
        alike, own = self._sums(V, bounded(U))
        return alike / own

    def target(self, V: Matrix) -> Matrix:
        """Return the samples, at least `LEAST`."""
        return bounded(V)

    def _sums(self, V: Matrix, u: Matrix) -> tuple[Matrix, Matrix]:
        """Return ``Σ v u^γ`` and ``Σ u^(1+γ)``, (n, 1) each."""
        alike, own = (total(x * u**self.gamma)[:, None].astype(u.dtype) for x in (self.target(V), u))
        return alike, own

    def _lost(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return ``γ β D_β / Σv^β``, below 1."""
        beta = 1 + self.gamma
        lost = self.gamma * beta * Beta(beta).values(V, U) / total(self.target(V) ** beta)
        return np.minimum(lost, 1 - NEARLY)


def _has_shape(V: Matrix) -> NDArray[np.bool_]:
    """Tell of samples (n, F) whether anything in them is brighter than black, (n,)."""
    out: NDArray[np.bool_] = V.max(axis=1) > V.dtype.type(LEAST)
    return out


def _slope(ratio: Matrix, a: float) -> Matrix:
    """Return ``(r^a − 1) / (a (r − 1))``, 1 where ``r`` is."""
    apart = np.where(np.abs(ratio - 1) < NEARLY, ratio.dtype.type(2), ratio)
    return np.where(apart == ratio, (apart**a - 1) / (a * (apart - 1)), 1 + (a - 1) / 2 * (ratio - 1))
