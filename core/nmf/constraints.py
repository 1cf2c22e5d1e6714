"""Sets that the dictionary must stay in. They hold one basis image a row, and are convex but for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.nmf.inner_products import inner_by_row

Matrix = NDArray[np.floating]

SLACK = 1e-5
"""A row that is too long by less is left as it is: rounding makes as much."""


class Constraint(Protocol):
    """A closed set of basis images (section VI-A of Zhao & Tan, 2017)."""

    def project(self, W: Matrix) -> Matrix:
        """Move each row of ``W`` (K, F) to the nearest point of the set; in place, and returned."""

    def excess(self, W: Matrix) -> NDArray[np.float64]:
        """Return what rows of a nonnegative ``W`` (K, F) must be divided by to lie in the set; 1 where they do."""

    def column_norm(self, n_values: int) -> float:
        """Return the ℓ2 norm of the brightest flat image in the set: the scale of its basis images."""


@dataclass(frozen=True)
class NonnegativeOrthant:
    """``{w ≥ 0}``: nothing bounds the scale of basis images, so they keep about the scale that they start with."""

    def project(self, W: Matrix) -> Matrix:
        """Clip at zero; in place, and returned."""
        return np.maximum(W, 0, out=W)

    def excess(self, W: Matrix) -> NDArray[np.float64]:
        """Return ones."""
        return np.ones(len(W))

    def column_norm(self, n_values: int) -> float:
        """Return the norm of the usual start."""
        return 1.0


@dataclass(frozen=True)
class NonnegativeBall:
    """``{w ≥ 0, ‖w‖₂ ≤ 1}``, the set of Zhao & Tan (2017), section III."""

    def project(self, W: Matrix) -> Matrix:
        """Clip at zero, then shorten; in place, and returned."""
        return project_onto_nonnegative_balls(W)

    def excess(self, W: Matrix) -> NDArray[np.float64]:
        """Return the norms above 1."""
        return _beyond(np.sqrt(inner_by_row(W, W)))

    def column_norm(self, n_values: int) -> float:
        """Return 1."""
        return 1.0


@dataclass(frozen=True)
class Simplex:
    """``{w ≥ 0, Σ w = 1}``, the probability simplex: no basis image can vanish."""

    def project(self, W: Matrix) -> Matrix:
        """Subtract from each row the one number that lets what stays above zero sum to 1; in place, and returned.

        Wang & Carreira-Perpiñán (2013), arXiv:1309.1541, algorithm 1.
        """
        ordered = -np.sort(-W, axis=1)
        above = np.cumsum(ordered, axis=1, dtype=np.float64) - 1
        counts = np.arange(1, W.shape[1] + 1)
        n_kept = np.count_nonzero(ordered * counts > above, axis=1)
        W -= (above[np.arange(len(W)), n_kept - 1] / n_kept).astype(W.dtype)[:, None]
        return np.maximum(W, 0, out=W)

    def excess(self, W: Matrix) -> NDArray[np.float64]:
        """Return the sums, 1 for rows that are zero."""
        sums = W.sum(axis=1, dtype=np.float64)
        return np.where((np.abs(sums - 1) > SLACK) & (sums > 0), sums, 1.0)

    def column_norm(self, n_values: int) -> float:
        """Return ``1/√F``."""
        out: float = float(n_values) ** -0.5
        return out


@dataclass(frozen=True)
class ElasticNetBall:
    """``{w ≥ 0, γ₁‖w‖₁ + γ₂/2 ‖w‖₂² ≤ 1}``: with a larger share of γ₁, basis images are sparser.

    Attributes
    ----------
    gamma_1, gamma_2 : float
        Nonnegative. With both 0 it is the orthant; with γ₁ = 0 and γ₂ = 2 the ball.
    """

    gamma_1: float
    gamma_2: float

    def project(self, W: Matrix) -> Matrix:
        """Project exactly; in place, and returned.

        The nearest point is ``max(0, x − μγ₁) / (1 + μγ₂)`` with the one ``μ ≥ 0`` that brings it onto the border. If
        it were known which values stay above zero, μ would solve a quadratic equation. All positive values are tried
        first; then, each time, those that the μ just found leaves. That μ never exceeds the one sought, so the trial
        is never too small, and after finitely many rounds it is right (as Michelot's, 1986, for the simplex).
        """
        np.maximum(W, 0, out=W)
        rows = np.flatnonzero(self._scales(W) > 1)
        if not rows.size:
            return W
        X = W[rows]
        trial = X.copy()
        n_kept = np.count_nonzero(trial, axis=1)
        while True:
            over = self.gamma_1 * trial.sum(axis=1).astype(np.float64) - 1
            over += self.gamma_2 / 2 * inner_by_row(trial, trial)
            over /= n_kept * self.gamma_1**2 + 2 * self.gamma_2
            mu = 2 * over / (1 + np.sqrt(1 + 2 * self.gamma_2 * over))
            trial *= trial > (mu * self.gamma_1).astype(W.dtype)[:, None]
            n_before, n_kept = n_kept, np.count_nonzero(trial, axis=1)
            if np.array_equal(n_before, n_kept):
                break
        X -= (mu * self.gamma_1).astype(W.dtype)[:, None]
        X /= (1 + mu * self.gamma_2).astype(W.dtype)[:, None]
        W[rows] = np.maximum(X, 0)
        return W

    def excess(self, W: Matrix) -> NDArray[np.float64]:
        """Return what brings rows outside onto the border."""
        return _beyond(self._scales(W))

    def column_norm(self, n_values: int) -> float:
        """Return the root of ``γ₁√F t + γ₂/2 t² = 1``; 1 for the orthant."""
        linear = self.gamma_1 * float(n_values) ** 0.5
        scale = (linear + np.sqrt(linear**2 + 2 * self.gamma_2)) / 2
        return 1 / float(scale) if scale else 1.0

    def _scales(self, W: Matrix) -> NDArray[np.float64]:
        """Return what brings each row of a nonnegative ``W`` onto the border, also from inside."""
        linear = self.gamma_1 * W.sum(axis=1, dtype=np.float64)
        square = self.gamma_2 * inner_by_row(W, W)
        out: NDArray[np.float64] = (linear + np.sqrt(linear**2 + 2 * square)) / 2
        return out


@dataclass(frozen=True)
class FixedNorm:
    """``{w ≥ 0, ‖w‖₂ = norm}``: no basis image can shrink. The one set that is not convex.

    Attributes
    ----------
    norm : float
    """

    norm: float

    def project(self, W: Matrix) -> Matrix:
        """Clip at zero, then bring to the norm, the brightest value alone where none is above zero; in place.

        The nearest point maximises ``⟨w, x⟩``: what is below zero is best left out.
        """
        lost = np.flatnonzero(W.max(axis=1) <= 0)
        W[lost, W[lost].argmax(axis=1)] = 1
        np.maximum(W, 0, out=W)
        W *= (self.norm / np.sqrt(inner_by_row(W, W))).astype(W.dtype)[:, None]
        return W

    def excess(self, W: Matrix) -> NDArray[np.float64]:
        """Return the norms as parts of the one wanted, 1 for rows that are zero."""
        sizes = np.sqrt(inner_by_row(W, W)) / self.norm
        return np.where((np.abs(sizes - 1) > SLACK) & (sizes > 0), sizes, 1.0)

    def column_norm(self, n_values: int) -> float:
        """Return the norm."""
        return self.norm


def _beyond(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(sizes > 1 + SLACK, sizes, 1.0)


def project_onto_nonnegative_balls(W: Matrix) -> Matrix:
    """Project each basis image onto ``{w ≥ 0, ‖w‖₂ ≤ 1}``; in place, and returned.

    Zhao & Tan (2017), eq. (22) and lemma S-4: clip at zero *first*, then divide by the norm of what is left where
    it exceeds 1. (Dividing by the norm before clipping shrinks too far.)

    Parameters
    ----------
    W : (K, F) float32 or float64
        One basis image a row.
    """
    np.maximum(W, 0, out=W)
    norms = np.sqrt(inner_by_row(W, W)).astype(W.dtype)
    long = norms > 1
    W[long] /= norms[long, None]
    return W
