"""Automatic rank by relevance: which basis image is not worth what it costs, told from statistics of the past.

Tan & Févotte (2013), *Automatic relevance determination in NMF with the β-divergence*, ℓ2-ARD: basis image ``w_k`` and
its coefficients ``h_k`` share a scale, the relevance λ_k, with an inverse-gamma prior. Maximum a posteriori minimises

    N/φ · mean loss + Σ_k [(f(w_k) + f(h_k) + b) / λ_k + c log λ_k],   f(x) = ½‖x‖²,  c = (F + N)/2 + a + 1,

so ``λ_k = (f(w_k) + f(h_k) + b) / c``, and what is not needed falls to the floor ``b / c``. Here the scale of ``w_k``
is bounded by a set instead, so the sum counts where it is least for the product, ``2√(f(w_k) f(h_k))``. And a stream
cannot wait until columns have shrunk over hundreds of rounds: the two ends of that way are compared. A column goes
where the penalty gains more by its fall to the floor, ``c log(λ_k c / b)``, than the loss rises when the other columns
take over what they can of it: ``N/2φ`` times the mean energy that only this column brings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.kernels import least_squares
from core.parameter import Parameter

Real = TypeVar("Real", bound=np.floating)

SHAPE = 5.0
"""Shape a of the prior. It hardly matters, as c counts pixels and samples beside it."""

SETTLED_SAMPLES, SETTLED_PER_COLUMN = 50, 2
"""Columns may be dropped only after this many samples, and after this many per column: at first, none is where it will
be. But not much later: useless columns begin to follow outliers, and then seem to be worth their cost."""

SWEEPS = 30
"""Sweeps of coordinate descent to find what other columns can take over."""

AUTO_RANK = Parameter(
    "auto_rank", "Automatic rank", False,
    help="Basis images that are not worth their cost are dropped, from the rank that is set downwards.",
    effect="on: as few basis images as the scene needs", kind=bool, advanced=True,
)  # fmt: skip


@dataclass(frozen=True)
class Fold:
    """A column that can go, and how the others take it over.

    Attributes
    ----------
    kept : (K − 1,) intp
        The other columns.
    matrix : (K, K − 1) float64
        Nonnegative. If ``into_coefficients``, new coefficients are ``H @ matrix``; else the new dictionary is
        ``matrix.T @ W``. The other factor just loses its column.
    into_coefficients : bool
    """

    kept: NDArray[np.intp]
    matrix: NDArray[np.float64]
    into_coefficients: bool

    def coefficients(self, h: NDArray[Real]) -> NDArray[Real]:
        """Return coefficients (..., K) of the columns that are left, of the same type."""
        return (h @ self.matrix).astype(h.dtype) if self.into_coefficients else h[..., self.kept]

    def products(self, A: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the statistics (K, K) of ``h hᵀ`` for those coefficients."""
        return self.matrix.T @ A @ self.matrix if self.into_coefficients else A[np.ix_(self.kept, self.kept)]

    def weighted(self, B: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return the statistics (K, F) of ``h xᵀ`` for those coefficients."""
        return self.matrix.T.astype(B.dtype) @ B if self.into_coefficients else B[self.kept]

    def dictionary(self, W: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return the dictionary (K − 1, F)."""
        kept = W[self.kept] if self.into_coefficients else self.matrix.T.astype(W.dtype) @ W
        return np.ascontiguousarray(kept)


@dataclass(frozen=True)
class RankEvidence:
    """What the data are, as far as the prior and the noise depend on it.

    Attributes
    ----------
    n_samples : float
        Samples N that the statistics stand for; those that faded count less.
    n_values : int
        F.
    dispersion : float
        φ: mean square of what a value differs from the model by, noise and outliers; units of white squared.
    mean : float
        Mean value of a sample, units of white: sets the scale b of the prior, ``π (a − 1) mean / 2K``.
    """

    n_samples: float
    n_values: int
    dispersion: float
    mean: float

    def floor(self, rank: int) -> float:
        """Return b of the prior."""
        return max(np.pi * (SHAPE - 1) * self.mean / (2 * rank), 1e-12)

    @property
    def cost(self) -> float:
        """The c of the prior."""
        return (self.n_values + self.n_samples) / 2 + SHAPE + 1


def relevances(A: NDArray[np.float64], G: NDArray[np.float64], evidence: RankEvidence) -> NDArray[np.float64]:
    """Return each column's relevance λ_k over its floor, 1 for columns without use.

    Parameters
    ----------
    A : (K, K) float64
        Mean of ``h hᵀ``.
    G : (K, K) float64
        ``Wᵀ W``.
    evidence : RankEvidence
    """
    return 1 + np.sqrt(evidence.n_samples * np.diag(A) * np.diag(G)) / evidence.floor(len(A))


def least_relevant(A: NDArray[np.float64], G: NDArray[np.float64], evidence: RankEvidence) -> Fold | None:
    """Return the column whose fall to the floor gains most, and how to go on without it; None where all are worth it.

    One that was never used costs nothing and goes too.

    Others take over what they can in one of two ways: ``w_k ≈ Σ c_j w_j`` lets their coefficients grow, and
    ``h_k ≈ Σ c_j h_j`` their basis images; ``c ≥ 0``. See the head of this file for the criterion, and `relevances`
    for the parameters and their shapes.
    """
    if len(A) < 2 or evidence.n_samples < max(SETTLED_SAMPLES, SETTLED_PER_COLUMN * len(A)):
        return None
    gains = evidence.cost * np.log(relevances(A, G, evidence))
    best, fold = -np.inf, None
    for k, gain in enumerate(gains):
        kept = np.delete(np.arange(len(A)), k)
        for into_coefficients, products, weight in ((True, G, A[k, k]), (False, A, G[k, k])):
            shares, left = _explained(products, k, kept)
            score = gain - evidence.n_samples / (2 * max(evidence.dispersion, 1e-12)) * weight * left
            if score >= max(best, 0):
                matrix = np.zeros((len(A), len(A) - 1))
                matrix[kept, np.arange(len(kept))] = 1
                matrix[k] = shares
                best, fold = score, Fold(kept, matrix, into_coefficients)
    return fold


def _explained(products: NDArray[np.float64], k: int, kept: NDArray[np.intp]) -> tuple[NDArray[np.float64], float]:
    """Return the best nonnegative combination of the others for vector k, and its squared residual."""
    among, with_k = np.ascontiguousarray(products[np.ix_(kept, kept)]), products[kept, k]
    shares = np.zeros(len(kept))
    least_squares.sweep(among, np.ascontiguousarray(with_k), SWEEPS, shares)
    left = products[k, k] - 2 * shares @ with_k + shares @ among @ shares
    return shares, max(float(left), 0.0)
