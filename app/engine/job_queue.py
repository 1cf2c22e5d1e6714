"""The window's queue on a thread of its own: what waits for files or processes keeps nobody else waiting."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot

from app.engine.mailbox import Mailbox
from app.engine.queue_jobs import JobRequest, add_jobs, forget_projects, redirect, remove_ended
from app.engine.queue_launcher import QueueLauncher
from app.engine.queue_rows import JobRow, rows_of
from app.engine.threads import Runner
from app.engine.watched_list import WatchedList
from app.system.log import explain
from core.batch.handover import Handover
from core.batch.job import ENDED, BatchJob, JobState
from core.batch.job_list import JobList
from core.batch.scheduler import USUAL_WORKERS, Scheduler
from core.errors import CleanplateError

POLL_S = 0.1
"""How often processes are looked at, seconds."""

LOOK_S = 0.5
"""How often a queue looks at what another process makes of its list, which says so as often, seconds."""

REFUSED_S = 5.0
"""For so long the ends of jobs are tried to be written as the queue ends, seconds."""

TOO_MUCH = "The queue is busy, and too much waits for it already; what was just added is left out."

WATCHING = "The jobs are worked on without a window just now; take them over in the queue (Ctrl+J), or wait."


class JobQueue(Runner):
    """Works on a list of jobs (`app.engine.threads.Background`); all methods but `run` are for any thread.

    It may go on when its window has gone (`go_on_alone`). The queue of another window then shows what becomes of the
    jobs, and works on the list itself once that has ended, or was asked for it (`take_over`).

    Parameters
    ----------
    path : Path
        Of the list.
    launch : QueueLauncher

    Signals
    -------
    restored(int) : so many jobs that an earlier window left go on
    watched(int) : so many jobs that have not ended are worked on by another process without a window
    failed(str) : one sentence; the queue goes on
    unavailable(str) : one sentence; the list cannot be used, and the thread ends
    all_done(int, int) : nothing waits any more; so many jobs are done and have failed since something was begun
    finished() : the thread may quit
    """

    restored = Signal(int)
    watched = Signal(int)
    failed = Signal(str)
    unavailable = Signal(str)
    all_done = Signal(int, int)

    def __init__(self, path: Path, launch: QueueLauncher) -> None:
        super().__init__()
        self._path, self._launch = path, launch
        self._mailbox: Mailbox[Callable[[Scheduler], None]] = Mailbox()
        self._rows: tuple[JobRow, ...] = ()
        self._failure = ""
        self._adding: list[Sequence[JobRequest]] = []
        self._is_at_work = False
        self._handover = Handover(path)
        self._watched_list = WatchedList(path, self._handover)
        self._told_at = 0.0

    @property
    def rows(self) -> tuple[JobRow, ...]:
        """The jobs in their order; the newest that is known, for a timer to read."""
        return self._rows

    @property
    def is_busy(self) -> bool:
        """Whether anything runs, waits to, or is held in the midst of its work."""
        return self._is_at_work or bool(self._adding)  # Whoever closes the window at once is asked, too.

    @property
    def is_watching(self) -> bool:
        """Whether another process works on the list, and this one only shows it."""
        return self._watched_list.is_watched

    def take_over(self) -> None:
        """Ask the process that works on the list without a window for it; what runs there begins anew here."""
        self._watched_list.take_over()

    @property
    def can_go_on_alone(self) -> bool:
        """Whether it is safe to go on without a window: other windows can be told not to begin."""
        return self._handover.is_possible

    def go_on_alone(self) -> bool:
        """Go on without a window until nothing waits, or another window takes over; False where that is not safe."""
        return self._handover.go_on_alone()

    def add(self, requests: Sequence[JobRequest]) -> None:
        """Add jobs."""
        if self.is_watching:
            self.failed.emit(WATCHING)
            forget_projects(requests, self._path)
            return
        self._adding.append(requests)
        if self._mailbox.post(partial(self._add, requests)):
            return
        if not self._mailbox.is_closed:
            self.failed.emit(TOO_MUCH)
        self._leave_out(requests)

    def cancel(self, numbers: Sequence[int]) -> None:
        """Give jobs up."""
        self._for_each(numbers, Scheduler.cancel)

    def pause(self, numbers: Sequence[int]) -> None:
        """Hold jobs."""
        self._for_each(numbers, Scheduler.pause)

    def resume(self, numbers: Sequence[int]) -> None:
        """Let jobs that are held go on."""
        self._for_each(numbers, Scheduler.resume)

    def retry(self, numbers: Sequence[int]) -> None:
        """Run jobs again that failed or were cancelled."""
        self._for_each(numbers, Scheduler.retry)

    def move(self, numbers: Sequence[int], step: int) -> None:
        """Move jobs up (``step`` -1) or down (1)."""
        self._mailbox.post(lambda scheduler: scheduler.jobs.move(numbers, step))

    def redirect(self, numbers: Sequence[int], folder: Path) -> None:
        """Let jobs that have not begun, have failed or were cancelled write into folders of their own in this one."""
        self._mailbox.post(partial(redirect, numbers, folder))

    def clear(self) -> None:
        """Forget the jobs that have ended; their results stay."""
        self._mailbox.post(lambda scheduler: remove_ended(scheduler.jobs))

    def set_workers(self, n: int) -> None:
        """Run so many jobs at a time."""
        self._mailbox.post(lambda scheduler: setattr(scheduler, "workers", n))

    def send_to(self, address: str) -> None:
        """Begin jobs on the scheduler at an address from now on, or on this machine if it is empty."""
        self._launch.send_to(address)

    def quit(self) -> None:
        """End what runs, which waits in the list again; then the thread ends."""
        self._mailbox.close()

    @Slot()
    def run(self) -> None:
        """Work on the list until told to quit."""
        assert self.thread().isCurrentThread(), "a queue runs on the thread that it was moved to"
        try:
            jobs = self._list()
        except CleanplateError as error:
            self._mailbox.close()
            self.unavailable.emit(str(error))
        else:
            if jobs is not None:
                with closing(jobs), closing(self._launch) as launch:
                    self._work(Scheduler(jobs, launch, workers=USUAL_WORKERS, available=launch.available))
        finally:
            self._mailbox.close()
            for requests in tuple(self._adding):
                self._leave_out(requests)
            self._handover.end()
            self.finished.emit()

    def _list(self) -> JobList | None:
        """Return the list once no process works on it without a window; None where this is told to quit before.

        What was asked for before that was known waits until then.

        Raises
        ------
        CleanplateError
            Another window or command has it, or it cannot be used.
        """
        while (jobs := self._watched_list.had()) is None:
            self._watch()
            until = time.monotonic() + LOOK_S
            while time.monotonic() < until and not self._mailbox.is_closed:
                time.sleep(POLL_S)
            if self._mailbox.is_closed:
                return None
        return jobs

    def _watch(self) -> None:
        """Show what another process makes of the list."""
        is_known = self.is_watching
        with self._telling():
            self._rows = self._watched_list.look(self._rows)
        if not is_known:
            self.watched.emit(sum(row.job.state not in ENDED for row in self._rows))

    def _work(self, scheduler: Scheduler) -> None:
        self._publish(scheduler)
        if waiting := scheduler.jobs.count()[JobState.WAITING]:
            self.restored.emit(waiting)
        done = failed = 0
        while not self._mailbox.is_closed:
            self._do_what_was_asked(scheduler)
            ended = self._step(scheduler)
            done += sum(job.state is JobState.DONE for job in ended)
            failed += sum(job.state is JobState.FAILED for job in ended)
            self._publish(scheduler)
            if (done or failed) and scheduler.jobs.is_settled:
                self.all_done.emit(done, failed)
                done = failed = 0
            if self._handover.is_alone and (scheduler.jobs.is_settled or self._handover.is_wanted):
                self._mailbox.close()
        self._do_what_was_asked(scheduler)
        self._stop(scheduler)
        self._publish(scheduler)

    def _do_what_was_asked(self, scheduler: Scheduler) -> None:
        for action in self._mailbox.take(POLL_S):
            with self._telling():
                action(scheduler)

    def _step(self, scheduler: Scheduler) -> list[BatchJob]:
        with self._telling():
            return scheduler.step()
        return []

    def _stop(self, scheduler: Scheduler) -> None:
        """End what runs. Where how it ended cannot be written, on a full disk say, it is tried for a while only."""
        scheduler.stop()
        until = math.inf
        while time.monotonic() < until:
            has_stopped = None
            with self._telling():
                has_stopped = scheduler.has_stopped
            if has_stopped:
                return
            if has_stopped is None:
                until = min(until, time.monotonic() + REFUSED_S)
            time.sleep(POLL_S)

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        """Tell once of what fails, the disk say, however often it does; the queue goes on."""
        try:
            yield
        except CleanplateError as error:
            self._tell(str(error))
        except Exception as error:
            self._tell(explain(error, "working on the queue"))

    def _tell(self, sentence: str) -> None:
        if sentence != self._failure:
            self._failure = sentence
            self.failed.emit(sentence)

    def _publish(self, scheduler: Scheduler) -> None:
        jobs = scheduler.jobs
        self._rows = rows_of(jobs.jobs, scheduler.progress_of, jobs.path, self._rows, scheduler.is_given_up)
        self._is_at_work = not scheduler.is_idle
        if self._handover.is_alone and time.monotonic() - self._told_at > LOOK_S:
            self._told_at = time.monotonic()
            self._handover.tell({row.job.number: row.progress for row in self._rows if row.progress is not None})

    def _add(self, requests: Sequence[JobRequest], scheduler: Scheduler) -> None:
        try:
            add_jobs(requests, scheduler.jobs)
        finally:
            self._is_at_work = not scheduler.is_idle  # First: between the two it would be idle.
            self._adding.remove(requests)

    def _leave_out(self, requests: Sequence[JobRequest]) -> None:
        """Forget jobs that were asked for, and are in no list."""
        with contextlib.suppress(ValueError):  # The queue may have ended meanwhile, and done that.
            self._adding.remove(requests)
            forget_projects(requests, self._path)

    def _for_each(self, numbers: Sequence[int], action: Callable[[Scheduler, int], None]) -> None:
        def act(scheduler: Scheduler) -> None:
            for number in numbers:
                if number in scheduler.jobs:
                    action(scheduler, number)

        self._mailbox.post(act)
