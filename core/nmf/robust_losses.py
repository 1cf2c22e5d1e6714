"""Robust losses of a residual, and the weights by which least squares minimises them (half-quadratic form).

Each loss ``φ`` is minimised by turns: the weights ``q = φ'(e)/e`` of the residual at hand, then weighted least
squares; a fixed scale given, no turn raises the loss (Geman & Yang 1995; Guan et al. 2019, sections 2.2 and 3). The
losses are normalised to ``q = 1`` at ``e = 0``, ``φ ≈ ½e²`` (but for `Absolute` and the norms of whole samples),
which moves no minimum and makes ``(1 − q) e`` what of a residual counts as outlier.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.nmf.inner_products import inner_by_row
from core.nmf.residual_scales import FLOOR, ROBUST_SIGMAS, magnitudes_of, nagy, outlier_limit
from core.nmf.shrinkage import huber
from core.state_schema import LARGEST, Range

Matrix = NDArray[np.float32]

SCALE = Range(1e-12, LARGEST)
"""Of one number of a scale, which divides."""


class RobustLoss(ABC):
    """A loss ``φ`` of a residual, and the weights by which least squares minimises it.

    Residuals ``E`` are (n, F) float32, one sample a row, units of white. A scale is an array (m, p) float32 of p
    numbers, for all samples alike (m = 1) or for each (m = n).
    """

    by_entry = False
    """Do entries of a sample differ in weight? If not, coefficients are plain least squares, whatever the weights."""

    scale_ranges: tuple[Range, ...] = (SCALE,)
    """What each of the p numbers of a scale may be."""

    def scale(self, E: Matrix, *, each: bool = False) -> Matrix:
        """Return the scale of a residual, of all samples together or of ``each`` by itself; (1, p) or (n, p)."""
        return np.ones((1, 1), np.float32)

    def lenient(self, scale: Matrix) -> Matrix:
        """Return a scale with which no entry is without weight, to begin with; the same where none ever is."""
        return scale

    def late(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return the scale of a residual for when the factors have settled; the same where that makes no difference."""
        return scale

    @abstractmethod
    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return the weight of each entry, (n, F), or of each sample, (n, 1), or (1, 1) where all are alike."""

    @abstractmethod
    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return the loss of each sample, (n,)."""

    def capped(self, E: Matrix, scale: Matrix) -> Matrix | None:
        """Return what is left of the residual without outliers, (n, F); None where the loss knows none."""
        return None


class LeastSquaresLoss(RobustLoss):
    """``½e²``, ``q = 1`` (NeNMF)."""

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return 1, (1, 1)."""
        return np.ones((1, 1), np.float32)

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return half the sum of squares of each sample."""
        return inner_by_row(E, E) / 2


