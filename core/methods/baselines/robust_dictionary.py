"""Online robust nonnegative dictionary learning: the rule of ``ol-wang``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.methods.rules import Matrix
from core.nmf.encoders.base import Encoding
from core.nmf.inner_products import inner
from core.nmf.outlier_losses import OutlierLoss
from core.nmf.vanishing import TINY
from core.runtime import stopping
from core.state_schema import NONNEGATIVE_SUMS, ArraySpec, StateSchema, all_or_none

MAX_BYTES = 1 << 30
"""Memory of the statistics, at most: K × K numbers a value of a frame."""

NEWTON_STEPS, NORM_SLACK = 20, 1e-5
"""For the norm of a column: it takes three or four, and is exact to this."""


class RobustDictionary:
    """``min over W, h ≥ 0 of Σ_f φ(v_f − (W h)_f) + γ Σ h``, φ Huber's loss, columns of norm at most 1.

    Wang, Wang & Yeung (2013), algorithms 1 and 2. Weights ``q = min(1, λ/|e|)`` make each step a least squares problem:
    ``h ∘= Wᵀ(q ∘ v) / (Wᵀ(q ∘ W h) + γ)``, which never raises the objective. For each pixel p alone
    ``A_p ← f A_p + Σ q_p h hᵀ`` and ``b_p ← f b_p + Σ q_p v_p h``, and the dictionary minimises
    ``Σ_p ½ w_pᵀ A_p w_p − b_pᵀ w_p``. One departure: sweeps of coordinate descent, each column minimised in turn
    over its ball; the authors take projected gradient steps, halve their length, and encode anew after each. A
    sweep reads the statistics of all pixels once, as a gradient step does, and is worth about twenty of them.

    Parameters
    ----------
    lam : float
        Huber's threshold λ, units of white.
    sparsity : float
        γ, units of white times the norm of a basis image.
    forgetting : float
        The part f of the past that remains after one mini-batch more, in (0, 1].
    tolerance : float
        Updates of ``h`` end when one changes the objective relatively by less.
    max_iterations : int
        Of ``h``.
    max_steps : int
        Sweeps of each improvement of the dictionary.
    """

    def __init__(
        self, lam: float, sparsity: float, forgetting: float, tolerance: float, max_iterations: int, max_steps: int
    ) -> None:
        self._loss = OutlierLoss(lam, -np.inf, np.inf)
        self._lam, self._sparsity, self._forgetting = np.float32(lam), np.float32(sparsity), np.float32(forgetting)
        self._tolerance, self._max_iterations, self._max_steps = tolerance, max_iterations, max_steps
        self._known = False
        self._A: Matrix = np.zeros((0, 0, 0), np.float32)
        self._B: Matrix = np.zeros((0, 0), np.float32)
        self._total: Matrix = np.zeros((0, 0), np.float32)

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients by multiplicative updates from the start ``H``; see `core.methods.rules.Rule`."""
        H = np.maximum(H, max(TINY, np.float32(1e-3) * H.max(initial=0)))
        before, spent = np.inf, 0
        while True:
            stopping.check()
            background = H @ W
            residual = V - background
            capped, value = self._loss.capped(residual)
            value += float(self._sparsity) * float(H.sum())
            if spent >= self._max_iterations or before - value <= self._tolerance * value:
                break
            before, spent = value, spent + 1
            Q = self._weights(residual)
            H = H * ((Q * V) @ W.T) / ((Q * background) @ W.T + self._sparsity + TINY)
        return Encoding(H, background, residual, capped, value, spent)

    def learn(self, V: Matrix, W: Matrix, encoding: Encoding) -> Matrix:
        """Return the dictionary after a mini-batch; see `core.methods.rules.StreamRule`."""
        H, Q = encoding.H, self._weights(encoding.residual)
        K, F = W.shape
        check_size(K, F)
        if not self._known:
            self._A, self._B = np.zeros((F, K, K), np.float32), np.zeros_like(W)
            self._total, self._known = np.zeros((K, K), np.float32), True
        products = (H[:, :, None] * H[:, None, :]).reshape(len(H), K * K)
        self._A *= self._forgetting
        self._A += (Q.T @ products).reshape(F, K, K)
        self._B = self._forgetting * self._B + H.T @ (Q * V)
        self._total = self._forgetting * self._total + H.T @ H
        return self._descend(W)

    def _weights(self, residual: Matrix) -> Matrix:
        return np.divide(self._lam, np.maximum(np.abs(residual), self._lam), dtype=np.float32)

    def _descend(self, W: Matrix) -> Matrix:
        if not self._total.any():
            return W  # No sample has used any column.
        columns = np.ascontiguousarray(W.T)
        for _ in range(self._max_steps):
            for k in range(len(W)):
                stopping.check()
                row = self._A[:, k]
                curvature = np.maximum(row[:, k], TINY)
                slope = self._B[k] - np.einsum("fk,fk->f", row, columns)
                columns[:, k] = _least_in_ball(curvature, np.maximum(curvature * columns[:, k] + slope, 0))
        return np.ascontiguousarray(columns.T)

    def keep(self, kept: NDArray[np.intp], n_new: int) -> None:
        """Go on with some columns and new ones; see `core.methods.rules.StreamRule`."""
        if self._known:
            self._A = np.pad(self._A[:, kept][:, :, kept], ((0, 0), (0, n_new), (0, n_new)))
            self._B = np.pad(self._B[kept], ((0, n_new), (0, 0)))
            self._total = np.pad(self._total[np.ix_(kept, kept)], (0, n_new))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what is known of the past; see `core.methods.rules.StreamRule`."""
        return {"A": self._A, "B": self._B, "total": self._total} if self._known else {}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give; see `core.methods.rules.StreamRule`."""
        shapes: dict[str, tuple[int | str, ...]] = {
            "A": (n_values, "K", "K"),
            "B": ("K", n_values),
            "total": ("K", "K"),
        }
        return all_or_none({
            name: ArraySpec(np.float32, shape, (NONNEGATIVE_SUMS,)) for name, shape in shapes.items()
        })  # fmt: skip

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load copies of what `state` gave."""
        if state:
            self._A, self._B, self._total = (np.array(state[name], np.float32) for name in ("A", "B", "total"))
            self._known = True


def _least_in_ball(curvature: Matrix, target: Matrix) -> Matrix:
    """Return ``argmin over w ≥ 0, ‖w‖ ≤ 1 of ½ Σ a w² − Σ c w``: ``w = c / (a + μ)``, μ by Newton on ``1/‖w‖``.

    Parameters
    ----------
    curvature, target : (F,) float32
        ``a``, positive, and ``c``, nonnegative.
    """
    mu = 0.0
    for _ in range(NEWTON_STEPS):
        w: Matrix = target / (curvature + np.float32(mu))
        norm = inner(w, w) ** 0.5
        if norm <= 1 + NORM_SLACK:
            break
        mu += (norm - 1) * norm**2 / float(np.sum(w * w / (curvature + np.float32(mu)), dtype=np.float64))
    return w / np.float32(max(norm, 1.0))


def check_size(rank: int, n_values: int) -> None:
    """Raise an error where the statistics of so many values would not fit in what they may take.

    Raises
    ------
    CleanplateError
        With the highest rank that fits.
    """
    if 4 * rank * rank * n_values > MAX_BYTES:
        highest = int((MAX_BYTES / 4 / n_values) ** 0.5)
        raise CleanplateError(
            f"ol-wang needs {4 * rank * rank * n_values / MAX_BYTES:.1f} GiB at rank {rank} for frames of this size; "
            + (f"choose a rank of at most {highest}." if highest else "make the frames smaller.")
        )
