"""Objective against time for six divergences, online and batch: Zhao, Tan & Xu (2017), figure 1."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bench.convergence import Trace
from core.bench.experiments.base import Chart, Claim, Curve, Progress, Result, Run, Table, number
from core.bench.experiments.runs import build, mini_batch_learner, warm_up
from core.bench.experiments.synthetic import GAMMA_SHAPE, SHIFT, SIGMA, SPOILED, Synthetic, synthetic
from core.methods.base import BatchMethod, MiniBatchMethod
from core.methods.divergence.rows import BATCH, CHOICES, RANK, Choice
from core.nmf.encoders.base import gram, least_squares_start
from core.nmf.encoders.divergent import DivergenceEncoder

FIRST, GROWTH = 100, 1.5
"""Dictionaries are judged after so many samples at least, and each time so many times more were learnt."""

AS_FAST = 1.25
"""Of another's time: within that a method counts as as fast."""

NOISE = {"is": "gamma", "kl": "poisson", "l2sq": "normal", "huber": "outliers", "l1": "outliers", "l2": "outliers"}
DRAWN = tuple(choice for choice in CHOICES if choice.key in NOISE)
"""The divergences of the paper; it names others without experiments."""

RIVALS = {"is": ("ol-lef", "OL-Lef", 1.0), "l2sq": ("onmf", "OL-Guan", 1.0), "huber": ("ol-wang", "OL-Wang", AS_FAST)}
"""The earlier online methods that the paper compares with: key, the paper's name, and of whose time it claims less."""


@dataclass(frozen=True)
class Size:
    """How much is learnt, and for how long.

    Attributes
    ----------
    shape : (height, width)
    n : int
        Samples.
    longest_s : float
        Seconds of learning that each method has.
    judged : int
        Samples on which dictionaries are judged.
    """

    shape: tuple[int, int]
    n: int
    longest_s: float
    judged: int


FULL, QUICK = Size((20, 20), 20_000, 6.0, 250), Size((8, 10), 600, 0.2, 50)


class Judge:
    """Mean over samples of ``min over h of d(v ‖ W h)``, eq. (3) of the paper, for any dictionary."""

    def __init__(self, choice: Choice, V: NDArray[np.float32]) -> None:
        self._V = V
        self._divergence = choice.make({p.name: p.default for p in choice.parameters})
        self._encoder = DivergenceEncoder(self._divergence, 1e-4, 150)

    def of(self, W: NDArray[np.float32]) -> float:
        """Return the objective of a dictionary (K, F)."""
        H = least_squares_start(gram(W), self._V @ W.T).astype(np.float32)
        H, _ = self._encoder.encode(self._V, W, H)
        return float(self._divergence.values(self._V, H @ W).mean())


def run(_data: Path | None, seed: int, quick: bool) -> Run:
    """Let each divergence's methods learn data with its noise for the same time; say who was sooner."""
    size = QUICK if quick else FULL
    steps = [(choice, key) for choice in DRAWN for key in _contenders(choice)]
    traces: dict[str, dict[str, Trace]] = {choice.key: {} for choice in DRAWN}
    truths: dict[str, float] = {}
    for done, (choice, key) in enumerate(steps):
        yield Progress(done, len(steps), f"{key}, {choice.title}")
        if not traces[choice.key]:
            problem = synthetic(NOISE[choice.key], size.shape, size.n, RANK, seed)
            judge = Judge(choice, problem.V[: size.judged])
            truths[choice.key] = judge.of(problem.W)
        traces[choice.key][key] = trace(key, problem, judge, seed, size.longest_s)
    return _result(size, traces, truths)


def trace(key: str, problem: Synthetic, judge: Judge, seed: int, longest_s: float) -> Trace:
    """Return how one method comes down on a problem; judging is not part of its time."""
    chosen = {
        "rank": len(problem.W), "batch": BATCH, "frames": len(problem.V), "iterations": 100_000, "tolerance": 1e-9,
    }  # fmt: skip
    warm_up(key, problem.layout, problem.V, chosen, seed)
    method = build(key, problem.layout, chosen, seed)
    found = Trace(key, "", [0], [0.0], [judge.of(np.ascontiguousarray(method.W.T))])
    if (batch := method.as_batch) is not None:
        batch.gather(problem.V)
        learning = _iterations(batch)
    else:
        learning = _mini_batches(mini_batch_learner(method), problem.V, seed)
    spent, due = 0.0, float(FIRST)
    while spent < longest_s:
        started = time.process_time()
        n_learnt = next(learning, None)
        spent += time.process_time() - started
        if n_learnt is None:
            break
        if n_learnt >= due or spent >= longest_s:
            due = GROWTH * n_learnt
            found.samples.append(n_learnt)
            found.seconds.append(spent)
            found.objectives.append(judge.of(np.ascontiguousarray(method.W.T)))
    return found


def _iterations(method: BatchMethod) -> Generator[int, None, None]:
    """Iterate a batch method; yield the samples that it has gone through."""
    n_samples = len(method.numbers)
    done = 0
    while not method.finished:
        method.improve()
        done += n_samples
        yield done


