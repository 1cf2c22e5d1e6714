"""Measuring experiments, one after the other, or shared by several processes."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.bench.experiments.base import Part, Progress, Result, Run, finish
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
    """Yield experiments as they end, ``jobs`` processes at a time; closing this ends them all.

    A part of an experiment, or the whole where it is not divided, has one core, and its figures are what they are
    alone. Only what is judged by times may notice its neighbours. What takes longest begins first, and so all processes
    are busy to the end.
    """
    begun: dict[str, _Begun] = {}
    for name in names:
        one = experiment(name)
        run = one.begin(data, seed, quick) if one.divided else _undivided(name, data, seed, quick)
        try:
            begun[name] = _Begun(name, run)
        except CleanplateError as error:
            yield Measured(name, error, 0.0)
    order = sorted(begun.values(), key=lambda one: -experiment(one.name).minutes / len(one.parts))
    tasks = [(one.name, place, part) for one in order for place, part in enumerate(one.parts)]
    # Spawned, as threads of this process may hold locks. Ctrl+C goes to all of a terminal's processes; this one acts.
    with multiprocessing.get_context("spawn").Pool(
        max(1, min(jobs, len(tasks))), signal.signal, (signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        for name, place, answer, seconds in pool.imap_unordered(_answer, tasks):
            measured = begun[name].take(place, answer, seconds)
            if measured is not None:
                yield measured


class _Begun:
    """An experiment whose parts are measured elsewhere.

    Parameters
    ----------
    name : str
    run : Run
        Whose only step are its parts.

    Raises
    ------
    CleanplateError
        What it needs is missing.
    """

    def __init__(self, name: str, run: Run) -> None:
        parts = next(run)
        assert isinstance(parts, tuple), "the only step of a divided experiment are its parts"
        self.name, self.parts, self._run = name, parts, run
        self._answers: dict[int, object] = {}
        self._seconds = 0.0

    def take(self, place: int, answer: object, seconds: float) -> Measured | None:
        """Take the answer of one of the parts; return what the experiment showed when all have theirs."""
        self._answers[place] = answer
        self._seconds += seconds
        if len(self._answers) < len(self.parts):
            return None
        answers = [self._answers[i] for i in range(len(self.parts))]
        errors = [answer for answer in answers if isinstance(answer, CleanplateError)]
        return Measured(self.name, errors[0] if errors else self._result(answers), self._seconds)

    def _result(self, answers: list[object]) -> Result:
        try:
            self._run.send(answers)
        except StopIteration as end:
            result: Result = end.value
            return result
        raise AssertionError("the only step of a divided experiment are its parts")


def _undivided(name: str, data: Path | None, seed: int, quick: bool) -> Run:
    """Run a whole experiment as the only part of one."""
    answers = yield (Part(name, _whole, (name, data, seed, quick)),)
    result: Result = answers[0]
    return result


def _whole(name: str, data: Path | None, seed: int, quick: bool) -> Result:
    return finish(experiment(name).begin(data, seed, quick))


def _answer(task: tuple[str, int, Part]) -> tuple[str, int, object, float]:
    """Return which part it was, what it gave, or its error, and the processor's time."""
    name, place, part = task
    started = time.process_time()
    try:
        answer = part.measure(*part.arguments)
    except CleanplateError as error:
        answer = error
    return name, place, answer, time.process_time() - started
