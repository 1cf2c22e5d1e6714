"""The batch rules of Zhao & Tan: the three block updates of their online methods, on all samples at once.

Each minimises the mean over the samples of ``min over r of ½‖v − W h − r‖² + λ‖r‖₁``. Samples are taken in blocks, so
that what lies between them and the factors stays small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from core.frames.noise import mad_sigma, spread_over
from core.methods.online.settings import Settings
from core.methods.rules import BatchRule, Matrix
from core.nmf.dictionaries.base import Statistics
from core.nmf.dictionaries.domain import BALL, Domain, FixedWeights
from core.nmf.dictionaries.projected_gradient import ProjectedGradientDictionary
from core.nmf.encoders.base import NO_PENALTY, Encoding, encoding_of, gram
from core.nmf.encoders.projected_gradient import ProjectedGradientEncoder
from core.nmf.inner_products import inner
from core.nmf.outlier_losses import Loss
from core.nmf.penalties import Penalty, WithRidge
from core.nmf.vanishing import TINY, clear_vanished
from core.runtime import stopping
from core.state_schema import LARGEST, ArraySpec, Range, StateSchema

BLOCK_BYTES = 4 << 20
"""Of a block of samples: small enough for the second or third level of the cache."""

NOISE_SAMPLE = 65_536
"""Values, about, from which the noise is measured."""


def blocks(V: Matrix) -> Iterator[slice]:
    """Give the rows of ``V`` (N, F) in blocks of about `BLOCK_BYTES`."""
    rows = max(1, BLOCK_BYTES // V[0].nbytes)
    for a in range(0, len(V), rows):
        stopping.check()
        yield slice(a, a + rows)


class SparseOutliersRule(BatchRule):
    """What the three have in common: samples are encoded as by the online method, and one loss tells the outliers.

    Parameters
    ----------
    settings : Settings
        Of the online method whose encoder and loss these are.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def loss(self) -> Loss:
        """The loss in force, before any noise is known."""
        return self._settings.loss(0.0)

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Encode as the online method does (see `core.methods.rules.Rule.encode`)."""
        encoder = self._settings.encoder()
        encoder.prepare(W)
        return encoder.encode(V, H, self.loss)

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return what the factors make of samples, with the best outliers (`core.methods.rules.BatchRule.split`)."""
        return encoding_of(V, W, H, self.loss, 1)


