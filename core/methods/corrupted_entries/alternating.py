"""Factorization with outliers that are set aside: find them, then factorize what is left, in turn."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.methods.rules import BatchRule, Matrix
from core.nmf.encoders.base import Encoding
from core.nmf.inner_products import inner
from core.runtime import stopping

ENCODE_STEPS, ENCODE_TOLERANCE = 200, 1e-5
"""Coefficients count as found when a step changes the loss relatively by less, or after so many steps."""


SWEEPS = 4
"""Over dictionary and coefficients in an iteration: outliers are looked for less often, a flat start is left sooner."""


class Outliers(Protocol):
    """Says what of a residual is set aside, and at what price."""

    def of(self, V: Matrix, residual: Matrix) -> tuple[Matrix, NDArray[np.float64]]:
        """Return the best outliers ``E`` for the factors as they are, and the penalty of each sample.

        Parameters
        ----------
        V : (n, F) float32
            Samples, units of white.
        residual : (n, F) float32
            ``V − H W``.

        Returns
        -------
        (E, penalty)
            (n, F) float32, exactly 0 where nothing is set aside, and ``V − E ≥ 0``; (n,) float64.
        """


class SetAside(BatchRule):
    """``min over W, H ≥ 0 and E of ‖V − H W − E‖² + penalty(E)``, one block after another.

    ``E`` is minimised exactly (`Outliers`), and ``W`` and ``H`` by sweeps of exact coordinate descent in turn on what
    is left, ``V − E ≥ 0``; so the objective never rises. The columns of the dictionary are kept at norm 1.

    Parameters
    ----------
    outliers : Outliers
    """

    def __init__(self, outliers: Outliers) -> None:
        self._outliers = outliers
        self._E = np.zeros((0, 0), np.float32)

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Set aside what does not fit the start."""
        self._E, _ = self._outliers.of(V, V - H @ W)

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Improve dictionary, coefficients and outliers once each (see `core.methods.rules.BatchRule.improve`)."""
        X = V - self._E
        Ht = H.T
        for _ in range(SWEEPS):
            W = descend(Ht @ Ht.T, Ht @ X, W)
            Ht = descend(W @ W.T, W @ X.T, Ht)
        norms = np.linalg.norm(W, axis=1, keepdims=True)
        norms[norms == 0] = 1
        W /= norms
        H = np.ascontiguousarray((Ht * norms).T)
        residual = V - H @ W
        self._E, penalty = self._outliers.of(V, residual)
        return W, H, _loss(residual - self._E, penalty) / len(V)

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients and outliers for a dictionary (`core.methods.rules.Rule.encode`): a convex problem."""
        G, Ht = W @ W.T, np.ascontiguousarray(H.T)
        residual = V - H @ W
        E, penalty = self._outliers.of(V, residual)
        loss, spent = _loss(residual - E, penalty), 0
        for spent in range(1, ENCODE_STEPS + 1):  # noqa: B007 - read after the loop
            Ht = descend(G, W @ (V - E).T, Ht)
            residual = V - Ht.T @ W
            E, penalty = self._outliers.of(V, residual)
            before, loss = loss, _loss(residual - E, penalty)
            if before - loss <= ENCODE_TOLERANCE * loss:
                break
        return Encoding(np.ascontiguousarray(Ht.T), V - residual, residual, residual - E, loss, spent)

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return what the factors as they are make of samples, with the best outliers for them."""
        background = H @ W
        residual = V - background
        E, penalty = self._outliers.of(V, residual)
        return Encoding(H, background, residual, residual - E, _loss(residual - E, penalty), 0)


def descend(G: Matrix, T: Matrix, X: Matrix) -> Matrix:
    """Return better ``X ≥ 0`` for ``min ½ tr(Xᵀ G X) − tr(Xᵀ T)``: one sweep of exact coordinate descent over its rows.

    Parameters
    ----------
    G : (K, K) float32
        Positive semidefinite. Rows with a zero on its diagonal stay.
    T, X : (K, n) float32
    """
    X = np.array(X, np.float32, order="C")
    for k in range(len(X)):
        stopping.check()
        if G[k, k] > 0:
            np.maximum(X[k] + (T[k] - G[k] @ X) / G[k, k], 0, out=X[k])
    return X


def _loss(capped: Matrix, penalty: NDArray[np.float64]) -> float:
    return inner(capped, capped) + float(penalty.sum())
