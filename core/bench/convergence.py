"""How soon each method reaches which objective: same data, same start, same λ, one judge."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from core.bench.competitors import ROBUST_PGD, Contender
from core.bench.faces import BATCH, Objective, Problem

SAMPLES = 1000
"""Samples that a method learns from, at least: small sets are read again."""

ITERATIONS = 60
"""Of methods that look at all samples in each."""

LONGEST_S = 90.0
"""Seconds of learning after which a method has to stop, wherever it is."""

GROWTH = 1.4
"""The objective is judged after 1 mini-batch or iteration, and each time so many times more were learnt."""


@dataclass(frozen=True)
class Trace:
    """What one method reached when.

    Attributes
    ----------
    name, loss : str
        The method, and what it minimises.
    samples : list of int
        Learnt from so far, at each point; the first is 0.
    seconds : list of float
        Spent on learning so far.
    objectives : list of float
        Mean loss of all samples.
    """

    name: str
    loss: str
    samples: list[int]
    seconds: list[float]
    objectives: list[float]

    def as_data(self) -> dict[str, object]:
        """Return plain data."""
        return asdict(self)

    def seconds_to(self, objective: float) -> float | None:
        """Return after how much learning it was first seen at an objective or below; None: never."""
        reached = (s for s, value in zip(self.seconds, self.objectives, strict=True) if value <= objective)
        return next(reached, None)


@dataclass(frozen=True)
class Race:
    """How long OPGD takes to the objective at which hyperspy's RobustPGD ends."""

    objective: float
    seconds: float | None
    rival_seconds: float

    @property
    def ratio(self) -> float | None:
        """Of the times; None: OPGD did not get there."""
        return self.rival_seconds / self.seconds if self.seconds else None

    def as_data(self) -> dict[str, object]:
        """Return plain data."""
        return {**asdict(self), "ratio": self.ratio}


def run(
    problem: Problem, contenders: list[Contender], samples: int = SAMPLES, longest_s: float = LONGEST_S
) -> Iterator[Trace]:
    """Let one method after another learn from at least so many samples, in whole passes, but not for longer."""
    judge = Objective(problem)
    for contender in contenders:
        yield _trace(problem, contender, judge, samples, longest_s)


def race(traces: list[Trace]) -> Race | None:
    """Return OPGD against RobustPGD, or None where either did not take part."""
    by_name = {trace.name: trace for trace in traces}
    opgd, rival = by_name.get("opgd"), by_name.get(ROBUST_PGD)
    if opgd is None or rival is None:
        return None
    return Race(rival.objectives[-1], opgd.seconds_to(rival.objectives[-1]), rival.seconds[-1])


def _trace(problem: Problem, contender: Contender, judge: Objective, samples: int, longest_s: float) -> Trace:
    parts = [problem.V] if contender.batch else problem.batches
    warm = contender.begin(problem)
    for part in parts[:2]:  # What is compiled or loaded at the first use is not learning.
        warm.learn(part)
    learner = contender.begin(problem)
    n_passes = ITERATIONS if contender.batch else -(-samples // (len(parts) * BATCH))
    trace = Trace(contender.name, contender.loss, [0], [0.0], [judge.of(problem.W)])
    spent, due, n_samples = 0.0, 1.0, 0
    for done in range(1, len(parts) * n_passes + 1):
        part = parts[(done - 1) % len(parts)]
        started = time.perf_counter()
        learner.learn(part)
        spent += time.perf_counter() - started
        n_samples += len(part)
        last = done == len(parts) * n_passes or spent >= longest_s
        if done >= due or last:
            due = max(done + 1, done * GROWTH)
            trace.samples.append(n_samples)
            trace.seconds.append(spent)
            trace.objectives.append(judge.of(learner.dictionary()))
        if last:
            break
    return trace
