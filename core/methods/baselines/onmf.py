"""Online NMF by robust stochastic approximation: the rule of ``onmf``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.kernels import simplex
from core.methods.baselines.plain import LeastSquares
from core.methods.rules import Matrix
from core.nmf.encoders.base import Encoding
from core.state_schema import LEARNT_COUNT, NONNEGATIVE, SAMPLES, ArraySpec, StateSchema, all_or_none

MAX_BUFFER_BYTES = 1 << 28
"""Memory of the samples kept, at most; large frames are kept in smaller numbers."""


class StochasticApproximation:
    """``min over W of E ½‖v − W h‖²`` with each column of W on the simplex, by averaged stochastic gradient steps.

    Guan et al. (2012), algorithms 1 and 2: coefficients by nonnegative least squares; then ``n_steps`` steps, each
    along the gradient at one sample drawn from a buffer of the newest, of length ``θ D / (M √k)``, and the dictionary
    is the mean of where they led, weighted by their lengths. M² is the mean squared norm of the gradients in the
    buffer. One departure: D is the norm of the dictionary rather than the width of its set, which is longer by the
    square root of the number of pixels and would throw every column into a corner.

    Parameters
    ----------
    n_steps : int
        Steps of each improvement.
    theta : float
        Length factor θ.
    n_kept : int
        Samples in the buffer.
    """

    def __init__(self, n_steps: int, theta: float, n_kept: int) -> None:
        self._n_steps, self._theta, self._n_kept = n_steps, theta, n_kept
        self._least_squares = LeastSquares()
        self._n_learnt = 0
        self._V: Matrix = np.zeros((0, 0), np.float32)
        self._H: Matrix = np.zeros((0, 0), np.float32)

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients by nonnegative least squares; see `core.methods.rules.Rule`."""
        return self._least_squares.encode(V, W, H)

    def learn(self, V: Matrix, W: Matrix, encoding: Encoding) -> Matrix:
        """Return the dictionary after a mini-batch; see `core.methods.rules.StreamRule`."""
        sums = np.maximum(W.sum(axis=1), np.float32(1e-12))
        W, H = W / sums[:, None], encoding.H * sums
        n_kept = max(min(self._n_kept, MAX_BUFFER_BYTES // V[0].nbytes), len(V))
        kept = max(n_kept - len(V), 0)
        if self._n_learnt and kept:
            V, H = np.vstack([self._V[-kept:], V]), np.vstack([self._H[-kept:], H])
        self._V, self._H = V, H
        self._n_learnt += 1
        return self._descend(W)

    def _descend(self, W: Matrix) -> Matrix:
        V, H = self._V, self._H
        residual = V - H @ W
        squares = np.einsum("nf,nf->n", residual, residual) * np.einsum("nk,nk->n", H, H)
        steepness = float(np.sqrt(squares.mean()))
        if steepness <= 0:
            return W
        # Drawn by the number of mini-batches alone: a state that is taken up goes on the same way.
        order = np.random.default_rng(self._n_learnt).integers(0, len(V), self._n_steps)
        longest = self._theta * float(np.linalg.norm(W)) / steepness
        steps = (longest / np.sqrt(np.arange(1, self._n_steps + 1))).astype(np.float32)
        mean = np.empty_like(W)
        simplex.descend(V, H, order, steps, W, np.empty_like(V[0]), mean)
        return mean

    def keep(self, kept: NDArray[np.intp], n_new: int) -> None:
        """Go on with some columns and new ones; see `core.methods.rules.StreamRule`."""
        if self._n_learnt:
            self._H = np.pad(self._H[:, kept], ((0, 0), (0, n_new)))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what is known of the past; see `core.methods.rules.StreamRule`."""
        return {"V": self._V, "H": self._H, "n_learnt": np.array([self._n_learnt])} if self._n_learnt else {}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give; see `core.methods.rules.StreamRule`."""
        return all_or_none({
            "V": ArraySpec(np.float32, ("n_kept", n_values), (SAMPLES,)),
            "H": ArraySpec(np.float32, ("n_kept", "K"), (NONNEGATIVE,)),
            "n_learnt": ArraySpec(np.int64, (1,), (LEARNT_COUNT,)),
        })  # fmt: skip

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load copies of what `state` gave."""
        if state:
            self._V, self._H = np.array(state["V"], np.float32), np.array(state["H"], np.float32)
            self._n_learnt = int(state["n_learnt"][0])
