"""What distance a factorization minimises: divergences ``d(v ‖ u)`` of a sample and its background.

Each is a value and a weight. The weight q makes the derivative, ``∂d/∂u = q (u − v)``, and tells how curved the
divergence is: seen from ``u`` it resembles ``½ q (v − u)²``, so one step serves all (`core.nmf.encoders.divergent`,
`core.nmf.dictionaries.divergent`, `core.methods.divergence.rules`). For the squared error, Huber, ℓ1 and ℓ2 that is the
half-quadratic majorizer, for Itakura-Saito and Kullback-Leibler Fisher's information of the noise that they stand for.

Zhao, Tan & Xu (2017), section 6.3; its remark 1 names families besides (`core.nmf.divergence_families`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.nmf.shrinkage import huber

Matrix = NDArray[np.floating]
Real = TypeVar("Real", bound=np.floating[Any])

LEAST = 1e-3 / 255
"""Least background and, for Kullback-Leibler, least sample, units of white: a thousandth of a grey level."""

SMOOTHED = 0.5 / 255
"""Differences below which ℓ1 and ℓ2 are rounded off, as at zero they have no derivative: half a grey level, which
rounding of the samples makes anyway. (With a tenth of one both learn several times slower.)"""


class Divergence(Protocol):
    """A divergence of samples ``V`` (n, F) and backgrounds ``U`` (n, F), units of white; both may be 0."""

    @property
    def exponent(self) -> float:
        """γ of multiplicative updates, with which they never raise the divergence."""

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergence of each sample (n,), a sum over its values."""

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return q, positive, in a shape that broadcasts to (n, F)."""

    def pulls(self, V: Matrix, U: Matrix) -> tuple[Matrix, Matrix]:
        """Return what weighs samples and backgrounds in multiplicative updates, in shapes that broadcast to (n, F)."""

    def level(self, V: Matrix, U: Matrix) -> Matrix | None:
        """Return by what (n, 1) to multiply backgrounds to be as bright as fits best; None where updates see to it."""

    def target(self, V: Matrix) -> Matrix:
        """Return the samples as the divergence takes them: never below what it can bear."""

    def capped(self, E: Matrix) -> Matrix | None:
        """Return the residual ``v − u`` without its outliers; None where it knows none."""


class Plain:
    """What divergences are unless they say otherwise: samples as they are, full multiplicative updates, no outliers."""

    @property
    def exponent(self) -> float:
        """Full updates."""
        return 1.0

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return q; each divergence has its own."""
        raise NotImplementedError

    def pulls(self, V: Matrix, U: Matrix) -> tuple[Matrix, Matrix]:
        """Return the weights for both."""
        weights = self.weights(V, U)
        return weights, weights

    def level(self, V: Matrix, U: Matrix) -> Matrix | None:
        """Return nothing."""
        return None

    def target(self, V: Matrix) -> Matrix:
        """Return the samples themselves."""
        return V

    def capped(self, E: Matrix) -> Matrix | None:
        """Return None."""
        return None


@dataclass(frozen=True)
class ItakuraSaito(Plain):
    """``v/u − ln(v/u) − 1``, for noise that multiplies: ratios count, so dark values count as much as bright ones.

    Attributes
    ----------
    darkest : float
        Samples count as at least this, units of white: a ratio to black is infinite.
    """

    darkest: float

    @property
    def exponent(self) -> float:
        """Half."""
        return 0.5

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        ratio = self.target(V) / bounded(U)
        return total(ratio - np.log(ratio) - 1)

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``1/u²``."""
        return np.square(1 / bounded(U))

    def target(self, V: Matrix) -> Matrix:
        """Return the samples, at least `darkest`."""
        return np.maximum(V, V.dtype.type(self.darkest))


@dataclass(frozen=True)
class KullbackLeibler(Plain):
    """``v ln(v/u) − v + u``, for counts with Poisson noise."""

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        v, u = self.target(V), bounded(U)
        return total(v * np.log(v / u) - v + u)

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``1/u``."""
        return 1 / bounded(U)

    def target(self, V: Matrix) -> Matrix:
        """Return the samples, at least `LEAST`: the paper puts 1e-3 where they are zero."""
        return bounded(V)


@dataclass(frozen=True)
class Squared(Plain):
    """``½ (v − u)²``, for normal noise."""

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        return total(np.square(V - U)) / 2

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return 1."""
        return np.ones((1, 1), V.dtype)


@dataclass(frozen=True)
class HuberDivergence(Plain):
    """``½ e²`` for differences ``e`` up to δ, ``δ |e| − ½ δ²`` beyond.

    Attributes
    ----------
    delta : float
        δ, units of white.
    """

    delta: float

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        size = np.abs(V - U)
        return total(huber(size, size.dtype.type(self.delta)))

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``min(1, δ/|e|)``."""
        delta = V.dtype.type(self.delta)
        return delta / np.maximum(np.abs(V - U), delta)

    def capped(self, E: Matrix) -> Matrix:
        """Return the residual within ±δ: Huber's loss is what is left of ``½‖e − r‖² + δ‖r‖₁`` with the best r."""
        delta = E.dtype.type(self.delta)
        return np.clip(E, -delta, delta)


@dataclass(frozen=True)
class L1(Plain):
    """``|e|``, rounded off below `SMOOTHED`: Huber's loss with that δ, over δ, and half of it more."""

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        return total(_rounded(np.abs(V - U)))

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``1/|e|``."""
        return 1 / np.maximum(np.abs(V - U), V.dtype.type(SMOOTHED))


@dataclass(frozen=True)
class L2(Plain):
    """``‖e‖₂`` of a whole sample, rounded off below `SMOOTHED`: samples that fit badly count less."""

    def values(self, V: Matrix, U: Matrix) -> NDArray[np.float64]:
        """Return the divergences (n,)."""
        return _rounded(np.sqrt(total(np.square(V - U))))

    def weights(self, V: Matrix, U: Matrix) -> Matrix:
        """Return ``1/‖e‖``, (n, 1)."""
        norms = np.sqrt(total(np.square(V - U)))
        return (1 / np.maximum(norms, SMOOTHED)).astype(V.dtype)[:, None]


def bounded(U: Matrix) -> Matrix:
    """Return backgrounds or samples (n, F), at least `LEAST`."""
    return np.maximum(U, U.dtype.type(LEAST))


def total(values: Matrix) -> NDArray[np.float64]:
    """Return the sum over each sample, (n,), of values (n, F)."""
    out: NDArray[np.float64] = values.sum(axis=1, dtype=np.float64)
    return out


def _rounded(size: NDArray[Real]) -> NDArray[Real]:
    """Return sizes with a parabola of the same value and slope in place of the tip at zero."""
    tip = size.dtype.type(SMOOTHED)
    return np.where(size < tip, np.square(size) / (2 * tip) + tip / 2, size)
