"""Works on a list of jobs to its end, and tells of it."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from app.cli.progress import LINE_S, duration
from app.cli.sentences import LeftUndoneError
from app.cli.stop import Stop
from app.count_words import counted
from app.event_words import totals_words
from app.own_command import own_command, own_environment
from app.system.printable import printable
from core.batch.job import ENDED, BatchJob, JobProgress, JobState
from core.batch.job_list import JobList
from core.batch.pieces import remove_parts, tidy
from core.batch.process import ProcessLauncher
from core.batch.running import Workforce
from core.batch.scheduler import USUAL_WORKERS, Scheduler
from core.errors import CleanplateError
from core.runtime.shell import quoted

POLL_S = 0.05
"""How often jobs are looked at, seconds."""

BAR_S = 0.2
"""How often the bar moves, seconds."""

MOST_FOLDERS = 3
"""That are named at the end; a queue's jobs may have one each."""

TELLING = 0.3
"""So much of a job is done before the time left is told: what a job begins with says nothing of the rest."""


@contextlib.contextmanager
def workforce(address: str | None, workers: int | None) -> Iterator[Workforce]:
    """Give who runs jobs: processes of this machine, or the workers of a scheduler.

    Parameters
    ----------
    address : str or None
        Of the scheduler.
    workers : int or None
        Jobs at a time; None: the usual number.

    Raises
    ------
    CleanplateError
        No scheduler answers at the address, or what talks to it is not installed.
    """
    if address is None:
        yield Workforce(ProcessLauncher(own_command(), own_environment()), workers or USUAL_WORKERS)
        return
    from app.cluster import MOST_SUBMITTED, dask_launcher  # noqa: PLC0415 - seldom needed

    with closing(dask_launcher(address)) as launch:
        yield Workforce(
            launch, workers or MOST_SUBMITTED, available=lambda: None, failure=launch.failure,
            options=("--scheduler", address),
        )  # fmt: skip


@dataclass(frozen=True)
class Ran:
    """What a batch has worked on.

    Attributes
    ----------
    jobs : list of BatchJob
        All that were to run, as they are now.
    seconds : float
        How long it took.
    """

    jobs: list[BatchJob]
    seconds: float


def run_jobs(jobs: JobList, force: Workforce, stop: Stop, *, retries: int, quiet: bool) -> Ran:
    """Run what waits in a list, until ``stop`` is asked for; what fails, and what is noted, is told as it comes.

    Parameters
    ----------
    jobs : JobList
    force : Workforce
    stop : Stop
    retries : int
        See `core.batch.scheduler.Scheduler`.
    quiet : bool
        As for ``run``.
    """
    started, console = time.monotonic(), Console(stderr=True)
    waiting = {job.number for job in jobs.jobs if job.state not in ENDED}
    scheduler = Scheduler(
        jobs, force.launch, workers=force.workers, retries=retries, available=force.available
    )  # fmt: skip
    with _Told(console, len(waiting), quiet=quiet) as told:
        try:
            while not scheduler.is_idle and not (stop.cancelled() or force.failure()):
                for job in scheduler.step():
                    told.end_of(job)
                    if job.state is JobState.DONE:
                        remove_parts(jobs, job)
                told.refresh(lambda: sum(map(_share, filter(None, map(scheduler.progress_of, waiting)))))
                time.sleep(POLL_S)
        finally:
            scheduler.stop()
            while not scheduler.has_stopped:
                time.sleep(POLL_S)
    return Ran([job for job in jobs.jobs if job.number in waiting], time.monotonic() - started)


def tell(jobs: JobList, ran: Ran, force: Workforce, n_done: int, *, as_json: bool, quiet: bool) -> int:
    """Tell what has become of a batch, tidy up after it, and return the exit status.

    Parameters
    ----------
    jobs : JobList
    ran : Ran
    force : Workforce
    n_done : int
        How many were done before.
    as_json, quiet : bool
        As for ``run``.

    Raises
    ------
    LeftUndoneError
        It was interrupted.
    CleanplateError
        Nobody is left who could run the jobs.
    """
    count, n_jobs = Counter(job.state for job in ran.jobs), len(ran.jobs)
    n_failed, n_left = count[JobState.FAILED], sum(job.state not in ENDED for job in ran.jobs)
    tidy(jobs)
    if as_json:
        print(json.dumps(_summary(ran.jobs, n_done, ran.seconds), ensure_ascii=False))
    elif not quiet:
        before = f", {n_done} {'was' if n_done == 1 else 'were'} done before" if n_done else ""
        failed = f", {n_failed} failed," if n_failed else ""
        done = f"{count[JobState.DONE]} of {counted(n_jobs, 'job')} done{failed} in {duration(ran.seconds)}{before}"
        print(printable(done + _where(jobs.jobs)))
    if n_left:
        again = quoted(["cleanplate", "batch", str(jobs.path), *force.options])
        rest = f"{n_left} of {counted(n_jobs, 'job')} left; {again} does {'it' if n_left == 1 else 'them'}."
        if why := force.failure():
            raise CleanplateError(f"{why}, with {rest}")
        raise LeftUndoneError(f"Interrupted with {rest}")
    return 2 if n_failed else 0


