"""What methods that follow a rule have in common: the dictionary, the rule in force, and splitting without learning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Layout, Vector
from core.frames.split import Split
from core.methods.base import Unguided
from core.methods.content import shows_scene
from core.methods.online.settings import IMAGE_SET_RANK, VIDEO_RANK
from core.methods.rules import BatchRule, StreamRule, split_of
from core.nmf.encoders.base import Encoding, gram, least_squares_start
from core.nmf.finite import check_finite
from core.nmf.initialisation import random_dictionary
from core.parameter import Parameter, Value
from core.state_schema import ArraySpec, Range, StateSchema

PAST = "past_"
"""Begins the names of a rule's arrays in the state."""

AnyRule = TypeVar("AnyRule", StreamRule, BatchRule)


def rank_parameter(rank: int, *, live: bool) -> Parameter:
    """Return the parameter ``rank``, where ``rank`` is the automatic one of image sets."""
    return Parameter(
        "rank", "Rank K", None, 1, 100, f"Number of basis images; automatic: {rank} for image sets, {VIDEO_RANK} for "
        "video.", "higher: finer backgrounds, which may swallow passers-by", kind=int, automatic=True, live=live,
    )  # fmt: skip


def rank_of(values: Mapping[str, Value], layout: Layout, image_set_rank: int) -> int:
    """Return the rank as set, or the automatic one."""
    chosen = values["rank"]
    automatic = VIDEO_RANK if shows_scene(values, layout) else image_set_rank
    return automatic if chosen is None else int(chosen)


def learnt_schema(rule: StreamRule | BatchRule, layout: Layout, rank: int, dictionary: Range) -> StateSchema:
    """Return what `RuleBasedNmf` saves of the dictionary, whose values lie in a range, and of the rule's past."""
    F = layout.n_values
    learnt = StateSchema({"W": ArraySpec(np.float32, ("K", F), (dictionary,))}, {"K": (rank,)})
    return learnt.joined(rule.schema(F).prefixed(PAST))


class RuleBasedNmf(Unguided, Generic[AnyRule]):
    """Part of `mini_batch.StochasticNmf` and `batch.BatchNmf`: ``V ≈ H W``, encoded as a rule says.

    The dictionary starts random, rows of norm 1; a rule that wants another scale or set brings it there when it first
    learns.

    Parameters
    ----------
    layout : Layout
    values : mapping
        A value for each parameter of the method's row; ``rank`` is read here.
    seed : int
        Of the random start.
    make_rule : callable
        ``make_rule(values, layout)`` makes a rule that knows no past. When a parameter changes, a new one is made and
        loads the past of the old one, so a rule needs no setters. One that has learnt nothing yet has an
        empty past: its ``state`` gives ``{}``, which ``load`` takes.
    image_set_rank : int
        Automatic rank of image sets.
    """

    def __init__(
        self, layout: Layout, values: Mapping[str, Value], seed: int,
        make_rule: Callable[[Mapping[str, Value], Layout], AnyRule], image_set_rank: int = IMAGE_SET_RANK,
    ) -> None:  # fmt: skip
        self._layout = layout
        self._make_rule: Callable[[Mapping[str, Value], Layout], AnyRule] = make_rule
        self._video, self._image_set_rank = shows_scene(values, layout), image_set_rank
        self._values = dict(values)
        self._rule: AnyRule = make_rule(self._values, layout)
        self._n_seen = 0
        self._set_dictionary(random_dictionary(self._rank, layout.n_values, np.random.default_rng(seed)))

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (F, K)."""
        return self._W.T

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""
        return self._values

    @property
    def automatic(self) -> Mapping[str, float]:
        """The rank, by its name."""
        return {"rank": self._rank}

    @property
    def rule(self) -> AnyRule:
        """The rule in force."""
        return self._rule

    @property
    def _rank(self) -> int:
        return rank_of(self._values, self._layout, self._image_set_rank)

    # -- applying

    def transform(self, v: Vector) -> Split:
        """Split a vector; learn nothing."""
        return split_of(self.transform_batch(self._layout.in_white(v)[None]))

    def transform_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Encode samples (n, F) float32, one a row, units of white; learn nothing."""
        if not self._n_seen:
            raise CleanplateError("The model is empty; learn from at least one frame before applying it.")
        return self._encode(V)

    # -- the parts

    def _set_dictionary(self, W: NDArray[np.float32]) -> None:
        products = gram(W)
        check_finite(products)
        self._W, self._gram = W, products

    def _start(self, V: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return coefficients (n, K) by least squares."""
        return least_squares_start(self._gram, V @ self._W.T).astype(np.float32)

    def _encode(self, V: NDArray[np.float32]) -> Encoding:
        encoding = self._rule.encode(V, self._W, self._start(V))
        check_finite(encoding.H, encoding.loss)
        return encoding

    def _renew_rule(self) -> None:
        """Make the rule of the values in force; it goes on from the past of the old one."""
        past = self._rule.state()
        self._rule = self._make_rule(self._values, self._layout)
        self._rule.load(past)

    def _learnt(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of the dictionary and of the rule's past, for a state."""
        past = {PAST + name: array.copy() for name, array in self._rule.state().items()}
        return {"W": self._W.copy(), **past}

    def _load_learnt(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load copies of what `_learnt` gave; the rank becomes that of the dictionary."""
        self._set_dictionary(np.array(state["W"], np.float32))
        self._values["rank"] = len(self._W)
        self._rule = self._make_rule(self._values, self._layout)
        self._rule.load({name.removeprefix(PAST): a for name, a in state.items() if name.startswith(PAST)})
