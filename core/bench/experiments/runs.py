"""One method of the catalogue learns a set of images, and is then applied to it; online and batch methods alike."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.frames.frame import Layout
from core.methods.base import BatchMethod, Method, MiniBatchMethod
from core.nmf.encoders.base import Encoding

WARM_SAMPLES, WARM_ITERATIONS = 20, 4
"""From which a method learns before the clock starts; so many iterations that those in two stages get to the second."""

_warm: set[tuple[str, frozenset[tuple[str, object]]]] = set()
"""Methods that have learnt in this process, by key and what was chosen, which decides what of a method is used."""


@dataclass(frozen=True, eq=False)
class Contestant:
    """A row of the catalogue with what is chosen of its parameters."""

    name: str
    key: str
    chosen: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Fitted:
    """What a method learnt.

    Attributes
    ----------
    W : (K, F) float32
        Dictionary, one basis image a row.
    encoding : Encoding
        Of the samples, in the order in which they were given, with the dictionary at the end.
    seconds : float
        Processor time spent on learning: what a clock shows on a quiet machine, as methods here run on one core.
        Applying the dictionary at the end is not part of it, nor is what is compiled or loaded at the first use.
    """

    W: NDArray[np.float32]
    encoding: Encoding
    seconds: float

    @property
    def background(self) -> NDArray[np.float32]:
        """``W h`` (n, F), units of white."""
        return np.asarray(self.encoding.background, np.float32)

    @property
    def outliers(self) -> NDArray[np.float32]:
        """``r`` (n, F), units of white; 0 where the method knows none."""
        return np.asarray(self.encoding.outliers, np.float32)


def build(key: str, layout: Layout, chosen: Mapping[str, object], seed: int) -> Method:
    """Return a fresh method; what is ``chosen`` but no parameter of it is passed over, the rest keeps its default."""
    row = catalogue.row(key)
    has = {p.name for p in row.parameters}
    values = catalogue.complete(row, {name: value for name, value in chosen.items() if name in has})
    return row.build(layout, {name: values[name] for name in has}, seed)


def warm_up(key: str, layout: Layout, V: NDArray[np.float32], chosen: Mapping[str, object], seed: int) -> None:
    """Let another such method learn from a few samples (n, F), so that nothing is compiled or loaded on a clock.

    Once in a process: it takes seconds.
    """
    what = key, frozenset(chosen.items())
    if what in _warm:
        return
    _warm.add(what)
    method = build(key, layout, {**chosen, "iterations": WARM_ITERATIONS}, seed)
    few = V[:WARM_SAMPLES]
    if (whole := method.as_batch) is not None:
        whole.gather(few)
        whole.fit()
    else:
        mini_batch_learner(method).step_batch(few)


def fit(
    key: str, layout: Layout, V: NDArray[np.float32], chosen: Mapping[str, object], seed: int, passes: int = 1
) -> Fitted:
    """Learn samples with one method, and encode them with what it learnt.

    Mini-batches are of the size that was chosen, or else as the catalogue has it: it may grow with what was seen.

    Parameters
    ----------
    key : str
        Of the catalogue.
    layout : Layout
        Of one sample.
    V : (n, F) float32
        One sample a row, units of white.
    chosen : mapping
        Parameters that differ from their defaults; names that a method does not have are passed over, so that
        ``rank``, ``lam`` or ``batch`` can be given to all alike.
    seed : int
        Of the random start, and of the order in which an online method sees the samples.
    passes : int
        How often an online method sees each sample, in another order each time.
    """
    method = build(key, layout, chosen, seed)
    warm_up(key, layout, V, chosen, seed)
    started = time.process_time()
    learner: BatchMethod | MiniBatchMethod
    if (whole := method.as_batch) is not None:
        learner = whole
        whole.gather(V)
        whole.fit()
    else:
        learner = stream = mini_batch_learner(method)
        rng = np.random.default_rng(seed)
        for _ in range(passes):
            left = rng.permutation(len(V))
            while len(left):
                batch = int(method.values.get("batch") or stream.n_together)
                stream.step_batch(V[left[:batch]])
                left = left[batch:]
    seconds = time.process_time() - started
    return Fitted(np.ascontiguousarray(method.W.T), learner.transform_batch(V), seconds)


def mini_batch_learner(method: Method) -> MiniBatchMethod:
    """Return a method as one that learns from mini-batches.

    Raises
    ------
    TypeError
        It does not.
    """
    learner = method.as_mini_batch
    if learner is None:
        raise TypeError("This method learns from no samples but frames, one by one.")
    return learner


def batch_learner(method: Method) -> BatchMethod:
    """Return a method as one that learns from a set; raises TypeError where it does not."""
    learner = method.as_batch
    if learner is None:
        raise TypeError("This method gathers no set to learn from.")
    return learner