def _mini_batches(method: MiniBatchMethod, V: NDArray[np.float32], seed: int) -> Generator[int, None, None]:
    """Let an online method learn pass after pass, each in another order; yield the samples that it has learnt."""
    rng = np.random.default_rng(seed)
    done = 0
    while True:
        order = rng.permutation(len(V))
        for first in range(0, len(V) - BATCH + 1, BATCH):
            method.step_batch(V[order[first : first + BATCH]])
            done += BATCH
            yield done


def _contenders(choice: Choice) -> list[str]:
    keys = [f"ol-{choice.key}", f"b-{choice.key}"]
    return [*keys, RIVALS[choice.key][0]] if choice.key in RIVALS else keys


def race(one: Trace, other: Trace) -> tuple[float, float]:
    """Return after how many seconds each is first seen where the one that came less far got to."""
    line = max(min(one.objectives), min(other.objectives))
    first, second = one.seconds_to(line), other.seconds_to(line)
    assert first is not None
    assert second is not None
    return first, second


def _claims(traces: dict[str, dict[str, Trace]]) -> Generator[Claim, None, None]:
    for choice in DRAWN:
        found = traces[choice.key]
        online, batch = found[f"ol-{choice.key}"], found[f"b-{choice.key}"]
        yield _claim(f"With {choice.title}, the online method converges faster than the batch one.", online, batch, 1.0)
    for choice in DRAWN:
        if choice.key in RIVALS:
            key, name, part = RIVALS[choice.key]
            how = "faster than" if part <= 1 else "as fast as"
            found = traces[choice.key]
            text = f"With {choice.title}, the online method converges {how} {name}."
            yield _claim(text, found[f"ol-{choice.key}"], found[key], part)


def _claim(text: str, one: Trace, other: Trace, part: float) -> Claim:
    first, second = race(one, other)
    ends = " and ".join(f"{t.name} {min(t.objectives):.4g}" for t in (one, other))
    ours = f"{first:.2g} s against {second:.2g} s to the objective that both reach; they end at {ends}"
    return Claim(text, first < part * second, ours)


def _result(size: Size, traces: dict[str, dict[str, Trace]], truths: dict[str, float]) -> Result:
    rows, charts = [], []
    for choice in DRAWN:
        found = list(traces[choice.key].values())
        batch = traces[choice.key][f"b-{choice.key}"]
        for one in found:
            ours, its = race(one, batch)
            rows.append((
                one.name, number(one.objectives[0], 4), number(min(one.objectives), 4),
                number(truths[choice.key], 4), str(one.samples[-1]),
                "" if one is batch else f"{ours:.2f} / {its:.2f}",
            ))  # fmt: skip
        longest = max(one.seconds[-1] for one in found)
        curves = [Curve(one.name, tuple(one.seconds[1:]), tuple(one.objectives[1:])) for one in found]
        truth = Curve("true dictionary", (found[0].seconds[1], longest), (truths[choice.key],) * 2, dashed=True)
        curves.insert(2, truth)  # Where it has the same colour in every chart.
        charts.append(Chart(choice.title, "learning, s", "objective", tuple(curves), log_x=True))
    headings = ("method", "start", "best", "true\ndictionary", "samples\nlearnt", "s to where both get,\nit / batch")
    title = f"Mean objective over {size.judged} samples, units of white, in {size.longest_s:g} s of learning each"
    height, width = size.shape
    return Result(
        title="Objective against time for six divergences",
        paper="Zhao, Tan & Xu 2017, figure 1",
        data=f"{size.n} samples of {height * width} values, products of {RANK} factors with entries "
        f"{SHIFT:g} + |N(0, 1)| in grey levels of 255; Gamma noise of shape {GAMMA_SHAPE} for Itakura-Saito, "
        f"Poisson's for Kullback-Leibler, normal of σ = {SIGMA:g} for the squared error, {SPOILED:.0%} of the values "
        "outliers for the others.",
        setting=f"K = {RANK}, τ = {BATCH}, a = b = 10⁴ as in the paper; all from one random dictionary. The paper "
        "takes 2000 values and 100000 samples, says that its factors are shifted half-normal, and leaves the rest to a "
        "supplement that we do not have. Any dictionary is judged by coefficients computed anew, outside the time.",
        tables=(Table(title, headings, tuple(rows)),),
        claims=tuple(_claims(traces)),
        figures={
            "longest_s": size.longest_s, "true_dictionary": truths,
            "traces": {key: [one.as_data() for one in found.values()] for key, found in traces.items()},
        },
        charts=tuple(charts),
        notes=(
            "The paper's remark 1 names more families, without an experiment: α, β, α-β and γ are in the "
            "catalogue, `ol-alpha`, `ol-beta`, `ol-ab` and `ol-gamma`. γ-divergences stay the same when what is fitted "
            "is scaled; here it is as bright as fits best.",
        ),
    )  # fmt: skip
