"""Decides which job runs when: in order, so many at a time, as memory allows. It waits for nothing: see `step`."""

from __future__ import annotations

import os
from collections.abc import Callable

from core.batch.job import ENDED, BatchJob, JobProgress, JobState
from core.batch.job_list import JobList
from core.batch.running import Launcher, Outcome, RunningJob
from core.errors import CleanplateError
from core.io.input_spec import is_remote
from core.runtime.cores import all_cores
from core.runtime.memory import available_bytes

USUAL_WORKERS = 2
"""Jobs at a time: decoding, writing and Python's own work leave cores free that a second job uses."""

LEAST_BYTES = 600 << 20
"""Memory that a job is taken to need until a run has told of more: films of 1920×1080 take about as much."""


class Scheduler:
    """Works on a list. All methods are for one thread, and none waits.

    Parameters
    ----------
    jobs : JobList
    launch : Launcher
    workers : int
        Jobs at a time.
    retries : int
        How often a job that fails is run again.
    available : callable
        Gives the memory that is left, bytes; None where nobody knows.
    """

    def __init__(
        self,
        jobs: JobList,
        launch: Launcher,
        *,
        workers: int = USUAL_WORKERS,
        retries: int = 0,
        available: Callable[[], int | None] = available_bytes,
    ) -> None:
        self.jobs, self.workers = jobs, workers
        self._launch, self._retries, self._available = launch, retries, available
        self._runs: dict[int, RunningJob] = {}
        self._given_up: set[int] = set()
        self._need = LEAST_BYTES

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs, and nothing will before somebody does something."""
        return not self._runs and self.jobs.is_settled

    def has_begun(self, number: int) -> bool:
        """Whether a job runs, or stands still in the midst of its work."""
        return number in self._runs

    def is_given_up(self, number: int) -> bool:
        """Whether a job that runs was told to give up."""
        return number in self._given_up

    def progress_of(self, number: int) -> JobProgress | None:
        """Return how far a job is; None where it does not run, or has not begun to read."""
        run = self._runs.get(number)
        return None if run is None else run.progress

    def step(self) -> list[BatchJob]:
        """Take note of what has ended, begin what there is room for, and return the jobs that have ended."""
        ended = []
        for number, run in list(self._runs.items()):
            progress = run.progress
            if progress is not None:
                self._need = max(self._need, int(progress.peak_mib * 2**20))
                if not self.jobs[number].owns_output:
                    self.jobs.change(number, owns_output=True)  # It was allowed to replace what is there.
            if (outcome := run.outcome()) is not None:
                job = self._settle(number, outcome)
                if job.state in ENDED:
                    ended.append(job)
        return [*ended, *self._fill()]

    def _settle(self, number: int, outcome: Outcome) -> BatchJob:
        """Take note of how a run has ended; where the list cannot be written, the next step does."""
        job = self._changed_by(number, outcome)
        del self._runs[number]
        self._given_up.discard(number)
        return job

    def _changed_by(self, number: int, outcome: Outcome) -> BatchJob:
        job, beside = self.jobs[number], len(self._runs) > 1
        if outcome.is_done:
            return self.jobs.change(number, state=JobState.DONE, sentence="", figures=outcome.figures)
        if number in self._given_up:
            return self.jobs.change(number, state=JobState.CANCELLED, sentence="")
        if outcome.was_lost:
            return self.jobs.change(number, state=JobState.WAITING)
        if outcome.no_room and beside and not job.alone:
            return self.jobs.change(number, state=JobState.WAITING, alone=True)
        n_failed = job.n_failed + 1
        state = JobState.FAILED if n_failed > self._retries else JobState.WAITING
        return self.jobs.change(number, state=state, n_failed=n_failed, sentence=outcome.sentence)

    def _fill(self) -> list[BatchJob]:
        """Begin jobs in their order while there is room; return those that could not begin."""
        failed = []
        for job in self.jobs.jobs:
            if job.state is not JobState.WAITING or self._waits_for_others(job):
                continue
            if broken := self._broken_before(job):
                sentence = f"A part of {job.name} failed, {broken.name}; run it again (--resume)."
                failed.append(self.jobs.change(job.number, state=JobState.FAILED, sentence=sentence))
                continue
            if not self._has_room(job):
                break
            if held := self._runs.get(job.number):
                held.go_on()
                self.jobs.change(job.number, state=JobState.RUNNING)
                continue
            # Where nothing is now, all that is there later is the job's own.
            is_free = job.owns_output or not (is_remote(job.output) or os.path.lexists(job.output))
            begun = self.jobs.change(job.number, state=JobState.RUNNING, owns_output=is_free)
            try:
                self._runs[job.number] = self._launch(begun, self.jobs.log_of(job), self._cores())
            except CleanplateError as error:
                failed.append(self.jobs.change(job.number, state=JobState.FAILED, sentence=str(error)))
        return failed

    def _before(self, job: BatchJob) -> list[BatchJob]:
        return [self.jobs[number] for number in job.after if number in self.jobs]

    def _waits_for_others(self, job: BatchJob) -> bool:
        return any(other.state not in ENDED for other in self._before(job))

    def _broken_before(self, job: BatchJob) -> BatchJob | None:
        return next((other for other in self._before(job) if other.state is not JobState.DONE), None)

    def _has_room(self, job: BatchJob) -> bool:
        running = [number for number in self._runs if self.jobs[number].state is JobState.RUNNING]
        if not running:
            return True
        if len(running) >= self.workers or job.alone or any(self.jobs[number].alone for number in running):
            return False
        free = self._available()
        if free is None:
            return True
        starting = sum(self._runs[number].progress is None for number in running)
        return free >= (starting + 1) * self._need

    def _cores(self) -> int | None:
        """Return how many cores are the share of a job; None where it is alone."""
        left = sum(job.state not in ENDED and not self._waits_for_others(job) for job in self.jobs.jobs)
        beside = min(self.workers, left)
        return None if beside < 2 else max(1, all_cores() // beside)

    # What a person asks for

    def cancel(self, number: int) -> None:
        """Give a job up."""
        if run := self._runs.get(number):
            self._given_up.add(number)
            if self.jobs[number].state is not JobState.RUNNING:
                self.jobs.change(number, state=JobState.RUNNING)  # It has to run to its end.
            run.cancel()
        elif self.jobs[number].state not in ENDED:
            self.jobs.change(number, state=JobState.CANCELLED)

    def pause(self, number: int) -> None:
        """Hold a job: it is not begun, or stands still where the system can do that."""
        state, run = self.jobs[number].state, self._runs.get(number)
        held = state is JobState.WAITING or (
            state is JobState.RUNNING and number not in self._given_up and run is not None and run.suspend()
        )
        if held:
            self.jobs.change(number, state=JobState.PAUSED)

    def resume(self, number: int) -> None:
        """Let a job that is held go on when it is its turn."""
        if self.jobs[number].state is JobState.PAUSED:
            self.jobs.change(number, state=JobState.WAITING)

    def retry(self, number: int) -> None:
        """Run a job again that failed or was cancelled."""
        if self.jobs[number].state in {JobState.FAILED, JobState.CANCELLED}:
            self.jobs.change(number, state=JobState.WAITING, n_failed=0, sentence="", alone=False)

    def stop(self) -> None:
        """Ask all that runs to give up; it waits again in the list. See `has_stopped`."""
        for run in self._runs.values():
            run.cancel()

    @property
    def has_stopped(self) -> bool:
        """Whether nothing runs any more after `stop`; what was complete before it could give up is done.

        Raises `CleanplateError` where the list cannot be written; the next look tries again.
        """
        for number, run in list(self._runs.items()):
            if (outcome := run.outcome()) is not None:
                if outcome.is_done:
                    self.jobs.change(number, state=JobState.DONE, figures=outcome.figures)
                elif number in self._given_up:
                    self.jobs.change(number, state=JobState.CANCELLED)
                elif self.jobs[number].state is JobState.RUNNING:
                    self.jobs.change(number, state=JobState.WAITING)
                del self._runs[number]
        return not self._runs