class EntryLoss(RobustLoss):
    """A loss that weighs each entry by itself."""

    by_entry = True

    def capped(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``q e`` (n, F)."""
        return E * self.weights(E, scale)


@dataclass(frozen=True)
class FixedScale(EntryLoss):
    """A loss whose scale, the μ or c of its formula, is given.

    Attributes
    ----------
    given : float
        Units of white.
    """

    given: float

    def scale(self, E: Matrix, *, each: bool = False) -> Matrix:
        """Return what is given, whatever the residual."""
        return np.full((1, 1), self.given, np.float32)


class Absolute(FixedScale):
    """``|e|``, smoothed as Nesterov does: ``e²/2μ`` up to ``μ``, then ``|e| − μ/2``; ``q = 1/max(|e|, μ)`` (MahNMF)."""

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``1/max(|e|, μ)``."""
        return np.reciprocal(np.maximum(np.abs(E), scale))

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return the smoothed sum of magnitudes."""
        return _sums(huber(np.abs(E), scale)) / scale[:, 0].astype(np.float64)

    def capped(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``e`` clipped to ±μ."""
        return np.clip(E, -scale, scale)


class Hypersurface(FixedScale):
    """``c²(√(1 + (e/c)²) − 1)``, ``q = 1/√(1 + (e/c)²)`` (Hamza & Brady 2006, with ``c = 1``)."""

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``1/√(1 + (e/c)²)``."""
        out: Matrix = np.reciprocal(np.sqrt(1 + np.square(E / scale)))
        return out

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return the hypersurface cost; written so that small residuals are not lost to rounding."""
        x = np.square(E / scale)
        return _sums(np.square(scale) * (x / (np.sqrt(1 + x) + 1)))


class Huber(EntryLoss):
    """``½e²`` up to ``c``, then ``c|e| − ½c²``; ``q = min(1, c/|e|)``, ``c`` the median of ``|e|`` (Du et al. 2012)."""

    def scale(self, E: Matrix, *, each: bool = False) -> Matrix:
        """Return the median magnitude."""
        return np.maximum(np.median(magnitudes_of(E, each), axis=1, keepdims=True), FLOOR).astype(np.float32)

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``min(1, c/|e|)``."""
        return scale * np.reciprocal(np.maximum(np.abs(E), scale))

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return Huber's loss."""
        return _sums(huber(np.abs(E), scale))


class FixedHuber(FixedScale, Huber):
    """Huber's loss with a cutoff ``c`` that is given."""


class Correntropy(EntryLoss):
    """``σ²(1 − exp(−e²/2σ²))``, ``q = exp(−e²/2σ²)``, where ``2σ²`` is the mean of ``e²`` (CIM; Du et al. 2012)."""

    def scale(self, E: Matrix, *, each: bool = False) -> Matrix:
        """Return σ."""
        squares = np.square(magnitudes_of(E, each)).mean(axis=1, keepdims=True, dtype=np.float64)
        out: Matrix = np.maximum(np.sqrt(squares / 2), FLOOR).astype(np.float32)
        return out

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``exp(−e²/2σ²)``."""
        out: Matrix = np.exp(np.square(E / scale) / -2)
        return out

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return the correntropy-induced loss."""
        return -_sums(np.square(scale) * np.expm1(np.square(E / scale) / -2))


class Cauchy(EntryLoss):
    """``½γ² ln(1 + (e/γ)²)``, ``q = 1/(1 + (e/γ)²)``, γ by Nagy's algorithm (Guan et al. 2019, section 3.2)."""

    def scale(self, E: Matrix, *, each: bool = False) -> Matrix:
        """Return γ."""
        return nagy(magnitudes_of(E, each))

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``1/(1 + (e/γ)²)``."""
        out: Matrix = np.reciprocal(1 + np.square(E / scale))
        return out

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return Cauchy's loss."""
        return _sums(np.square(scale) / 2 * np.log1p(np.square(E / scale)))


class TruncatedCauchy(Cauchy):
    """Cauchy's loss up to a limit ε and constant beyond, where ``q = 0`` (Guan et al. 2019, eq. 1).

    The limit is where the three-sigma rule sees outliers (section 3.3). The scale is (γ, ε). That rule takes μ and σ
    from the smaller half of the magnitudes, so it calls a third of clean Gaussian residuals outliers. While the factors
    are far off it keeps the true outliers out; once they fit, `late` gives the limit of three standard deviations of
    all.
    """

    scale_ranges = (SCALE, replace(SCALE, or_infinite=True))

    def scale(self, E: Matrix, *, each: bool = False) -> Matrix:
        """Return γ and ε."""
        magnitudes = magnitudes_of(E, each)
        return np.concatenate([nagy(magnitudes), outlier_limit(magnitudes)], axis=1)

    def late(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return the same γ with ``ε = 3 · 1.4826 · median|e|``, three robust standard deviations of all residuals."""
        limit = ROBUST_SIGMAS * np.median(magnitudes_of(E, False), axis=1, keepdims=True)
        return np.concatenate([scale[:, :1], np.maximum(limit, FLOOR).astype(np.float32)], axis=1)

    def lenient(self, scale: Matrix) -> Matrix:
        """Return the same γ without a limit: Cauchy's loss."""
        return np.concatenate([scale[:, :1], np.full_like(scale[:, :1], np.inf)], axis=1)

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return Cauchy's weight, and 0 beyond ε."""
        return super().weights(E, scale[:, :1]) * (np.abs(E) <= scale[:, 1:])

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return the truncated loss."""
        return super().values(np.minimum(np.abs(E), scale[:, 1:]), scale[:, :1])


class SampleNorm(RobustLoss):
    """``‖e‖``, the norm of a whole sample; ``q = 1/‖e‖`` (L2,1; Kong et al. 2011)."""

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``1/‖e‖`` (n, 1)."""
        return np.reciprocal(np.maximum(_norms(E), FLOOR))

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return the norms."""
        return _norms(E)[:, 0].astype(np.float64)


@dataclass(frozen=True)
class CappedNorm(SampleNorm):
    """``min(‖e‖, θ)``; ``q = 1/(2‖e‖)`` up to θ and 0 beyond (RCNMF; Gao et al. 2015).

    These weights are the paper's, half of ``φ'(e)/e``, which moves no minimum.

    Attributes
    ----------
    kept : float
        θ is the largest norm of so many of the samples, those with the smallest: so large a part of them teaches.
    """

    kept: float

    def scale(self, E: Matrix, *, each: bool = False) -> Matrix:
        """Return θ of all samples together; a single one cannot tell."""
        norms = np.sort(_norms(E)[:, 0])
        theta = norms[max(1, round(self.kept * len(norms))) - 1]
        return np.full((1, 1), max(float(theta), FLOOR), np.float32)

    def weights(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return ``1/(2‖e‖)`` (n, 1), or 0 beyond θ."""
        norms = _norms(E)
        out: Matrix = (norms <= scale) / (2 * np.maximum(norms, np.float32(FLOOR)))
        return out

    def values(self, E: Matrix, scale: Matrix) -> NDArray[np.float64]:
        """Return the capped norms."""
        return np.minimum(super().values(E, scale), scale[:, 0])

    def capped(self, E: Matrix, scale: Matrix) -> Matrix:
        """Return the residual of samples up to θ; beyond it, the whole sample is an outlier."""
        return E * (_norms(E) <= scale)


def _norms(E: Matrix) -> Matrix:
    return np.sqrt(inner_by_row(E, E)).astype(E.dtype)[:, None]


def _sums(values: NDArray[np.floating]) -> NDArray[np.float64]:
    out: NDArray[np.float64] = values.sum(axis=1, dtype=np.float64)
    return out
