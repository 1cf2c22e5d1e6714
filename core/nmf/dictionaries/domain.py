"""Where a dictionary may be, and the penalty on it there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.nmf.constraints import Constraint, FixedNorm, NonnegativeBall, Simplex
from core.nmf.inner_products import inner


@dataclass(frozen=True)
class Domain:
    """A constraint set with an elastic net, ``a s ‖W‖₁ + b/2 s² ‖W‖²`` (sections VI-A and VI-B of Zhao & Tan, 2017).

    One departure: the weights count in units of ``s``, the root mean square of the coefficients, ``s² = tr(A) / K``.
    So they mean the same for all sizes of frames and scales of basis images: pixels that bring a frame less than
    about ``a`` vanish from a basis image. But then nothing holds that scale: smaller basis images and larger
    coefficients pay the same, and each update would make them smaller. So whoever learns from one mini-batch after
    another gives them back their norms (`rescaled`), and whoever learns a whole set holds them (`held`).

    Attributes
    ----------
    constraint : Constraint
    lasso : float
        ``a``, units of white.
    ridge : float
        ``b``.
    """

    constraint: Constraint
    lasso: float = 0.0
    ridge: float = 0.0

    def held(self, n_values: int) -> Domain:
        """Return the domain in which images of ``n_values`` do not shrink to save their ``‖W‖₁``.

        All have the norm of the brightest flat image of the set: it holds every image of that norm. The simplex stays
        as it is, for its images cannot shrink.
        """
        if not self.lasso or isinstance(self.constraint, Simplex):
            return self
        return Domain(FixedNorm(self.constraint.column_norm(n_values)), self.lasso, self.ridge)

    def scaled(self, A: NDArray[np.float64]) -> Domain:
        """Return the domain with the weights that it has where the statistics (K, K) are these."""
        if not (self.lasso or self.ridge):
            return self
        square = float(np.trace(A)) / len(A)
        return Domain(self.constraint, self.lasso * square**0.5, self.ridge * square)

    def value(self, W: NDArray[np.floating]) -> float:
        """Return the elastic net of a nonnegative ``W`` (K, F), with the weights as they are."""
        value = 0.0
        if self.lasso:
            value += self.lasso * float(W.sum(dtype=np.float64))
        if self.ridge:
            value += self.ridge * inner(W, W) / 2
        return value

    def rescaled(self, W: NDArray[np.floating], before: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return a dictionary (K, F) that was updated, with the norms of ``before``, as far as the set allows.

        Without an elastic net, and for basis images that have vanished, it is left as it is.
        """
        if not (self.lasso or self.ridge):
            return W
        norms, wanted = np.linalg.norm(W, axis=1), np.linalg.norm(before, axis=1)
        W = W * np.divide(wanted, norms, out=np.ones_like(norms), where=norms > 0)[:, None]
        W /= self.constraint.excess(W).astype(W.dtype)[:, None]
        return W

    def prox(self, W: NDArray[np.floating], step: float) -> NDArray[np.floating]:
        """Move ``W`` (K, F) to ``argmin over the set of ½‖Z − W‖² + step · value(Z)``; in place, and returned.

        For nonnegative Z the elastic net is a quadratic with round level sets. So the minimiser is the projection of
        the point where it is least without the set.
        """
        if self.lasso:
            W -= W.dtype.type(step * self.lasso)
        if self.ridge:
            W /= W.dtype.type(1 + step * self.ridge)
        return self.constraint.project(W)


class FixedWeights(Domain):
    """A domain whose weights count as they are, whatever the statistics."""

    def scaled(self, A: NDArray[np.float64]) -> Domain:
        """Return the domain itself."""
        return self


BALL = Domain(NonnegativeBall())
"""The set of the paper's section III, and no elastic net."""
