"""The statistics that a dictionary is learnt from, and what its rules can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.nmf.dictionaries.domain import Domain
from core.nmf.inner_products import inner

COLUMNS = 1 << 13
"""Values of each basis image that are taken at a time, where what is made of them is needed only in between."""


@dataclass(frozen=True)
class Statistics:
    """Weighted means over the samples: all of the past that a dictionary rule needs.

    Attributes
    ----------
    A : (K, K) float64
        Of ``h hᵀ``.
    B : (K, F)
        Of ``h (v − r)ᵀ``.
    C : (K, F), or None
        Of ``h rᵀ``, where the rule needs it.
    constant : float
        Of ``½‖v − r‖² + λ‖r‖₁``, or another penalty on r: with it the surrogate is the mean loss.
    """

    A: NDArray[np.float64]
    B: NDArray[np.floating]
    C: NDArray[np.floating] | None
    constant: float

    def surrogate(self, W: NDArray[np.floating]) -> float:
        """Return the mean loss of the samples with the coefficients and outliers they had; eq. (11) of the paper."""
        # In float64: it is a difference of numbers that are 10⁴ times as large.
        products, shared = np.zeros_like(self.A), 0.0
        for columns in _in_parts(W):
            part = W[:, columns].astype(np.float64)
            products += part @ part.T
            shared += inner(part, self.B[:, columns].astype(np.float64))
        return float(np.vdot(products, self.A)) / 2 - shared + self.constant

    def rise(self, start: NDArray[np.floating], W: NDArray[np.floating]) -> float:
        """Return by how much the surrogate of ``W`` (K, F) is above that of ``start``, however close they are.

        It is quadratic: this is ``⟨W − start, A (W + start)/2 − B⟩``, without a difference of large numbers.
        """
        A, risen = self.A.astype(W.dtype), 0.0
        for columns in _in_parts(W):
            there, here = start[:, columns], W[:, columns]
            risen += inner(here - there, A @ ((here + there) / 2) - self.B[:, columns])
        return risen

    def joined(
        self, keep: float, H: NDArray[np.floating], clean: NDArray[np.floating], outliers: NDArray[np.floating],
        penalty: float,
    ) -> Statistics:  # fmt: skip
        """Return the weighted mean of these and of a mini-batch: ``keep`` of the old, the rest of the new.

        Parameters
        ----------
        keep : float
            In [0, 1].
        H : (n, K)
            Coefficients.
        clean, outliers : (n, F)
            ``v − r`` and ``r``.
        penalty : float
            ``λ‖r‖₁``, or another penalty on the outliers, all samples together.
        """
        # All parts are weighted by the same numbers, rounded once, for they nearly cancel in the surrogate.
        old = H.dtype.type(keep)
        keep = float(old)
        new = H.dtype.type((1 - keep) / len(H))
        share, weighted, coefficients = float(new), H.T * new, H.astype(np.float64)
        loss = inner(clean, clean) / 2 + penalty
        A = keep * self.A + share * (coefficients.T @ coefficients)
        B = old * self.B + weighted @ clean
        C = None if self.C is None else old * self.C + weighted @ outliers
        return Statistics(A, B, C, keep * self.constant + share * loss)

    def only(self, kept: NDArray[np.intp]) -> Statistics:
        """Return the statistics of some of the columns of the dictionary."""
        C = None if self.C is None else self.C[kept]
        return Statistics(self.A[np.ix_(kept, kept)], self.B[kept], C, self.constant)

    def with_unused(self, count: int) -> Statistics:
        """Return the statistics after ``count`` columns joined that no sample has used yet."""
        unused = np.zeros((count, self.B.shape[1]), self.B.dtype)
        C = None if self.C is None else np.vstack([self.C, unused])
        return Statistics(np.pad(self.A, (0, count)), np.vstack([self.B, unused]), C, self.constant)


class Descent:
    """Values of the surrogate along a descent.

    As it is quadratic, it rises by ``½⟨W − W₀, ∇(W) + ∇(W₀)⟩`` from the start W₀: `Statistics.rise` where the
    derivatives are known.

    Parameters
    ----------
    statistics : Statistics
    start : (K, F)
        Dictionary to begin with; its value is the first to be asked for.
    """

    def __init__(self, statistics: Statistics, start: NDArray[np.floating]) -> None:
        self._statistics, self._start = statistics, start
        self._slope, self._value = np.zeros_like(start[:, :0]), 0.0

    def value(self, W: NDArray[np.floating], slope: NDArray[np.floating]) -> float:
        """Return the surrogate of ``W`` (K, F), whose derivative ``A W − B`` is ``slope`` (K, F)."""
        if W is self._start:
            known = self._statistics
            self._slope, self._value = slope.copy(), (inner(W, slope) - inner(W, known.B)) / 2 + known.constant
            return self._value
        change = W - self._start
        return self._value + (inner(change, slope) + inner(change, self._slope)) / 2


def _in_parts(W: NDArray[np.floating]) -> Iterator[slice]:
    return (slice(start, start + COLUMNS) for start in range(0, W.shape[1], COLUMNS))


class DictionaryRule(Protocol):
    """Solves (12) of Zhao & Tan (2017) for the dictionary: ``min ½ tr(WᵀW A) − tr(WᵀB)`` over its set."""

    needs_outliers: bool
    """Does it need `Statistics.C`?"""

    domain: Domain
    """The set that the dictionary stays in, and that it is in when an update begins; and its penalty there."""

    def update(self, W: NDArray[np.floating], statistics: Statistics) -> NDArray[np.floating]:
        """Return a better dictionary (K, F); ``W`` is left as it is."""
