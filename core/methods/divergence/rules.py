"""How factors are learnt for any divergence: from a stream by gradient steps, from a set by multiplicative updates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.methods.rules import BatchRule, Matrix, StreamRule
from core.nmf.dictionaries.divergent import GradientStep
from core.nmf.divergences import Divergence
from core.nmf.encoders.base import Encoding
from core.nmf.encoders.divergent import LOWEST, DivergenceEncoder
from core.runtime import stopping
from core.state_schema import StateSchema

Terms = tuple[NDArray[np.floating], NDArray[np.floating]]
"""Numerator and denominator of a multiplicative update."""

REVIVED = 1e-2
"""Zero coefficients start at this share of the sample's mean: multiplying cannot change 0."""


def encoding_with(divergence: Divergence, V: Matrix, W: Matrix, H: Matrix, iterations: int) -> Encoding:
    """Return what coefficients ``H`` (n, K) make of samples ``V`` (n, F)."""
    background = H @ W
    residual = V - background
    loss = float(divergence.values(V, background).sum())
    return Encoding(H, background, residual, divergence.capped(residual), loss, iterations)


class _DivergenceRule:
    """Part of both rules: how samples that teach nothing are encoded.

    Parameters
    ----------
    divergence : Divergence
    tolerance, n_steps
        See `core.nmf.encoders.divergent.DivergenceEncoder`.
    """

    def __init__(self, divergence: Divergence, tolerance: float, n_steps: int) -> None:
        self.divergence = divergence
        self._encoder = DivergenceEncoder(divergence, tolerance, n_steps)

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return the encoding of samples (n, F) from a start (n, K), see `core.methods.rules.Rule.encode`."""
        H, iterations = self._encoder.encode(V, W, H)
        return encoding_with(self.divergence, V, W, H, iterations)


class DivergentStream(_DivergenceRule, StreamRule):
    """Zhao, Tan & Xu (2017), algorithm 1: one projected gradient step of the dictionary after each mini-batch.

    Parameters
    ----------
    divergence : Divergence
    tolerance, n_steps
        See `core.nmf.encoders.divergent.DivergenceEncoder`.
    a, b : float
        See `core.nmf.dictionaries.divergent.GradientStep`.
    """

    def __init__(self, divergence: Divergence, tolerance: float, n_steps: int, a: float, b: float) -> None:
        super().__init__(divergence, tolerance, n_steps)
        self._step = GradientStep(divergence, a, b)

    def learn(self, V: Matrix, W: Matrix, encoding: Encoding) -> Matrix:
        """Return the dictionary (K, F) after a mini-batch (n, F)."""
        return self._step.step(V, W, np.asarray(encoding.H, np.float32))

    def keep(self, kept: NDArray[np.intp], n_new: int) -> None:
        """Go on with some of the columns and with ``n_new`` behind them."""
        self._step.keep(kept, n_new)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the past."""
        return self._step.state()

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give."""
        return self._step.schema(n_values)

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a past."""
        self._step.load(state)


class DivergentSet(_DivergenceRule, BatchRule):
    """Multiplicative updates of both factors, which never raise the divergence.

    ``H ∘= [Wᵀ(q ∘ V) / Wᵀ(q ∘ U)]^γ`` and the same for W, each with the weights q of the divergence at ``U = WH``:
    for β-divergences (Itakura-Saito, Kullback-Leibler and the squared error among them) the updates of Févotte & Idier
    (2011), table 2, for the robust losses weighted least squares by their half-quadratic weights (Kong et al. 2011 for
    one of them). For α-divergences ``H ∘= [Wᵀ(V/U)^α / Wᵀ1]^(1/α)`` (Cichocki et al. 2008). γ-divergences leave the
    level of a background open, which is set at the end of each iteration.
    """

    _reached: tuple[Matrix, Matrix, Matrix] | None = None
    """The factors at which the last iteration ended, and their product."""

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Forget the product of the factors."""
        self._reached = None

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Return better factors, and the mean divergence that they reach."""
        d, T = self.divergence, self.divergence.target(V)
        if self._reached is not None and self._reached[0] is W and self._reached[1] is H:
            U = self._reached[2]
        else:
            H = np.where(H < LOWEST, np.maximum(REVIVED * H.mean(axis=1, keepdims=True), LOWEST), H).astype(V.dtype)
            U = H @ W
        H = _scaled(H, *_coefficient_terms(T, U, d.pulls(T, U), W, H), d.exponent)
        U = H @ W
        stopping.check()
        W = _scaled(W, *_dictionary_terms(T, U, d.pulls(T, U), W, H), d.exponent)
        U = H @ W
        if (level := d.level(T, U)) is not None:
            H, U = np.asarray(H * level, V.dtype), np.asarray(U * level, V.dtype)
        self._reached = W, H, U
        return W, H, float(d.values(T, U).mean())

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return what the factors as they are make of some of the samples."""
        return encoding_with(self.divergence, V, W, H, 1)


def _coefficient_terms(V: Matrix, U: Matrix, pulls: tuple[Matrix, Matrix], W: Matrix, H: Matrix) -> Terms:
    """Return numerator and denominator (n, K). A weight for a whole sample cancels, and K × K products do."""
    of_samples, of_model = pulls
    if of_model.shape[1] == 1:
        return V @ W.T, H @ (W @ W.T)
    return (of_samples * V) @ W.T, (of_model * U) @ W.T


def _dictionary_terms(V: Matrix, U: Matrix, pulls: tuple[Matrix, Matrix], W: Matrix, H: Matrix) -> Terms:
    """Return numerator and denominator (K, F). A weight for a whole sample goes with its coefficients."""
    of_samples, of_model = pulls
    if of_model.shape[1] == 1:
        weighted = (of_model * H).T
        return weighted @ V, (weighted @ H) @ W
    return H.T @ (of_samples * V), H.T @ (of_model * U)


def _scaled(X: Matrix, numerator: Matrix, denominator: Matrix, exponent: float) -> Matrix:
    """Return a factor after a multiplicative update; what multiplying would make 0 for ever stays above."""
    ratio = numerator / np.maximum(denominator, denominator.dtype.type(1e-30))
    return np.maximum(X * ratio if exponent == 1 else X * ratio ** X.dtype.type(exponent), X.dtype.type(LOWEST))
