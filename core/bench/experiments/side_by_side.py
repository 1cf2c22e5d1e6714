"""Measuring experiments, one after the other or several at a time, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.bench.experiments.base import Progress, Result, finish
from core.bench.experiments.registry import experiment
from core.errors import CleanplateError


@dataclass(frozen=True)
class Measured:
    """What became of one experiment.

    Attributes
    ----------
    name : str
    outcome : Result or CleanplateError
    seconds : float
        Of the processor.
    """

    name: str
    outcome: Result | CleanplateError
    seconds: float


def measure(
    name: str, data: Path | None, seed: int, quick: bool, tell: Callable[[Progress], object] = lambda progress: None
) -> Measured:
    """Run an experiment to its end; ``tell`` is called with each progress."""
    started = time.process_time()
    outcome: Result | CleanplateError
    try:
        outcome = finish(experiment(name).begin(data, seed, quick), tell)
    except CleanplateError as error:
        outcome = error
    return Measured(name, outcome, time.process_time() - started)


def measure_side_by_side(
    names: Iterable[str], data: Path | None, seed: int, quick: bool, jobs: int
) -> Iterator[Measured]:
    """Yield experiments as they end, ``jobs`` at a time, those that take longest first; closing this ends them all.

    Each has one core, and its figures are what they are alone. Only what is judged by times may notice its neighbours.
    """
    order = sorted(names, key=lambda name: -experiment(name).minutes)
    run = partial(_measure_one, data=data, seed=seed, quick=quick)
    # Spawned, as threads of this process may hold locks. Ctrl+C goes to all of a terminal's processes; this one acts.
    with multiprocessing.get_context("spawn").Pool(
        max(1, min(jobs, len(order))), signal.signal, (signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        yield from pool.imap_unordered(run, order)


def _measure_one(name: str, data: Path | None, seed: int, quick: bool) -> Measured:
    return measure(name, data, seed, quick)
