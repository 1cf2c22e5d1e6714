"""Nonnegative matrix factorization beside a sparse matrix of errors (Zhang et al. 2011)."""

from __future__ import annotations

import numpy as np

from core.methods.robust_loss.half_quadratic import HalfQuadraticRule, with_unit_images
from core.methods.rules import BatchRule, Matrix
from core.nmf.encoders.base import Encoding
from core.nmf.robust_losses import FixedHuber
from core.nmf.vanishing import TINY
from core.nmf.weighted_least_squares import Precision
from core.runtime import stopping


class SparseErrorRule(BatchRule):
    """Minimises ``‖V − H W − S‖² + λ‖S‖₁`` over nonnegative factors and any ``S`` (Zhang et al. 2011; RNMF-L1).

    A sweep: ``S = soft(V − H W, λ/2)``; then, with ``X = V − S``,
    ``W ∘= (|HᵀX| + HᵀX) / (2 HᵀH W)`` and the same for ``H``. None of the three raises the objective. Basis images
    are kept at norm 1, as the paper does.

    Coefficients of new samples are found by the weights ``1 − S/e = min(1, λ/2|e|)``: with the dictionary fixed the
    minimum over ``S`` leaves Huber's loss with cutoff λ/2 (table 1 of Guan et al. 2019), and that has one minimum.

    Parameters
    ----------
    lam : float
        λ, units of white.
    sweeps : int
        The paper's iterations that count as one.
    """

    def __init__(self, lam: float, sweeps: int) -> None:
        self._cutoff = np.float32(lam / 2)
        self._sweeps = sweeps
        self._huber = HalfQuadraticRule(FixedHuber(lam / 2), Precision())

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Do nothing: ``S`` follows from the factors."""

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Return better factors, and the mean over the samples of twice Huber's loss, which is the objective."""
        for _ in range(self._sweeps):
            stopping.check()
            E = V - H @ W
            X = V - E + np.clip(E, -self._cutoff, self._cutoff)
            W = W * np.maximum(H.T @ X, 0) / ((H.T @ H) @ W + TINY)
            H = H * np.maximum(X @ W.T, 0) / (H @ (W @ W.T) + TINY)
            W, H = with_unit_images(W, H)
        return W, H, 2 * self._huber.split(V, W, H).loss / len(V)

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients and errors of samples that teach nothing."""
        return self._huber.encode(V, W, H)

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return what the factors make of samples; ``S`` is the residual without what is capped."""
        return self._huber.split(V, W, H)
