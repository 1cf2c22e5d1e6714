"""A run of a job somewhere in a cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from distributed import CancelledError, Future, KilledWorker

from core.batch.cluster.on_worker import WorkedJob
from core.batch.job import BatchJob, JobProgress
from core.batch.running import Outcome
from core.errors import quoted
from core.untrusted_json import UnreadableJsonError, decoded

MOST_LOST = 4
"""Workers that may be lost while they run a job before the job is taken to be what ends them."""

Task = Callable[[BatchJob, str], WorkedJob]
"""``task(job, version)``: a function of a module that the scheduler and its workers have too."""

LOST = Outcome(False, was_lost=True)


class Cluster(Protocol):
    """What a run needs of `core.batch.cluster.launcher.DaskLauncher`."""

    def failure(self) -> str:
        """Return why no more jobs can be run."""

    def submit(self, job: BatchJob, run: DaskRun) -> Future | None:
        """Hand a job to the scheduler."""

    def forget(self, key: str) -> None:
        """Take note that nothing more is told of a task."""

    def note_failure(self, number: int, worker: str) -> None:
        """Take note that a job failed on a worker."""


class DaskRun:
    """See `core.batch.running.RunningJob`.

    A worker that is lost takes no job with it: the scheduler gives its jobs to others.

    Parameters
    ----------
    job : BatchJob
    log : Path
    cluster : Cluster

    Attributes
    ----------
    begun_on : list of str
        The workers that have begun it, by their addresses, in their order.
    """

    def __init__(self, job: BatchJob, log: Path, cluster: Cluster) -> None:
        self._job, self._log, self._cluster = job, log, cluster
        self._progress: JobProgress | None = None
        self._outcome: Outcome | None = None
        self.begun_on: list[str] = []
        self._future: Future | None = None
        self._is_cancelled = False
        self._submit()

    @property
    def progress(self) -> JobProgress | None:
        """How far it is, once it has begun to read."""
        return self._progress

    def outcome(self) -> Outcome | None:
        """Return how it has ended; None while it goes on."""
        if self._outcome is not None:
            return self._outcome
        is_gone = self._future is None or self._future.status == "cancelled" or self._cluster.failure()
        return LOST if is_gone else None

    def cancel(self) -> None:
        """Ask it to give up; its worker notices, and leaves nothing behind."""
        self._is_cancelled = True
        if self._future is not None and not self._cluster.failure():
            with contextlib.suppress(OSError, RuntimeError):  # The scheduler may be gone by now.
                self._future.cancel()

    def suspend(self) -> bool:
        """Tell that it cannot be held."""
        return False

    def go_on(self) -> None:
        """Do nothing: it is never held."""

    def on_told(self, told: Mapping[str, Any]) -> None:
        """Take note of what a worker tells: that it has begun, or how far it is."""
        if "begun_on" in told:
            self.begun_on.append(str(told["begun_on"]))
            self._progress = None
        else:
            with contextlib.suppress(UnreadableJsonError, KeyError, TypeError):
                self._progress = decoded(told["progress"], JobProgress)

    def _submit(self) -> None:
        self._future = self._cluster.submit(self._job, self)
        if self._future is not None:
            self._future.add_done_callback(self._on_done)
            if self._is_cancelled:  # From the thread of a person, while dask's was handing it on.
                self.cancel()

    def _on_done(self, future: Future) -> None:
        """Fetch how it has ended, on dask's own thread."""
        self._cluster.forget(future.key)
        try:
            worked = future.result()
        except KilledWorker:
            if self._is_cancelled:
                self._outcome = LOST
                return
            # It counts the workers too that were lost while the job waited there.
            if len(self.begun_on) < MOST_LOST:
                self._submit()
                return
            self._outcome = Outcome(
                False,
                f"{self._job.name} was running on {len(self.begun_on)} workers that were lost, {self.begun_on[-1]} the "
                f"last one; see there whether its memory is enough.",
            )
        except CancelledError:
            self._outcome = LOST
        except Exception as error:  # Whatever dask raises where environments differ.
            self._outcome = Outcome(
                False,
                f"{self._job.name} could not be handed to a worker ({quoted(str(error), 200)}); install Cleanplate "
                f"{version('cleanplate')} with its extra cluster where the scheduler and its workers run.",
            )
        else:
            self._keep_log(worked.log)
            if not worked.outcome.is_done:
                self._cluster.note_failure(self._job.number, worked.worker)
            self._outcome = worked.outcome

    def _keep_log(self, said: bytes) -> None:
        with contextlib.suppress(OSError):  # The list of jobs, which lies beside the logs, will tell of a full disk.
            self._log.parent.mkdir(parents=True, exist_ok=True)
            self._log.write_bytes(said)
