"""Online NMF as made for documents: the rule of ``ol-wang2``."""

from __future__ import annotations

import numpy as np
from numpy.linalg import norm

from core.methods.baselines.past import LearnsFromPast
from core.methods.baselines.plain import LeastSquares
from core.methods.rules import Matrix
from core.nmf.encoders.base import Encoding
from core.nmf.inner_products import inner
from core.runtime import stopping

SHORTEST = 1e-6
"""A step that has to be cut shorter than this part of itself ends the descent."""


class SecondOrder(LearnsFromPast):
    """``min over W ≥ 0 of ½ tr(W A Wᵀ) − tr(Wᵀ B)`` by projected steps; A and B are means over all samples.

    Wang, Tan, König & Li (2011), algorithm 1: coefficients by nonnegative least squares, then steps
    ``W ← max(0, W − α (W A − B) D⁻¹)``, where D is the diagonal of the Hessian A (their second order method with the
    diagonal approximation) or, first order, the identity. A step is halved until it does not raise the surrogate,
    and the next begins at twice its length.

    Parameters
    ----------
    second_order : bool
    tolerance : float
        Stop when a step changes the dictionary relatively by less.
    max_steps : int
    """

    def __init__(self, second_order: bool, tolerance: float, max_steps: int) -> None:
        super().__init__()
        self._second_order, self._tolerance, self._max_steps = second_order, tolerance, max_steps
        self._least_squares = LeastSquares()

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients by nonnegative least squares; see `core.methods.rules.Rule`."""
        return self._least_squares.encode(V, W, H)

    def learn(self, V: Matrix, W: Matrix, encoding: Encoding) -> Matrix:
        """Return the dictionary after a mini-batch; see `core.methods.rules.StreamRule`."""
        self._join(W, encoding)
        A, B = self._statistics.A.astype(np.float32), self._statistics.B
        largest = A.diagonal().max()
        if largest <= 0:
            return W
        # A column that no sample has used has a gradient of zero: any number but zero will do for it.
        scale = np.maximum(A.diagonal(), np.float32(1e-6) * largest)[:, None] if self._second_order else norm(A)
        return self._descend(W, A, B, scale)

    def _descend(self, W: Matrix, A: Matrix, B: Matrix, scale: Matrix | np.floating) -> Matrix:
        length = 1.0
        slope = A @ W - B
        for _ in range(self._max_steps):
            stopping.check()
            direction = slope / scale
            while True:
                following = np.maximum(0, W - np.float32(length) * direction)
                change = following - W
                bent = A @ change
                # The surrogate is quadratic: this is its change without a difference of large numbers.
                if inner(change, slope) + inner(change, bent) / 2 <= 0 or length < SHORTEST:
                    break
                length /= 2
            if length < SHORTEST:
                break
            W = following
            slope += bent
            if norm(change) <= self._tolerance * norm(W):
                break
            length = min(2 * length, 1.0)
        return W
