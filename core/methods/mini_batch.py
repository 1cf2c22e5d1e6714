"""Online methods that learn from one mini-batch after another, each by a rule of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Vector
from core.frames.running_median import RunningMedian
from core.frames.split import Split
from core.methods.base import MiniBatchMethod, WarmUp
from core.methods.content import CONTENT
from core.methods.online.rows import WARM_UP
from core.methods.online.settings import IMAGE_SET_RANK, VIDEO_WARM_UP
from core.methods.rule_based import RuleBasedNmf, learnt_schema, rank_of, rank_parameter
from core.methods.rules import StreamRule, splits_of
from core.nmf.encoders.base import Encoding
from core.nmf.initialisation import leftover_columns, shaded_dictionary
from core.parameter import Parameter, Value
from core.state_schema import COUNT, NONNEGATIVE, NONNEGATIVE_SUMS, SAMPLES, ArraySpec, Range, StateSchema

RECENT = 0.05
"""Share that one more sample has in what is known of the use of the columns, once there are enough."""

MOST_BYTES = 64 << 20
"""Memory for samples that wait: the mini-batch ends where one more would not fit. A rule takes a few times as much."""

MakeRule = Callable[[Mapping[str, Value], Layout], StreamRule]


def stream_learning(rank: int = IMAGE_SET_RANK, batch: int = 10) -> tuple[Parameter, ...]:
    """Return the parameters that every method of `StochasticNmf` has: ``rank``, ``batch``, ``warm_up``, ``content``.

    Parameters
    ----------
    rank : int
        Automatic rank of image sets; pass the same to `StochasticNmf`.
    batch : int
        Default mini-batch, samples.
    """
    return (
        rank_parameter(rank, live=True),
        Parameter(
            "batch", "Mini-batch τ", batch, 1, 1000, "Frames from which each improvement of the basis is learnt; fewer "
            "where frames are large.", "higher: faster, learns later", "frames", kind=int, logarithmic=True,
        ),
        WARM_UP,
        CONTENT,
    )  # fmt: skip


STREAM_LEARNING = stream_learning()
"""The common parameters where a paper names no rank or mini-batch of its own."""


def stream_schema(
    layout: Layout, values: Mapping[str, Value], *, make_rule: MakeRule, image_set_rank: int = IMAGE_SET_RANK,
    dictionary: Range = NONNEGATIVE,
) -> StateSchema:  # fmt: skip
    """Return what a `StochasticNmf` of these values saves, whose dictionary has values in a range."""
    F = layout.n_values
    arrays = {
        "usage": ArraySpec(np.float64, ("K",), (NONNEGATIVE_SUMS,)),
        "unexplained": ArraySpec(np.float32, (F,), (NONNEGATIVE,)),
        "waiting": ArraySpec(np.float32, ("n_waiting", F), (SAMPLES,)),
        "n_seen": ArraySpec(np.int64, (1,), (COUNT,)),
    }
    learnt = learnt_schema(make_rule(values, layout), layout, rank_of(values, layout, image_set_rank), dictionary)
    return StateSchema(arrays, {"n_waiting": range(_batch_of(values, layout))}).joined(learnt)


def _batch_of(values: Mapping[str, Value], layout: Layout) -> int:
    """Return the samples of a mini-batch: as many as were asked for, as memory allows."""
    return min(int(values["batch"] or 1), max(1, MOST_BYTES // (4 * layout.n_values)))


class StochasticNmf(RuleBasedNmf[StreamRule]):
    """Learns ``V ≈ H W`` from mini-batches: a rule encodes each sample, and learns from ``batch`` of them at once.

    The samples of a mini-batch are all encoded with the dictionary as it was before.

    Parameters
    ----------
    layout, values, seed, make_rule, image_set_rank
        See `core.methods.rule_based.RuleBasedNmf`; ``batch`` is read here. The method ``keep`` of a rule that has
        learnt nothing yet does nothing.
    learns_in_warm_up : bool
        Without it the dictionary is that of the median meanwhile: for a rule whose first mini-batch counts for more
        than the start.
    """

    def __init__(
        self, layout: Layout, values: Mapping[str, Value], seed: int, make_rule: MakeRule,
        image_set_rank: int = IMAGE_SET_RANK, *, learns_in_warm_up: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(layout, values, seed, make_rule, image_set_rank)
        self._learns_in_warm_up = learns_in_warm_up
        self._unexplained = np.zeros(layout.n_values, np.float32)
        self._usage = np.zeros(len(self._W))
        self._waiting: list[tuple[NDArray[np.float32], Encoding]] = []
        self._median: RunningMedian | None = RunningMedian() if self._warm_up else None

    # -- what is in force

    @property
    def as_mini_batch(self) -> MiniBatchMethod:
        """The method itself."""
        return self

    @property
    def automatic(self) -> Mapping[str, float]:
        """Rank and warm-up, by name."""
        return {**super().automatic, "warm_up": self._warm_up}

    @property
    def warming(self) -> WarmUp | None:
        """How far the warm-up is; None once it is over, or where the input is no video."""
        n_frames = self._warm_up
        return WarmUp(self._n_seen, n_frames) if self._median is not None and self._n_seen <= n_frames else None

    @property
    def _warm_up(self) -> int:
        chosen = self._values.get("warm_up")
        return (VIDEO_WARM_UP if self._video else 0) if chosen is None else int(chosen)

    @property
    def _n_waiting(self) -> int:
        return sum(len(V) for V, _ in self._waiting)

    @property
    def _batch(self) -> int:
        return _batch_of(self._values, self._layout)

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        self._values[name] = value
        if name == "rank":
            self._change_rank(self._rank)
        self._renew_rule()

    def drop(self, k: int) -> None:
        """Go on without column ``k`` of the dictionary; the rank becomes one less. At least one column stays."""
        if len(self._W) > 1:
            self._keep(np.delete(np.arange(len(self._W)), k))
            self._values["rank"] = len(self._W)

    # -- one vector, or a mini-batch

    def step(self, v: Vector) -> Split:
        """Split a vector with the dictionary as it is, then learn from it (see `core.methods.base.Method.step`)."""
        return self.step_together([v])[0]

    @property
    def n_together(self) -> int:
        """See `core.methods.base.MiniBatchMethod`."""
        if self._video or self._median is not None:
            return 1
        return max(1, self._batch - self._n_waiting)

    def step_together(self, vectors: Sequence[Vector]) -> list[Split]:
        """See `core.methods.base.MiniBatchMethod`."""
        V = np.stack([self._layout.in_white(v) for v in vectors])
        self._warm(vectors[0])
        encoding = self._encode(V)
        if self._median is None or self._learns_in_warm_up:
            self._waiting.append((V, encoding))
        if self._n_waiting >= self._batch:
            self.learn_waiting()
        self._note(encoding)
        return list(splits_of(encoding))

    def learn_waiting(self) -> None:
        """See `core.methods.base.MiniBatchMethod`."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._learn(np.concatenate([V for V, _ in waiting]), _joined([encoding for _, encoding in waiting]))

    def step_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Learn from a mini-batch at once; see `core.methods.base.MiniBatchMethod`."""
        encoding = self._encode(V)
        self._learn(V, encoding)
        self._note(encoding)
        return encoding

    # -- saving and loading

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt; samples that wait go with it, those that a smaller mini-batch can hold."""
        waiting = np.vstack([np.zeros((0, self._layout.n_values), np.float32), *(V for V, _ in self._waiting)])
        waiting = waiting[max(0, len(waiting) + 1 - self._batch) :]
        return {
            "usage": self._usage.copy(), "unexplained": self._unexplained.copy(), "waiting": waiting,
            "n_seen": np.array([self._n_seen]), **self._learnt(),
        }  # fmt: skip

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a state of the same layout; the warm-up counts as done."""
        self._median = None
        self._load_learnt(state)
        self._usage = np.array(state["usage"], np.float64)
        self._unexplained = np.array(state["unexplained"], np.float32)
        self._n_seen = int(state["n_seen"][0])
        waiting = np.array(state["waiting"], np.float32)
        self._waiting = [(x[None], self._encode(x[None])) for x in waiting]

    # -- the parts of a step

    def _warm(self, v: Vector) -> None:
        """While warming up, start anew whenever the median of what was seen is due: nothing else is known then."""
        if self._median is None:
            return
        if self._n_seen >= self._warm_up:
            self._median = None
        elif self._median.offer(v):
            plate = self._layout.in_white(self._median.median())
            self._rule = self._make_rule(self._values, self._layout)
            self._set_dictionary(shaded_dictionary(plate, self._layout, self._rank))
            self._usage, self._waiting = np.zeros(self._rank), []

    def _learn(self, V: NDArray[np.float32], encoding: Encoding) -> None:
        self._set_dictionary(self._rule.learn(V, self._W, encoding))

    def _note(self, encoding: Encoding) -> None:
        """Remember which columns samples use, and what they leave unexplained: changes of rank go by it."""
        n = len(encoding.H)
        self._n_seen += n
        share = max(1 - (1 - RECENT) ** n, n / self._n_seen)
        use = np.einsum("nk,nk->k", encoding.H, encoding.H) / n
        self._usage += share * (use.astype(np.float64) - self._usage)
        above = np.maximum(encoding.residual, 0).mean(axis=0)
        self._unexplained += np.float32(share) * (above - self._unexplained)

    # -- rank

    def _change_rank(self, rank: int) -> None:
        """Drop the least used columns, or add what the model leaves unexplained, shaded so that columns differ."""
        old = len(self._W)
        if rank < old:
            usage = self._usage * np.einsum("kf,kf->k", self._W, self._W)
            self._keep(np.sort(np.argsort(-usage, kind="stable")[:rank]))
        elif rank > old:
            self._keep(np.arange(old), leftover_columns(self._unexplained, self._layout, old, rank))

    def _keep(self, kept: NDArray[np.intp], new: NDArray[np.float32] | None = None) -> None:
        """Go on with some of the columns and with new ones (n, F); what waits to be learnt is encoded with them."""
        columns = self._W[kept] if new is None else np.vstack([self._W[kept], new])
        n_new = len(columns) - len(kept)
        self._set_dictionary(np.ascontiguousarray(columns))
        self._usage = np.pad(self._usage[kept], (0, n_new))
        self._rule.keep(kept, n_new)
        self._waiting = [(x, self._encode(x)) for x, _ in self._waiting]


def _joined(encodings: list[Encoding]) -> Encoding:
    """Return the encoding of all samples together."""
    capped = [e.capped for e in encodings if e.capped is not None]
    return Encoding(
        np.concatenate([e.H for e in encodings]), np.concatenate([e.background for e in encodings]),
        np.concatenate([e.residual for e in encodings]), np.concatenate(capped) if capped else None,
        sum(e.loss for e in encodings), max(e.iterations for e in encodings),
    )  # fmt: skip