def _where(jobs: Sequence[BatchJob]) -> str:
    """Say where the results of jobs that are done are; of several in one folder, that one."""
    outputs = [job.output for job in jobs if job.state is JobState.DONE and not job.is_part]
    folders = outputs if len(outputs) == 1 else list(dict.fromkeys(map(os.path.dirname, outputs)))
    more = " and elsewhere" if len(folders) > MOST_FOLDERS else ""
    return f": results in {', '.join(folders[:MOST_FOLDERS])}{more}" if folders else ""


def _summary(ran: list[BatchJob], n_done: int, seconds: float) -> dict[str, object]:
    """Return what ``--json`` prints."""
    count = Counter(job.state for job in ran)
    frames = [job.figures.get("frames") for job in ran if job.state is JobState.DONE and not job.is_part]
    return {
        "jobs": len(ran),
        "done": count[JobState.DONE],
        "failed": count[JobState.FAILED],
        "cancelled": count[JobState.CANCELLED],
        "left": sum(job.state not in ENDED for job in ran),
        "done_before": n_done,
        "frames": sum(number for number in frames if isinstance(number, int)),
        "seconds": round(seconds, 3),
        "results": [
            {
                "input": job.input, "output": job.output, "state": job.state.value, "sentence": job.sentence,
                "notes": job.notes,
                **{name: job.figures[name] for name in ("frames", "seconds") if name in job.figures},
                **({} if job.events is None else msgspec.to_builtins(job.events)),
            }
            for job in ran
        ],
    }  # fmt: skip


class _Told:
    """Tells on standard error how far a batch is: a bar in a terminal, else a line now and then."""

    def __init__(self, console: Console, n_jobs: int, *, quiet: bool) -> None:
        self._console, self._n_jobs, self._quiet = console, n_jobs, quiet
        self._n_ended = self._n_failed = 0
        self._noted: set[tuple[str, str]] = set()
        self._started = self._last = time.monotonic()
        shows = console.is_terminal and not quiet
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[left]}"))
        self._bar = Progress(*columns, console=console, transient=True) if shows else None
        self._task = self._bar.add_task("Jobs", total=n_jobs, left="") if self._bar else None

    def __enter__(self) -> _Told:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def end_of(self, job: BatchJob) -> None:
        """Tell of a job that has ended: why it failed, or its notes and events; notes of all pieces of a film once."""
        self._n_ended += 1
        name = Path(job.input).name
        if job.state is JobState.FAILED:
            self._n_failed += 1
            self._say("cleanplate: " + (job.sentence if name in job.sentence else f"{name}: {job.sentence}"))
        elif job.state is JobState.DONE:
            for note in job.notes:
                if (job.input, note) not in self._noted:
                    self._noted.add((job.input, note))
                    self._say("Note: " + (note if note.startswith(f"{name} ") else f"{name}: {note}"))
            if job.events is not None and not (job.is_part or self._quiet):
                self._say(f"{name}: {totals_words(job.events)}")

    def _say(self, sentence: str) -> None:
        self._console.print(printable(sentence), highlight=False, markup=False, soft_wrap=True)

    def refresh(self, partly: Callable[[], float]) -> None:
        """Tell how far it is, where it is time for that; ``partly``: as much work is done of those that run, jobs."""
        if self._quiet or time.monotonic() - self._last < (BAR_S if self._bar else LINE_S):
            return
        self._last = time.monotonic()
        done = self._n_ended + partly()
        words = self._words(done)
        if self._bar and self._task is not None:
            self._bar.update(self._task, completed=done, left=words)
        else:
            self._console.print(words, highlight=False, markup=False, soft_wrap=True)

    def _words(self, done: float) -> str:
        """Say how far it is, with work ``done``, jobs."""
        failed = f", {self._n_failed} failed" if self._n_failed else ""
        running = f", {100 * done / self._n_jobs:.0f} % of the work" if done > self._n_ended else ""
        left = ""
        if done >= TELLING:
            left = f", {duration((time.monotonic() - self._started) / done * (self._n_jobs - done))} left"
        return f"{self._n_ended} of {counted(self._n_jobs, 'job')} ended{running}{failed}{left}"


def _share(progress: JobProgress) -> float:
    """Return what part of its work a job has done, 0 where that is not known."""
    return min(progress.done / progress.total, 1.0) if progress.total else 0.0