class RobustRule(SparseOutliersRule):
    """What BPGD and BADMM have in common: penalties on the factors, and the noise that λ goes by.

    An elastic net on the dictionary costs ``a s₀ ‖W‖₁ + b/2 s² ‖W‖²``, where ``s² = ‖H‖² / NK``, and ``s₀`` is what s
    would be if images of the usual norm shared the squares of the samples. The squares count by what images bring, so
    the coefficients pay for them too, a ridge of weight ``b ‖W‖² / K`` for each sample: ``W/t`` and ``tH`` cost the
    same. The sum pays for the shape of images alone, whose norms are held (`Domain.held`). So it is one function of
    both factors, and each is updated to lower it.

    For an automatic λ the noise is measured before each iteration and only ever believed to be less than before in the
    same set, so that λ falls and the objective never rises on its account. A rule that loads a past encodes by its
    noise until it begins with a set.

    Parameters
    ----------
    settings : Settings
        Of the online method whose encoder and loss these are.
    domain : Domain
        The set of the dictionary, and its elastic net (section VI of Zhao & Tan, 2017).
    penalty : Penalty
        On the coefficients.
    """

    def __init__(self, settings: Settings, domain: Domain = BALL, penalty: Penalty = NO_PENALTY) -> None:
        super().__init__(settings)
        self._domain, self._penalty = domain, penalty
        self._sigma, self._unit = np.inf, 0.0

    @property
    def loss(self) -> Loss:
        """The loss in force, by the noise that was measured."""
        return self._settings.loss(self._sigma if np.isfinite(self._sigma) else 0.0)

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Measure the noise of a new set, and the unit of a lasso; all else follows from the factors."""
        self._sigma = np.inf
        self._measure(V, W, H)
        squares = sum(inner(V[rows], V[rows]) for rows in blocks(V))
        norm = self._domain.constraint.column_norm(V.shape[1])
        self._unit = (squares / len(V) / len(W)) ** 0.5 / norm

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the noise."""
        return {"sigma": np.array(self._sigma)}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` gives: infinite noise before anything was learnt."""
        return StateSchema({"sigma": ArraySpec(np.float64, (), (Range(0, LARGEST, or_infinite=True),))})

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load the noise."""
        self._sigma = float(state["sigma"])

    def _measure(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        rows = slice(None, None, max(1, len(V) // 64))
        residual = (V[rows] - H[rows] @ W).reshape(-1)
        self._sigma = min(self._sigma, mad_sigma(spread_over(residual, NOISE_SAMPLE)))

    def _inside(self, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix]:
        """Return factors of the same product, the dictionary in its set."""
        excess = self._domain.constraint.excess(W).astype(W.dtype)
        return (W, H) if (excess == 1).all() else (W / excess[:, None], H * excess)

    def _penalties(self, W: Matrix, H: Matrix) -> float:
        """Return what the factors cost beside the loss, a mean over the samples."""
        return self._penalised_domain(H).value(W) + self._penalty.value(H) / len(H)

    def _penalised_domain(self, H: Matrix) -> FixedWeights:
        """Return the set of the dictionary, its penalties weighted as beside these coefficients."""
        domain = self._domain
        return FixedWeights(domain.constraint, domain.lasso * self._unit, domain.ridge * _mean_square(H))

    def _on_coefficients(self, W: Matrix) -> Penalty:
        """Return what the coefficients cost beside this dictionary."""
        if not self._domain.ridge:
            return self._penalty
        return WithRidge(self._penalty, self._domain.ridge * inner(W, W) / len(W))

    def _mean_loss(self, V: Matrix, W: Matrix, H: Matrix) -> float:
        loss, total = self.loss, 0.0
        for rows in blocks(V):
            # By rows: float32 sums over many more values would swallow what an iteration gains.
            total += sum(loss.losses(V[rows] - H[rows] @ W).tolist())
        return total / len(V)


class GradientRule(RobustRule):
    """``H ← max(0, H − η∇)``, ``R ← clip(S_λ(V − W H))``, then ``W`` from ``A = H Hᵀ`` and ``B = (V − R) Hᵀ``.

    BPGD: Zhao & Tan (2017), section S-2, eqs. (S-8) to (S-10). The objective never rises. Where the paper takes one
    gradient step for ``W`` this takes some: beside the products over all samples they cost nothing.

    Parameters
    ----------
    settings : Settings
        For applying.
    kappa : float
        Length of steps, as part of the longest safe one.
    dictionary : tuple
        Momentum, tolerance and steps of the dictionary, as `ProjectedGradientDictionary` takes them.
    domain, penalty
        See `RobustRule`.
    """

    def __init__(
        self, settings: Settings, kappa: float, dictionary: tuple[bool, float, int], domain: Domain = BALL,
        penalty: Penalty = NO_PENALTY,
    ) -> None:  # fmt: skip
        super().__init__(settings, domain, penalty)
        self._kappa = kappa
        self._momentum, self._tolerance, self._steps = dictionary

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Update each factor once (see `core.methods.rules.BatchRule.improve`)."""
        W, H = self._inside(W, H)
        self._measure(V, W, H)
        loss = self.loss
        # One plain step, which cannot raise the loss.
        encoder = ProjectedGradientEncoder(self._kappa, False, 0.0, 1, self._on_coefficients(W))
        encoder.prepare(W)
        H = H.copy()
        known = Statistics(np.zeros((len(W), len(W))), np.zeros_like(W), None, 0.0)
        for rows in blocks(V):
            encoding = encoder.encode(V[rows], H[rows], loss)
            H[rows] = encoding.H
            clean, outliers = encoding.clean, encoding.outliers
            # A running mean over the blocks.
            known = known.joined(
                rows.start / min(rows.stop, len(V)), encoding.H, clean, outliers, loss.penalty(outliers)
            )
        # Only plain steps never raise the surrogate where norms are held: that set is not convex.
        momentum = self._momentum and not self._domain.lasso
        dictionary = ProjectedGradientDictionary(
            self._kappa, momentum, self._tolerance, self._steps, self._penalised_domain(H)
        )
        W = dictionary.update(W, known).astype(np.float32, copy=False)
        return W, H, self._mean_loss(V, W, H) + self._penalties(W, H)


class AdmmRule(RobustRule):
    """Splits ``H = U ≥ 0``, ``R = Q`` within its bounds and ``W = Z`` in its set, and alternates over all of them.

    BADMM: Zhao & Tan (2017), section S-2, eqs. (S-12) to (S-20). The multipliers live on between iterations; ``U`` and
    ``Z`` are the factors returned. One departure: the penalty of ``W = Z`` is in units of the mean eigenvalue of
    ``H Hᵀ``, as in `core.nmf.dictionaries.admm`.

    Parameters
    ----------
    settings : Settings
    rho : float
        Penalty ρ of all three splittings.
    norm : float
        About the norm of basis images; that of ``H = U`` counts in units of its square.
    domain, penalty
        See `RobustRule`.
    """

    def __init__(
        self, settings: Settings, rho: float, norm: float = 1.0, domain: Domain = BALL, penalty: Penalty = NO_PENALTY
    ) -> None:
        super().__init__(settings, domain, penalty)
        self._rho, self._rho_h = np.float32(rho), np.float32(rho * norm**2)

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Begin with the best outliers, and no multipliers."""
        W, H = self._inside(W, H)
        super().begin(V, W, H)
        self._W = W
        self._R = np.empty_like(V)
        for rows in blocks(V):
            e = V[rows] - H[rows] @ W
            self._R[rows] = e - self.loss.capped(e)[0]
        self._Q = self._R.copy()
        self._alpha, self._beta, self._D = np.zeros_like(H), np.zeros_like(V), np.zeros_like(W)

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Update each variable and each multiplier once (see `core.methods.rules.BatchRule.improve`)."""
        W, H = self._inside(W, H)
        self._measure(V, W, H)
        loss, rho, rho_h, K = self.loss, self._rho, self._rho_h, len(W)
        free, on_h = self._W, self._on_coefficients(W)
        inverse = np.linalg.inv(gram(free) + float(rho_h) * np.eye(K)).astype(np.float32)
        A, B = np.zeros((K, K)), np.zeros_like(W)
        U = np.empty_like(H)
        for rows in blocks(V):
            v, R, Q, alpha, beta = V[rows], self._R[rows], self._Q[rows], self._alpha[rows], self._beta[rows]
            h = ((v - R) @ free.T + rho_h * H[rows] - alpha) @ inverse
            R[:] = v - h @ free + rho * Q - beta
            R[:] = loss.shrink(R, float(rho))
            A += h.T @ h
            B += h.T @ (v - R)
            U[rows] = on_h.prox(h + alpha / rho_h, 1 / float(rho_h), 0)
            Q[:] = np.clip(R + beta / rho, np.float32(loss.low), np.float32(loss.high))
            alpha += rho_h * (h - U[rows])
            beta += rho * (R - Q)
        weight = max(float(rho) * float(np.trace(A)) / K, TINY)
        rho_W = np.float32(weight)
        self._W = np.linalg.inv(A + weight * np.eye(K)).astype(np.float32) @ (B - self._D + rho_W * W)
        # A and B are sums over the samples, and so is the penalty on the dictionary.
        Z = self._penalised_domain(U).prox(self._W + self._D / rho_W, len(V) / weight)
        self._D += rho_W * (self._W - Z)
        return Z, U, self._mean_loss(V, Z, U) + self._penalties(Z, U)


class MultiplicativeRule(SparseOutliersRule):
    """``W ∘= V Hᵀ / ((W H + R) Hᵀ)``, ``H ∘= Wᵀ V / (Wᵀ (W H + R))``, ``R ∘= V / (W H + R + λ)``.

    Zhao & Tan (2016), eqs. (6) to (8). The objective, with the outliers as they are, never rises. As factors that are
    zero stay so, all of them start just above; what has shrunk to nothing becomes zero (`core.nmf.vanishing`).

    Parameters
    ----------
    settings : Settings
        With a fixed λ.
    """

    _floor: Matrix | None = None
    """Of the coefficients (N, 1) that the next iteration begins with; None once it has begun."""

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Begin with outliers where samples are brighter than the factors."""
        lam = np.float32(self.loss.lam)
        self._R = np.empty_like(V)
        for rows in blocks(V):
            self._R[rows] = np.maximum(V[rows] - H[rows] @ W - lam, np.float32(0.01) * V[rows])
        self._floor = np.float32(1e-3) * H.mean(axis=1, keepdims=True) + np.float32(TINY)

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Update each factor once (see `core.methods.rules.BatchRule.improve`)."""
        lam, tiny = np.float32(self.loss.lam), np.float32(TINY)
        if self._floor is not None:
            H, self._floor = np.maximum(H, self._floor), None
        above = H.T @ V + tiny
        below = (H.T @ H) @ W + H.T @ self._R + tiny
        W = W * (above / below)
        clear_vanished(W)
        G = W @ W.T
        H_new = np.empty_like(H)
        total = 0.0
        for rows in blocks(V):
            v, R, h = V[rows], self._R[rows], H[rows]
            h = h * ((v @ W.T) / (h @ G + R @ W.T + tiny))
            clear_vanished(h)
            H_new[rows] = h
            fit = h @ W
            below = fit + R + lam
            R *= v
            R /= below
            clear_vanished(R)
            fit += R
            fit -= v
            total += 0.5 * inner(fit, fit)
            total += float(lam) * float(R.sum(axis=1).sum(dtype=np.float64))
        return W, H_new, total / len(V)


def _mean_square(H: Matrix) -> float:
    """Return the mean square of coefficients."""
    return float(np.square(H, dtype=np.float64).mean())
