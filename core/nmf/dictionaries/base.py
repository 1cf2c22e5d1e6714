"""The statistics that a dictionary is learnt from, and what its rules can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.nmf.dictionaries.domain import Domain


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
        return float(np.vdot(W @ W.T, self.A)) / 2 - float(np.vdot(W, self.B)) + self.constant

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
        share = (1 - keep) / len(H)
        old, weighted = H.dtype.type(keep), H.T * H.dtype.type(share)
        loss = float(np.vdot(clean, clean)) / 2 + penalty
        A = keep * self.A + share * (H.T @ H).astype(np.float64)
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


class DictionaryRule(Protocol):
    """Solves (12) of Zhao & Tan (2017) for the dictionary: ``min ½ tr(WᵀW A) − tr(WᵀB)`` over its set."""

    needs_outliers: bool
    """Does it need `Statistics.C`?"""

    domain: Domain
    """The set that the dictionary stays in, and that it is in when an update begins; and its penalty there."""

    def update(self, W: NDArray[np.floating], statistics: Statistics) -> NDArray[np.floating]:
        """Return a better dictionary (K, F); ``W`` is left as it is."""
