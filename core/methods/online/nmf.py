"""Online nonnegative matrix factorization: an encoder and a dictionary rule, joined by statistics of the past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Layout, Vector
from core.frames.noise import mad_sigma, spread_over
from core.frames.running_median import RunningMedian
from core.frames.split import Split
from core.methods.base import MiniBatchMethod, Unguided, WarmUp
from core.methods.online.settings import Recipe, Settings
from core.methods.online.state import Learnt
from core.methods.rules import split_of, splits_of
from core.nmf.dictionaries.base import Statistics
from core.nmf.encoders.base import Encoding, encoding_of, least_squares_start
from core.nmf.finite import check_finite
from core.nmf.initialisation import random_dictionary
from core.nmf.relevance_determination import SETTLED_SAMPLES, RankEvidence, least_relevant
from core.parameter import Value

NOISE_SAMPLE = 8192
"""Values, at most, from which the noise is measured."""


class OnlineNmf(Unguided):
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
        self._layout = layout
        self._settings = Settings(layout, values, recipe)
        self._median: RunningMedian | None = RunningMedian() if self._settings.warm_up else None
        self._sigma, self._n_seen, self._judged_from = 0.0, 0, 0
        self._make_parts()
        start = random_dictionary(self._settings.rank, layout.n_values, np.random.default_rng(seed))
        self._learnt = Learnt(start, with_outliers=self._rule.needs_outliers)
        self._prepare_dictionary()

    # -- what is in force

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (F, K), nonnegative."""
        return self._learnt.W.T

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""
        return self._settings.values

    @property
    def automatic(self) -> Mapping[str, float]:
        """What stands at present for parameters that are automatic, by name."""
        return self._settings.automatic(self._sigma, self._n_seen)

    @property
    def warming(self) -> WarmUp | None:
        """How far the warm-up is; None once it is over, or where the input is no video."""
        n_frames = self._settings.warm_up
        return WarmUp(self._n_seen, n_frames) if self._median is not None and self._n_seen <= n_frames else None

    @property
    def as_mini_batch(self) -> MiniBatchMethod:
        """The method itself."""
        return self

    @property
    def statistics(self) -> Statistics:
        """What is known of the past."""
        return self._learnt.statistics

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        self._settings.values[name] = value
        if name in {"rank", "auto_rank"}:
            self._judged_from = self._n_seen + SETTLED_SAMPLES
            self._learnt.change_rank(self._settings.rank, self._layout)
        self._make_parts()
        self._prepare_dictionary()

    def drop(self, k: int) -> None:
        """Go on without column ``k`` of the dictionary; the rank becomes one less. At least one column stays."""
        if self._learnt.rank > 1:
            self._learnt.keep(np.delete(np.arange(self._learnt.rank), k))
            self._settings.values["rank"] = self._learnt.rank
            self._prepare_dictionary()

    # -- one vector, or a mini-batch

    def step(self, v: Vector) -> Split:
        """Split a vector with the dictionary as it is, then learn from it (see `core.methods.base.Method.step`)."""
        return self.step_together([v])[0]

    @property
    def n_together(self) -> int:
        """See `core.methods.base.MiniBatchMethod`."""
        if self._settings.is_scene or self._median is not None:
            return 1
        return max(1, self._batch - len(self._learnt.pending_V))

    def step_together(self, vectors: Sequence[Vector]) -> list[Split]:
        """See `core.methods.base.MiniBatchMethod`."""
        V = np.stack([self._layout.in_white(v) for v in vectors])
        self._warm(vectors[0])
        encoding = self._encode(V)
        learnt, batch = self._learnt, self._batch
        learnt.follow(encoding.H[-1])
        self._n_seen += len(V)
        learnt.wait(V, encoding.H)
        if len(learnt.pending_V) >= batch:
            self.learn_waiting()
        return list(splits_of(encoding))

    def learn_waiting(self) -> None:
        """See `core.methods.base.MiniBatchMethod`."""
        V = self._learnt.pending_V
        if len(V):
            self._learn(V, self._learnt.pending_H)
            self._learnt.drop_pending()
            self._drop_irrelevant(V)

    def step_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Learn from a mini-batch at once; see `core.methods.base.MiniBatchMethod`."""
        encoding = self._encode(V)
        self._learnt.follow(encoding.H[-1])
        self._n_seen += len(V)
        self._learn(V, encoding.H)
        self._drop_irrelevant(V)
        return encoding

    def transform(self, v: Vector) -> Split:
        """Split a vector; learn nothing."""
        return split_of(self.transform_batch(self._layout.in_white(v)[None]))

    def transform_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Encode samples (n, F) float32, one a row, units of white; learn nothing."""
        if not self._n_seen:
            raise CleanplateError("The model is empty; learn from at least one frame before applying it.")
        return self._encode(V, learn=False)

    # -- saving and loading

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        learnt = self._learnt
        # The weight of the past in mini-batches as they are now: earlier versions counted these, whatever their sizes.
        n_batches = learnt.n_past / self._batch
        scalars = np.array([learnt.statistics.constant, n_batches, self._sigma, self._n_seen, learnt.prior])
        return {name: array.copy() for name, array in {**learnt.arrays(), "scalars": scalars}.items()}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a state; the warm-up counts as done."""
        constant, n_batches, self._sigma, seen, prior = (float(x) for x in state["scalars"])
        self._n_seen = int(seen)
        n_learnt = self._n_seen - len(state["pending_V"])
        # Without a start from a plate the past is what was learnt, also where an earlier version counted more of it.
        n_past = round(n_batches * self._settings.batch(n_learnt)) if prior else n_learnt
        self._learnt.load(state, constant, n_past, prior)
        self._settings.values["rank"] = self._learnt.rank
        self._median = None
        self._make_parts()
        self._prepare_dictionary()

    # -- the parts of a step

    @property
    def _batch(self) -> int:
        """Samples of the mini-batch that waits to be complete; it stays as it is until then."""
        return self._settings.batch(self._n_seen - len(self._learnt.pending_V))

    def _make_parts(self) -> None:
        """Make encoder and dictionary rule of the values in force; the encoder then wants its dictionary."""
        self._encoder = self._settings.encoder()
        self._rule = self._settings.dictionary()

    def _prepare_dictionary(self) -> None:
        """Bring basis images into their set, the fit kept, and let the encoder know them."""
        excess = self._rule.domain.constraint.excess(self._learnt.W)
        if (excess != 1).any():
            self._learnt.rescale(excess)
        self._encoder.prepare(self._learnt.W)

    def _warm(self, v: Vector) -> None:
        """While warming up, start anew whenever the median of what was seen is due."""
        if self._median is None:
            return
        if self._n_seen >= self._settings.warm_up:
            self._median = None
        elif self._median.offer(v):
            plate = self._layout.in_white(self._median.median())
            self._learnt.begin_at(plate, self._layout, self._settings.rank, self._batch)
            self._prepare_dictionary()

    def _encode(self, V: NDArray[np.float32], *, learn: bool = True) -> Encoding:
        H = self._start(V)
        if learn and not self._sigma:
            self._sigma = _robust_sigma(V - H @ self._learnt.W)
        encoding = self._encoder.encode(V, H, self._settings.loss(self._sigma))
        check_finite(encoding.H, encoding.loss)
        if learn:
            self._sigma += min(0.1 * len(V), 1.0) * (_robust_sigma(encoding.residual) - self._sigma)
        return encoding

    def _start(self, V: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return coefficients to start from: least squares, or those of the last frame where they fit better."""
        learnt = self._learnt
        H = least_squares_start(learnt.gram, V @ learnt.W.T).astype(np.float32)
        if len(V) == 1 and learnt.h.any():
            last, loss = learnt.h[None], self._settings.loss(self._sigma)
            losses = [loss.capped(V - start @ learnt.W)[1] for start in (H, last)]
            return last if losses[1] < losses[0] else H
        return H

    def _learn(self, V: NDArray[np.float32], H: NDArray[np.float32]) -> None:
        """Let the dictionary learn from a mini-batch that was encoded as ``H``."""
        learnt, loss = self._learnt, self._settings.loss(self._sigma)
        past = learnt.statistics
        keep = self._settings.keep(len(V), learnt.n_past)
        learnt.forget(keep, len(V))
        for round_index in range(self._settings.rounds):
            if round_index:
                H = self._encoder.encode(V, H, loss).H
            encoding = encoding_of(V, learnt.W, H, loss, 0)
            outliers = encoding.outliers
            statistics = past.joined(keep, H, encoding.clean, outliers, loss.penalty(outliers))
            learnt.learn(statistics, self._rule.domain.rescaled(self._rule.update(learnt.W, statistics), learnt.W))
            self._encoder.prepare(learnt.W)
        learnt.average_unexplained(keep, encoding.residual)

    def _drop_irrelevant(self, V: NDArray[np.float32]) -> None:
        """Where the rank is automatic, drop the basis image that is least worth its cost, if one is not."""
        learnt, known, n_values = self._learnt, self._learnt.statistics, self._layout.n_values
        if not self._settings.auto_rank or self._median is not None or self._n_seen < self._judged_from:
            return
        n_samples = self._settings.counted(learnt.n_past)
        # The mean loss is the dispersion where outliers make most of it, and half of it where there are none.
        dispersion = max(known.surrogate(learnt.W) / n_values, self._sigma**2)
        fold = least_relevant(
            learnt.used(), learnt.gram, RankEvidence(n_samples, n_values, dispersion, float(V.mean()))
        )
        if fold is not None:
            learnt.fold(fold)
            self._prepare_dictionary()


def _robust_sigma(residual: NDArray[np.float32]) -> float:
    """Return the scale of noise, judged by values spread over a residual."""
    return mad_sigma(spread_over(residual.reshape(-1), NOISE_SAMPLE))
