"""Online nonnegative matrix factorization: an encoder and a dictionary rule, joined by statistics of the past."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.dictionaries.base import DictionaryRule, Statistics
from core.encoders.base import Encoder, Encoding, encoding_of, gram, least_squares_start
from core.errors import CleanplateError
from core.frame import Layout, Values
from core.initialise import looks_like_video, random_dictionary, shaded_dictionary, shading
from core.losses import OutlierLoss
from core.methods import DenseSplit, Split, Value
from core.running_median import RunningMedian

IMAGE_SET_RANK, VIDEO_RANK = 49, 5
"""Automatic rank: the papers' for faces; few for a scene, as a high rank on a short clip swallows passers-by."""

VIDEO_MEMORY = 300
"""Automatic memory for video, frames."""

VIDEO_WARM_UP = 240
"""Automatic warm-up for video, frames."""

PRIOR_BATCHES = 3
"""Weight of the start from the median, in mini-batches."""

LAM_PER_NOISE = 1.345
"""Automatic λ over the scale of the noise: Huber's constant, 95 % efficient where there are no outliers."""

NOISE_SAMPLE = 8192
"""Values, at most, from which the noise is measured."""


@dataclass(frozen=True)
class Recipe:
    """What tells one online method from another.

    Attributes
    ----------
    encoder, dictionary : callable
        Make the two parts from the values of the parameters.
    loss : callable
        Makes the loss from the values and λ.
    fixed_lam : float or None
        Automatic λ, units of white; None: by the noise, and at least the paper's ``1/√F``.
    """

    encoder: Callable[[Mapping[str, Value]], Encoder]
    dictionary: Callable[[Mapping[str, Value]], DictionaryRule]
    loss: Callable[[Mapping[str, Value], float], OutlierLoss]
    fixed_lam: float | None = None


