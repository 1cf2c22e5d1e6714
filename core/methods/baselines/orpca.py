"""Online robust principal components: the rule of ``orpca``."""

from __future__ import annotations

import numpy as np

from core.methods.baselines.past import LearnsFromPast
from core.methods.rules import Matrix
from core.nmf.encoders.base import Encoding, gram
from core.nmf.inner_products import inner
from core.runtime import stopping


class RobustComponents(LearnsFromPast):
    """``min over h, r of ½‖v − W h − r‖² + λ₁/2 ‖h‖² + λ₂‖r‖₁``, and ``W`` from statistics; all signs are free.

    Feng, Xu & Yan (2013), algorithms 1 and 2: ``h = (WᵀW + λ₁I)⁻¹ Wᵀ(v − r)`` and ``r = S_λ₂(v − W h)`` alternate;
    then one sweep over the columns minimises ``½ tr(W (A + λ₁I) Wᵀ) − tr(Wᵀ B)``. Here A and B are means and λ₁
    is divided by the number of samples, which is the same and keeps their size. One departure: what alternates is a
    proximal gradient step on the outliers, so Nesterov's momentum serves, begun anew whenever it points uphill.

    Parameters
    ----------
    lam_low_rank, lam_outliers : float
        λ₁ and λ₂; the second in units of white.
    tolerance : float
        Alternation ends when the outliers change by less, relatively to the samples.
    max_iterations : int
    """

    def __init__(self, lam_low_rank: float, lam_outliers: float, tolerance: float, max_iterations: int) -> None:
        super().__init__()
        self._lam_low_rank, self._lam_outliers = lam_low_rank, np.float32(lam_outliers)
        self._tolerance, self._max_iterations = tolerance, max_iterations
        self._W: Matrix | None = None

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients and outliers (`core.methods.rules.Rule`); the problem is convex, so no start is used."""
        if self._W is not W:
            ridge = self._lam_low_rank * np.eye(len(W))
            self._W, self._solver = W, np.linalg.solve(gram(W) + ridge, W).astype(np.float32)
        solver, limit = self._solver, self._tolerance * max(float(np.linalg.norm(V)), 1e-12)
        R = extrapolated = np.zeros_like(V)
        spent, inertia = 0, 1.0
        while True:
            stopping.check()
            spent += 1
            H = np.matmul(V - extrapolated, solver.T, dtype=np.float32)
            background = H @ W
            residual = V - background
            capped = np.clip(residual, -self._lam_outliers, self._lam_outliers)
            before, R = R, residual - capped
            step = R - before
            if spent >= self._max_iterations or np.linalg.norm(step) <= limit:
                break
            if inner(extrapolated - R, step) > 0:
                inertia = 1.0
            next_inertia = (1 + np.sqrt(1 + 4 * inertia**2)) / 2
            extrapolated = R + np.float32((inertia - 1) / next_inertia) * step
            inertia = next_inertia
        loss = (inner(capped, capped) + self._lam_low_rank * inner(H, H)) / 2
        loss += float(self._lam_outliers) * float(np.abs(R).sum())
        return Encoding(H, background, residual, capped, loss, spent)

    def learn(self, V: Matrix, W: Matrix, encoding: Encoding) -> Matrix:
        """Return the dictionary after a mini-batch; see `core.methods.rules.StreamRule`."""
        self._join(W, encoding)
        A, B = self._statistics.A, self._statistics.B
        ridge = self._lam_low_rank / self._n_seen
        ridged = (A + ridge * np.eye(len(W))).astype(np.float32)
        W = W.copy()
        for j in range(len(W)):
            W[j] += (B[j] - ridged[j] @ W) / ridged[j, j]
        return W
