"""What can be measured for convergence: this program's methods and those of other libraries, all behind one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.bench.faces import RANK, Problem
from core.methods.batch import BatchNmf
from core.methods.fast.nmf import Fast
from core.methods.online.nmf import OnlineNmf

Batch = NDArray[np.float32]

ROBUST_PGD = "hyperspy RobustPGD"


@dataclass(frozen=True)
class Learner:
    """A method at its start.

    Attributes
    ----------
    learn : callable
        Learns from samples (n, F): a mini-batch, or all of them where the contender is ``batch``.
    dictionary : callable
        Returns the dictionary (K, F) as it is.
    """

    learn: Callable[[Batch], object]
    dictionary: Callable[[], NDArray[np.floating]]


@dataclass(frozen=True)
class Contender:
    """A method that takes part.

    Attributes
    ----------
    name : str
    loss : str
        What it minimises.
    begin : callable
        Makes a learner at the problem's start.
    package : str
        What has to be installed, as it is imported; empty: nothing.
    batch : bool
        Does it look at all samples in each iteration?
    """

    name: str
    loss: str
    begin: Callable[[Problem], Learner]
    package: str = ""
    batch: bool = False

    @property
    def present(self) -> bool:
        """Whether its package is installed."""
        return not self.package or find_spec(self.package) is not None


def _online(key: str, recency: float | None = None) -> Callable[[Problem], Learner]:
    def begin(problem: Problem) -> Learner:
        row = catalogue.row(key)
        chosen = {"rank": RANK, "lam": problem.lam, "warm_up": 0} | ({"recency": recency} if recency else {})
        method = row.build(problem.layout, {**row.defaults(), **chosen}, problem.seed)
        assert isinstance(method, OnlineNmf)
        method.load({**method.state(), "W": problem.W})
        return Learner(method.step_batch, lambda: method.W.T)

    return begin


def _batch(key: str) -> Callable[[Problem], Learner]:
    def begin(problem: Problem) -> Learner:
        row = catalogue.row(key)
        chosen = {"rank": RANK, "lam": problem.lam, "frames": len(problem.V)}
        method = row.build(problem.layout, {**row.defaults(), **chosen}, problem.seed)
        assert isinstance(method, BatchNmf)
        method.load({**method.state(), "W": problem.W})
        method.gather(problem.V)
        return Learner(lambda _: method.improve(), lambda: method.W.T)

    return begin


def _fast(problem: Problem) -> Learner:
    row = catalogue.row("fast")
    # All pixels, every frame, nothing forgotten: then its problem is that of the others.
    chosen = {"rank": RANK, "lam": problem.lam, "sample": 100_000_000, "learn_every": 1, "forget": False, "warm_up": 0}
    method = row.build(problem.layout, {**row.defaults(), **chosen}, problem.seed)
    assert isinstance(method, Fast)
    nothing = {"A": np.zeros((RANK, RANK)), "h": np.zeros(RANK), "usage": np.zeros(RANK)}
    method.load({**method.state(), **nothing, "W": problem.W, "B": np.zeros_like(problem.W)})

    def learn(V: Batch) -> None:
        for v in V:
            method.step(v)

    return Learner(learn, lambda: method.W.T)


def _minibatch_nmf(problem: Problem) -> Learner:
    from sklearn.decomposition import MiniBatchNMF  # noqa: PLC0415

    batch = problem.batches[0]
    method = MiniBatchNMF(RANK, init="custom", batch_size=len(batch), random_state=problem.seed)
    # It asks for coefficients beside the start, and computes its own.
    start = {"W": np.full((len(batch), RANK), 0.1, np.float32), "H": problem.W.copy()}

    W = problem.W

    def learn(V: Batch) -> None:
        nonlocal W
        W = method.partial_fit(V, **start).components_

    return Learner(learn, lambda: W)


def _robust_pgd(problem: Problem) -> Learner:
    from hyperspy.learn._ornmf import ORNMF  # noqa: PLC0415 - nowhere public

    method = ORNMF(RANK, lambda1=problem.lam, method="RobustPGD", random_state=problem.seed)
    method._setup(problem.V)
    method.W = problem.W.T.astype(np.float64)  # It has no way to be given a start.

    def learn(V: Batch) -> None:
        method.partial_fit(V.astype(np.float64), batch_size=len(V))

    return Learner(learn, lambda: method.W.T)


HUBER = "Huber"

CONTENDERS = (
    Contender("opgd", HUBER, _online("opgd")),
    Contender("oadmm", HUBER, _online("oadmm")),
    Contender("onmfo", "own: outliers ≥ 0", _online("onmfo")),
    Contender("fast", HUBER, _fast),
    # Recent samples count ten times as much: sooner there on thousands of samples, worse on a few hundred.
    Contender("opgd, recency 10", HUBER, _online("opgd", 10)),
    Contender("bpgd", HUBER, _batch("bpgd"), batch=True),
    Contender("badmm", HUBER, _batch("badmm"), batch=True),
    Contender("MiniBatchNMF", "own: squared", _minibatch_nmf, "sklearn"),
    Contender(ROBUST_PGD, HUBER, _robust_pgd, "hyperspy"),
)
"""Everyone, in the order of the table."""