class OnlineNmf:
    """Learns ``v ≈ W h + r`` from one vector after another, by stochastic majorization and minimization.

    Each vector is encoded with the dictionary fixed: ``min over h ≥ 0, r of ½‖v − W h − r‖² + λ‖r‖₁``. After each
    mini-batch its statistics join those of the past, and the dictionary minimises the surrogate that they define
    (Zhao & Tan 2017, algorithm 1; Zhao & Tan 2016, algorithm 1). What goes beyond the papers, each a parameter:
    later samples count more (``recency``, after Mairal et al. 2010, section 3.4), the mini-batch is encoded anew
    after the dictionary learnt from it (``rounds``), and for video the start follows the median (``warm_up``).

    Parameters
    ----------
    layout : Layout
    values : mapping
        A value for each parameter of the method's row.
    seed : int
        Of the random start.
    recipe : Recipe
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value], seed: int, recipe: Recipe) -> None:
        self._layout, self._recipe = layout, recipe
        self._values = dict(values)
        self._rng = np.random.default_rng(seed)
        self._video = looks_like_video(layout)
        self._W = np.zeros((0, layout.n_values), np.float32)
        self._median: RunningMedian | None = RunningMedian() if self._warm_up else None
        self._unexplained = np.zeros(layout.n_values, np.float32)
        self._sigma, self._n_seen = 0.0, 0
        self._pending_V = np.zeros((0, layout.n_values), np.float32)
        self._pending_H = np.zeros((0, 0), np.float32)
        self._assemble()
        self._begin(random_dictionary(self.rank, layout.n_values, self._rng))

    # -- what is in force

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (F, K), nonnegative."""
        return self._W.T

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""
        return self._values

    @property
    def rank(self) -> int:
        """Number of basis images: as set, or by what the layout looks like."""
        return self._int("rank", VIDEO_RANK if self._video else IMAGE_SET_RANK)

    @property
    def loss(self) -> OutlierLoss:
        """The loss in force, with λ as set or automatic."""
        chosen = self._values["lam"]
        if chosen is not None:
            lam = float(chosen)
        elif self._recipe.fixed_lam is not None:
            lam = self._recipe.fixed_lam
        else:
            lam = max(LAM_PER_NOISE * self._sigma, self._layout.n_values**-0.5)
        return self._recipe.loss(self._values, lam)

    @property
    def statistics(self) -> Statistics:
        """What is known of the past."""
        return self._statistics

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        self._values[name] = value
        if name == "rank":
            self._change_rank(self.rank)
        self._assemble()

    def drop(self, k: int) -> None:
        """Go on without column ``k`` of the dictionary; the rank becomes one less. At least one column stays."""
        if len(self._W) > 1:
            self._keep(np.delete(np.arange(len(self._W)), k))
            self._values["rank"] = len(self._W)

    # -- one vector, or a mini-batch

    def step(self, v: Values | NDArray[np.float32]) -> Split:
        """Split a vector with the dictionary as it is, then learn from it (see `core.methods.Method.step`)."""
        x = self._unit(v)
        self._warm(v)
        encoding = self._encode(x[None])
        self._h = encoding.H[0]
        self._n_seen += 1
        self._pending_V = np.concatenate([self._pending_V, x[None]])
        self._pending_H = np.concatenate([self._pending_H, encoding.H])
        if len(self._pending_V) >= self._int("batch", 1):
            self._learn(self._pending_V, self._pending_H)
            self._drop_pending()
        return _split(encoding)

    def step_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Learn from a mini-batch at once, on matrices; `step` does the same to ``batch`` vectors one by one.

        Parameters
        ----------
        V : (n, F) float32
            One sample a row, units of white.

        Returns
        -------
        Encoding
            With the dictionary as it was before.
        """
        encoding = self._encode(V)
        self._h = encoding.H[-1]
        self._n_seen += len(V)
        self._learn(V, encoding.H)
        return encoding

    def transform(self, v: Values | NDArray[np.float32]) -> Split:
        """Split a vector; learn nothing."""
        return _split(self.transform_batch(self._unit(v)[None]))

    def transform_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Encode samples (n, F) float32, one a row, units of white; learn nothing."""
        if not self._n_seen:
            raise CleanplateError("The model is empty; learn from at least one frame before applying it.")
        return self._encode(V, learn=False)

    # -- keeping and taking up

    def state(self) -> dict[str, NDArray]:
        """Return copies of what was learnt."""
        known = self._statistics
        arrays = {
            "W": self._W, "A": known.A, "B": known.B, "h": self._h, "unexplained": self._unexplained,
            "pending_V": self._pending_V, "pending_H": self._pending_H,
            "scalars": np.array([known.constant, self._n_batches, self._sigma, self._n_seen]),
        }  # fmt: skip
        if known.C is not None:
            arrays["C"] = known.C
        return {name: array.copy() for name, array in arrays.items()}

    def load(self, state: Mapping[str, NDArray]) -> None:
        """Take up a state; the warm-up counts as done."""
        constant, batches, self._sigma, seen = (float(x) for x in state["scalars"])
        self._n_batches, self._n_seen = batches, int(seen)
        self._W, B, self._h, self._unexplained, self._pending_V, self._pending_H = (
            np.array(state[key], np.float32) for key in ("W", "B", "h", "unexplained", "pending_V", "pending_H")
        )
        C = np.array(state["C"], np.float32) if "C" in state else None
        self._statistics = Statistics(np.array(state["A"], np.float64), B, C, constant)
        self._values["rank"] = len(self._W)
        self._median = None
        self._assemble()

    # -- the parts of a step

    def _int(self, name: str, automatic: int) -> int:
        chosen = self._values[name]
        return automatic if chosen is None else int(chosen)

    @property
    def _warm_up(self) -> int:
        return self._int("warm_up", VIDEO_WARM_UP if self._video else 0)

    def _unit(self, v: NDArray) -> NDArray[np.float32]:
        return v if v.dtype == np.float32 else v * np.float32(1 / self._layout.white)

    def _assemble(self) -> None:
        """Make encoder and dictionary rule anew of the values in force."""
        self._encoder = self._recipe.encoder(self._values)
        self._rule = self._recipe.dictionary(self._values)
        if self._W.size:
            self._take_up(self._W)

    def _take_up(self, W: NDArray[np.float32]) -> None:
        self._W = W
        self._gram = gram(W)
        self._encoder.prepare(W)

    def _begin(self, W: NDArray[np.float32]) -> None:
        """Start from a dictionary, with no past."""
        K = len(W)
        C = np.zeros_like(W) if self._rule.needs_outliers else None
        self._statistics = Statistics(np.zeros((K, K)), np.zeros_like(W), C, 0.0)
        self._n_batches = 0.0
        self._h = np.zeros(K, np.float32)
        self._take_up(W)
        self._drop_pending()

    def _drop_pending(self) -> None:
        self._pending_V = np.zeros((0, self._layout.n_values), np.float32)
        self._pending_H = np.zeros((0, len(self._W)), np.float32)

    def _warm(self, v: NDArray) -> None:
        """While warming up, start anew whenever the median of what was seen is due."""
        if self._median is None:
            return
        if self._n_seen >= self._warm_up:
            self._median = None
        elif self._median.offer(v):
            plate = self._unit(self._median.median())
            self._begin(shaded_dictionary(plate, self._layout, self.rank))
            self._h[0] = np.linalg.norm(plate)
            # Statistics of which this dictionary is the minimiser, so that learning goes on from it.
            A = float(self._h[0]) ** 2 * np.eye(self.rank)
            self._statistics = replace(self._statistics, A=A, B=A.astype(np.float32) @ self._W, constant=A.sum() / 2)
            self._n_batches = PRIOR_BATCHES

    def _encode(self, V: NDArray[np.float32], *, learn: bool = True) -> Encoding:
        H = self._start(V)
        if learn and not self._sigma:
            self._sigma = _noise(V - H @ self._W)
        encoding = self._encoder.encode(V, H, self.loss)
        if learn:
            self._sigma += min(0.1 * len(V), 1.0) * (_noise(encoding.residual) - self._sigma)
        return encoding

    def _start(self, V: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return coefficients to start from: least squares, or those of the last frame where they fit better."""
        H = least_squares_start(self._gram, V @ self._W.T).astype(np.float32)
        if len(V) == 1 and self._h.any():
            last = self._h[None]
            losses = [self.loss.capped(V - start @ self._W)[1] for start in (H, last)]
            return last if losses[1] < losses[0] else H
        return H

    def _learn(self, V: NDArray[np.float32], H: NDArray[np.float32]) -> None:
        """Let the dictionary learn from a mini-batch that was encoded as ``H``."""
        past, loss = self._statistics, self.loss
        self._n_batches += 1
        keep = (1 - 1 / self._n_batches) ** float(self._values["recency"] or 1)
        memory = self._values["memory"] or (VIDEO_MEMORY if self._video else None)
        if memory:
            keep = min(keep, float(np.exp(-len(V) / float(memory))))
        rounds = self._int("rounds", 1 if self._video else 3)
        for round_index in range(rounds):
            if round_index:
                H = self._encoder.encode(V, H, loss).H
            encoding = encoding_of(V, self._W, H, loss, 0)
            clean = encoding.background + encoding.capped
            outliers = encoding.residual - encoding.capped
            self._statistics = past.joined(keep, H, clean, outliers, loss.lam)
            self._take_up(self._rule.update(self._W, self._statistics))
        self._unexplained *= np.float32(keep)
        self._unexplained += np.float32(1 - keep) * np.maximum(encoding.residual, 0).mean(axis=0)

    # -- rank

    def _change_rank(self, rank: int) -> None:
        """Drop the least used columns, or add what the model leaves unexplained, shaded so that columns differ."""
        old = len(self._W)
        if rank < old:
            usage = np.diag(self._statistics.A) * np.einsum("kf,kf->k", self._W, self._W)
            self._keep(np.sort(np.argsort(-usage, kind="stable")[:rank]))
        elif rank > old:
            leftover = self._unexplained + np.float32(1e-4)
            columns = np.stack([leftover * shading(self._layout, k) for k in range(old, rank)]) + np.float32(1e-6)
            columns /= np.linalg.norm(columns, axis=1, keepdims=True)
            self._statistics = self._statistics.with_unused(rank - old)
            self._h = np.pad(self._h, (0, rank - old))
            self._pending_H = np.pad(self._pending_H, ((0, 0), (0, rank - old)))
            self._take_up(np.vstack([self._W, columns]))

    def _keep(self, kept: NDArray[np.intp]) -> None:
        """Go on with some of the columns; what waits to be learnt is fitted with them."""
        self._statistics = self._statistics.only(kept)
        self._h = self._h[kept]
        self._take_up(np.ascontiguousarray(self._W[kept]))
        self._pending_H = least_squares_start(self._gram, self._pending_V @ self._W.T).astype(np.float32)


def _split(encoding: Encoding) -> Split:
    """Return the split of a single sample."""
    residual, capped = encoding.residual[0], encoding.capped[0]
    return DenseSplit(
        encoding.background[0], residual, residual - capped, encoding.H[0].astype(np.float64), encoding.loss,
        encoding.iterations,
    )  # fmt: skip


def _noise(residual: NDArray[np.float32]) -> float:
    """Return the scale of noise, 1.4826 · median |e − median e|, of values spread over a residual."""
    flat = residual.reshape(-1)
    spread = flat[:: max(1, flat.size // NOISE_SAMPLE)]
    return float(1.4826 * np.median(np.abs(spread - np.median(spread))))
