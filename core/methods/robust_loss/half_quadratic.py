"""Robust factorization by turns of weights and weighted least squares."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.methods.rules import BatchRule, Matrix
from core.nmf.encoders.base import Encoding
from core.nmf.robust_losses import RobustLoss
from core.nmf.vanishing import clear_vanished
from core.nmf.weighted_least_squares import Precision, solve
from core.state_schema import ArraySpec, StateSchema, all_or_none

ENCODING = Precision(1e-4, 300)
"""Tolerance and turns for coefficients that are shown; no later step corrects them."""

ENCODING_TURNS, ENCODING_TOLERANCE = 30, 1e-3
"""Most turns of weights and coefficients for new samples, and the relative change of the loss at which they stop."""

LENIENT_TURNS = 5
"""Of the turns for new samples, these take no weight away altogether."""

SETTLED = 1e-3
"""Relative change of the objective at which the lenient iterations end early."""


class HalfQuadraticRule(BatchRule):
    """Minimises a robust loss of ``V − H W`` over nonnegative factors (Guan et al. 2019, algorithm 2).

    An iteration: the scale of the residual; weights and, by weighted least squares, coefficients; weights anew and, in
    the same way, the dictionary. Where the scale stays the same, no iteration raises the loss. Basis images are kept
    at norm 1, which leaves their products with the coefficients as they are.

    Departures. The paper's line 7, which computes the weights anew, does not repeat that outliers have none, as its
    line 4 says; here they have none in either half, as its equation (14) demands. And the paper does not say where it
    starts from, and its limit of outliers takes the weight from a third of clean entries: it holds in the first
    iterations, which it keeps from being led astray, and then gives way to a wider one (`RobustLoss.late`). As what
    has no weight in a random start may never get any, the very first iterations may take none away
    (`core.methods.robust_loss.two_starts`).

    Parameters
    ----------
    loss : RobustLoss
    precision : Precision
        Of both halves of an iteration.
    n_lenient, n_strict : int, or inf
        Iterations, at most, before weights may be taken away altogether, and after them those with the paper's limit;
        it makes no difference to most losses.
    """

    def __init__(self, loss: RobustLoss, precision: Precision, n_lenient: int = 0, n_strict: float = np.inf) -> None:
        self._loss, self._precision, self._n_lenient, self._n_strict = loss, precision, n_lenient, n_strict
        self._scale: Matrix | None = None
        self._lenient, self._strict, self._objective = n_lenient, n_strict, np.inf

    @property
    def is_settling(self) -> bool:
        """True in lenient iterations, and in strict ones where they are to end."""
        return self._lenient > 0 or 0 < self._strict < np.inf

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Be lenient, then strict again; all else each iteration knows from the residual."""
        self._lenient, self._strict, self._objective = self._n_lenient, self._n_strict, np.inf

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Return better factors, and the mean loss that they reach with the scale of this iteration."""
        loss = self._loss
        E = V - H @ W
        scale = self._scale_now(E)
        self._scale = scale
        H, _ = solve(V, loss.weights(E, scale), W, H, self._precision)
        E = V - H @ W
        transposed, _ = solve(V.T, loss.weights(E, scale).T, H.T, W.T, self._precision)
        W = np.ascontiguousarray(transposed.T)
        objective = float(loss.values(V - H @ W, scale).mean())
        settled = abs(self._objective - objective) <= SETTLED * objective
        if self._lenient:
            self._lenient = 0 if settled else self._lenient - 1
        else:
            self._strict = max(0, self._strict - 1)
        self._objective = objective
        return *with_unit_images(W, H), objective

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients of samples that teach nothing.

        The scale is each sample's own, but no smaller than what was learnt: it starts wide, where least squares has
        smeared outliers over the whole sample, and closes in on what the set has shown.
        """
        if not self._loss.by_entry:
            H, iterations = solve(V, np.ones((1, 1), np.float32), W, H, ENCODING)
            return self._encoding(V, W, H, self._known(V - H @ W), iterations)
        E, before, iterations = V - H @ W, np.inf, 0
        for turn in range(ENCODING_TURNS):
            scale = self._own(E) if turn >= LENIENT_TURNS else self._loss.lenient(self._own(E))
            H, spent = solve(V, self._loss.weights(E, scale), W, H, ENCODING)
            E = V - H @ W
            value = float(self._loss.values(E, scale).sum())
            iterations += spent
            if turn > LENIENT_TURNS and abs(before - value) <= ENCODING_TOLERANCE * value:
                break
            before = value
        return self._encoding(V, W, H, self._own(E), iterations)

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return what the factors make of samples, with the scale that was learnt last."""
        return self._encoding(V, W, H, self._known(V - H @ W), 1)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the scale."""
        return {} if self._scale is None else {"scale": self._scale}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give."""
        ranges = self._loss.scale_ranges
        return all_or_none({"scale": ArraySpec(np.float32, (1, len(ranges)), ranges)})

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a scale."""
        self._scale = np.array(state["scale"], np.float32) if "scale" in state else None

    def _scale_now(self, E: Matrix) -> Matrix:
        scale = self._loss.scale(E)
        if self._lenient:
            return self._loss.lenient(scale)
        return scale if self._strict else self._loss.late(E, scale)

    def _known(self, E: Matrix) -> Matrix:
        return self._loss.scale(E) if self._scale is None else self._scale

    def _own(self, E: Matrix) -> Matrix:
        own = self._loss.scale(E, each=True)
        return own if self._scale is None else np.maximum(own, self._scale)

    def _encoding(self, V: Matrix, W: Matrix, H: Matrix, scale: Matrix, iterations: int) -> Encoding:
        background = H @ W
        E = V - background
        loss = float(self._loss.values(E, scale).sum())
        return Encoding(H, background, E, self._loss.capped(E, scale), loss, iterations)


def with_unit_images(W: Matrix, H: Matrix) -> tuple[Matrix, Matrix]:
    """Return factors of the same product whose basis images (``W``: (K, F)) have norm 1; what has vanished is 0."""
    norms = np.linalg.norm(W, axis=1)
    norms[norms == 0] = 1
    W, H = W / norms[:, None], H * norms
    clear_vanished(W, H)
    return W, H
