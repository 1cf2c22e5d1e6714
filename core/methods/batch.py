"""Batch factorization: a bounded set of frames is gathered, factorized by a rule of its own, and then applied."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.decimated_history import DecimatedHistory
from core.frames.frame import Layout, Vector
from core.frames.split import Split
from core.methods.base import BatchMethod, Improvement
from core.methods.content import CONTENT
from core.methods.online.settings import IMAGE_SET_RANK
from core.methods.rule_based import RuleBasedNmf, learnt_schema, rank_of, rank_parameter
from core.methods.rules import BatchRule, split_of
from core.nmf.encoders.base import Encoding
from core.nmf.finite import check_finite
from core.parameter import Parameter, Value, number
from core.runtime.stopping import StoppedError
from core.state_schema import COUNT, LARGEST, NONNEGATIVE, SWITCH, ArraySpec, Range, State, StateSchema

IMAGE_SET_FRAMES, VIDEO_FRAMES = 2500, 100
"""Automatic size of the set: all of the usual collections of faces; of one scene, fewer show as much."""

MOST_BYTES = 256 << 20
"""Memory for the set as float32; a rule needs a few times as much beside it."""

STOPS = ("iterations", "tolerance")
"""Parameters that say only when learning ends."""

MakeRule = Callable[[Mapping[str, Value], Layout], BatchRule]


def batch_learning(rank: int = IMAGE_SET_RANK, iterations: int = 200, tolerance: float = 1e-4) -> tuple[Parameter, ...]:
    """Return the parameters that every method of `BatchNmf` has: ``content``, ``rank``, ``frames`` and when to stop.

    Parameters
    ----------
    rank : int
        Automatic rank of image sets; pass the same to `BatchNmf`.
    iterations, tolerance
        Defaults.
    """
    return (
        CONTENT,
        rank_parameter(rank, live=False),
        Parameter(
            "frames", "Frames kept", None, 2, 100_000, "Most frames to learn from, spread over the input, as memory "
            f"allows; automatic: {IMAGE_SET_FRAMES} for image sets, {VIDEO_FRAMES} for video.",
            "higher: sees more, slower", "frames", kind=int, automatic=True, live=False, logarithmic=True,
        ),
        Parameter(
            "iterations", "Iterations", iterations, 1, 100_000, "Improvements of the whole, at most.",
            "higher: more exact, slower", kind=int, logarithmic=True,
        ),
        Parameter(
            "tolerance", "Tolerance", tolerance, 1e-9, 0.1,
            "Learning ends when an iteration changes the objective relatively by less, and no stage is still to come.",
            "lower: more exact, slower", logarithmic=True, advanced=True,
        ),
    )  # fmt: skip


def batch_schema(
    layout: Layout, values: Mapping[str, Value], *, make_rule: MakeRule, image_set_rank: int = IMAGE_SET_RANK
) -> StateSchema:
    """Return what a `BatchNmf` of these values saves."""
    objective = Range(-(LARGEST**2), LARGEST**2, or_infinite=True)
    scalars = ArraySpec(np.float64, (4,), (COUNT, COUNT, objective, SWITCH))
    learnt = learnt_schema(make_rule(values, layout), layout, rank_of(values, layout, image_set_rank), NONNEGATIVE)
    found = [name for name, spec in learnt.arrays.items() if np.isfinite(spec.ranges[0].low)]

    def known_once_iterated(state: State) -> str | None:
        _, iteration, objective, _ = state["scalars"].tolist()
        unknown = [name for name in found if name in state and (state[name] == np.inf).all()]
        unknown += ["scalars"] if np.isinf(objective) else []
        return f"{unknown[0]} is infinite after iterations" if iteration and unknown else None

    return StateSchema({"scalars": scalars}, agreements=(known_once_iterated,)).joined(learnt)


class BatchNmf(RuleBasedNmf[BatchRule]):
    """Learns ``V ≈ H W`` from a set of samples at once: `step` gathers it, `improve` is one iteration, `fit` all.

    A step leaves the dictionary as it is; what was gathered teaches when `improve` is called. `transform` splits with
    the dictionary as it is too, learnt or not. The set is bounded by the parameter ``frames`` and by `MOST_BYTES`;
    when it is full, every other sample goes (`DecimatedHistory`). It is not part of the state: a model is what was
    learnt. The coefficients start at least squares. A sample that comes after iterations joins the set, and the next
    iteration begins anew from the dictionary there is.

    Parameters
    ----------
    layout, values, seed, make_rule, image_set_rank
        See `core.methods.rule_based.RuleBasedNmf`; the parameters of `batch_learning` are read here. A new rule also
        begins with the factors as they are.
    """

    def __init__(
        self, layout: Layout, values: Mapping[str, Value], seed: int, make_rule: MakeRule,
        image_set_rank: int = IMAGE_SET_RANK,
    ) -> None:  # fmt: skip
        super().__init__(layout, values, seed, make_rule, image_set_rank)
        frames = int(self._values["frames"] or (VIDEO_FRAMES if self._video else IMAGE_SET_FRAMES))
        capacity = max(1, min(frames, MOST_BYTES // (4 * layout.n_values)))
        self._kept: DecimatedHistory[Vector] = DecimatedHistory(capacity)
        self._factors: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        self._iteration, self._objective, self._finished = 0, np.inf, False
        self._change = np.inf

    # -- what is in force

    @property
    def as_batch(self) -> BatchMethod:
        """The method itself."""
        return self

    @property
    def numbers(self) -> list[int]:
        """Which of the samples that came, from 0, are in the set."""
        return self._kept.numbers

    @property
    def capacity(self) -> int:
        """How many samples the set holds at most."""
        return self._kept.capacity

    @property
    def is_full(self) -> bool:
        """True when the next sample that is kept drives others out."""
        return self._kept.is_full

    @property
    def finished(self) -> bool:
        """True when the set was learnt from to the end and no value has changed since, or a learnt model was loaded."""
        return self._finished

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next iteration or step.

        Where another value than before may change what the rule does, it begins again with the factors as they are;
        `STOPS` do not. After the end learning goes on: up to the new stops, or, with another rule, as long as at first.
        A loaded model, which holds no set, stays finished.
        """
        if value == self._values[name]:
            return
        self._values[name] = value
        if name in STOPS:
            self._rule.stop_by(self._n_iterations, self._tolerance)
        else:
            self._renew_rule()
            self._begin_again()
        if self._factors is None:
            return
        if name in STOPS:
            self._finished = self._is_over
        elif self._finished:
            self._iteration, self._objective, self._finished = 0, np.inf, False

    def drop(self, k: int) -> None:
        """Go on without column ``k`` of the dictionary; the rank becomes one less. At least one column stays."""
        if len(self._W) == 1:
            return
        self._set_dictionary(np.ascontiguousarray(np.delete(self._W, k, axis=0)))
        self._values["rank"] = len(self._W)
        if self._factors is not None:
            V, H = self._factors
            self._factors = V, np.ascontiguousarray(np.delete(H, k, axis=1))
            self._begin_again()

    # -- gathering

    def step(self, v: Vector) -> Split:
        """Keep a vector for the set and split it with the dictionary as it is (see `core.methods.base.Method.step`).

        Until something was learnt that is by least squares, for the time of a real encoding would be wasted.
        """
        self._gather(v)
        x = self._layout.in_white(v)[None]
        return split_of(self._encode(x) if self._iteration else self._rule.split(x, self._W, self._start(x)))

    def gather(self, V: NDArray[np.float32]) -> None:
        """Keep samples (n, F) float32, one a row, units of white, for the set."""
        for v in V:
            self._gather(v)

    # -- iterating

    def improve(self, shown: int = 0) -> Improvement:
        """Do one iteration over the whole set.

        Parameters
        ----------
        shown : int
            Which sample of the set the returned split is of, counted from 0.

        Raises
        ------
        CleanplateError
            Nothing was gathered, or the factors are not finite any more; then they are as they were.
        StoppedError
            See `core.runtime.stopping`; the dictionary is as it was.
        """
        V, H = self._factors or self._begin()
        settling = self._rule.is_settling
        try:
            W, H, objective = self._rule.improve(V, self._W, H)
        except StoppedError:
            self._factors = None  # The rule may have been halfway: the next iteration begins anew.
            raise
        check_finite(H, objective)
        self._set_dictionary(W)
        self._factors = V, H
        self._iteration += 1
        self._change = np.inf if settling else abs(self._objective - objective)
        self._objective = objective
        self._finished = self._is_over
        split = split_of(self._rule.split(V[shown : shown + 1], W, H[shown : shown + 1]))
        return Improvement(split, objective, self._iteration, self._n_iterations, self._finished)

    def fit(self) -> list[float]:
        """Iterate to the end; return the objective after each iteration."""
        objectives: list[float] = []
        while not self._finished:
            objectives.append(self.improve().objective)
        return objectives

    def encoding(self) -> Encoding:
        """Return what the factors as they are make of the whole set, in the order of `numbers`."""
        V, H = self._factors or self._begin()
        return self._rule.split(V, self._W, H)

    # -- saving and loading

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt; the set is not part of it."""
        scalars = np.array([self._n_seen, self._iteration, self._objective, self._finished], np.float64)
        return {"scalars": scalars, **self._learnt()}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a state of the same layout."""
        n_seen, iteration, self._objective, finished = (float(x) for x in state["scalars"])
        self._n_seen, self._iteration, self._finished = int(n_seen), int(iteration), bool(finished)
        self._factors = None
        self._load_learnt(state)

    # -- the parts

    @property
    def _n_iterations(self) -> int:
        return int(self._values["iterations"] or 1)

    @property
    def _tolerance(self) -> float:
        return number(self._values, "tolerance")

    @property
    def _is_over(self) -> bool:
        """Whether the last iteration was the last one by the stops in force."""
        converged = self._iteration > 0 and self._change <= self._tolerance * abs(self._objective)
        return self._iteration >= self._n_iterations or converged

    def _gather(self, v: Vector) -> None:
        self._kept.offer_made(v.copy)
        self._n_seen += 1
        self._factors, self._finished = None, False

    def _begin(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the set as a matrix, which takes the place of its vectors, and coefficients to start from."""
        if not self._kept.items:
            raise CleanplateError("There is nothing to learn from; gather at least one frame before iterating.")
        V = np.empty((len(self._kept.items), self._layout.n_values), np.float32)
        for i, v in enumerate(self._kept.items):
            V[i] = self._layout.in_white(v)
            self._kept.put(i, V[i])  # One by one, so that what was gathered since is never in memory twice.
        self._iteration, self._objective = 0, np.inf
        H = self._start(V)
        self._rule.begin(V, self._W, H)
        self._factors = V, H
        return self._factors

    def _begin_again(self) -> None:
        """Let the rule begin with the factors as they are, where there are any; what it knows of the set remains."""
        if self._factors is not None:
            V, H = self._factors
            past = self._rule.state()
            self._rule.begin(V, self._W, H)
            self._rule.load(past)
