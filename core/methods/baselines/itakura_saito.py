"""Online NMF with the Itakura-Saito divergence: the rule of ``ol-lef``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.methods.rules import Matrix
from core.nmf.encoders.base import Encoding
from core.nmf.vanishing import TINY
from core.runtime import stopping
from core.state_schema import NONNEGATIVE_SUMS, ArraySpec, StateSchema, all_or_none

LEAST = np.float32(1e-30)
"""Kept in denominators."""


class LefevreRule:
    """``min over W, h ≥ 0 of Σ d_IS(v + ε ‖ W h + ε)``, ``d_IS(x ‖ y) = x/y − ln(x/y) − 1``.

    Lefèvre, Bach & Févotte (2011), algorithm 1: ``h ∘= √((Wᵀ v/û²) / (Wᵀ 1/û))``, which never raises the objective;
    then ``A ← f A + W² ∘ Σ (v/û²) hᵀ``, ``B ← f B + Σ (1/û) hᵀ``, ``W = √(A/B)``, and columns of sum 1, A and B
    rescaled with them.

    Parameters
    ----------
    floor : float
        ε, units of white; added to data and model.
    forgetting : float
        The part f of the past that remains after one sample more, in (0, 1].
    tolerance : float
        Updates of ``h`` end when one changes the objective relatively by less.
    max_iterations : int
    """

    def __init__(self, floor: float, forgetting: float, tolerance: float, max_iterations: int) -> None:
        self._floor, self._forgetting = np.float32(floor), forgetting
        self._tolerance, self._max_iterations = tolerance, max_iterations
        self._A: Matrix | None = None
        self._B: Matrix | None = None

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients by multiplicative updates from the start ``H``; see `core.methods.rules.Rule`."""
        raised = V + self._floor
        H = np.maximum(H, max(TINY, np.float32(1e-3) * H.max(initial=0)))
        model = H @ W + self._floor
        value, spent = divergence(raised, model), 0
        while spent < self._max_iterations:
            stopping.check()
            spent += 1
            inverse = 1 / model
            H = H * np.sqrt(((raised * inverse * inverse) @ W.T) / ((inverse @ W.T) + LEAST))
            model = H @ W + self._floor
            before, value = value, divergence(raised, model)
            if before - value <= self._tolerance * before:
                break
        background = model - self._floor
        residual = V - background
        return Encoding(H, background, residual, None, value, spent)

    def learn(self, V: Matrix, W: Matrix, encoding: Encoding) -> Matrix:
        """Return the dictionary after a mini-batch; see `core.methods.rules.StreamRule`."""
        H, inverse = encoding.H, 1 / (encoding.background + self._floor)
        A = W * W * (H.T @ ((V + self._floor) * inverse * inverse))
        B = H.T @ inverse
        if self._A is not None and self._B is not None:
            kept = np.float32(self._forgetting ** len(V))
            A, B = A + kept * self._A, B + kept * self._B
        # A column that no sample has used yet stays as it is.
        W = np.where(B > LEAST, np.sqrt(A / np.maximum(B, LEAST)), W)
        sums = np.maximum(W.sum(axis=1, keepdims=True), np.float32(1e-12))
        self._A, self._B = A / sums, B * sums
        out: Matrix = W / sums
        return out

    def keep(self, kept: NDArray[np.intp], n_new: int) -> None:
        """Go on with some columns and new ones; see `core.methods.rules.StreamRule`."""
        if self._A is not None and self._B is not None:
            self._A, self._B = (np.pad(X[kept], ((0, n_new), (0, 0))) for X in (self._A, self._B))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what is known of the past; see `core.methods.rules.StreamRule`."""
        return {} if self._A is None or self._B is None else {"A": self._A, "B": self._B}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give; see `core.methods.rules.StreamRule`."""
        sums = ArraySpec(np.float32, ("K", n_values), (NONNEGATIVE_SUMS,))
        return all_or_none({"A": sums, "B": sums})

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load copies of what `state` gave."""
        if state:
            self._A, self._B = np.array(state["A"], np.float32), np.array(state["B"], np.float32)


def divergence(V: Matrix, U: Matrix) -> float:
    """Return the Itakura-Saito divergence of positive arrays of one shape, summed."""
    ratio = V / U
    return float((ratio - np.log(ratio)).sum(dtype=np.float64)) - ratio.size
