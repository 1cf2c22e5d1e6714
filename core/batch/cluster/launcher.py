"""Hands jobs to a dask scheduler; beside `core.batch.process`, the other one who runs jobs."""

from __future__ import annotations

import contextlib
import logging
import secrets
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from distributed import Client, Future

from core.batch.cluster.anywhere import for_anywhere
from core.batch.cluster.on_worker import TOPIC
from core.batch.cluster.run import DaskRun, Task
from core.batch.job import BatchJob
from core.errors import CleanplateError, quoted

CONNECT_S = 10.0
"""How long a scheduler may take to answer, seconds."""

MOST_SUBMITTED = 1000
"""Jobs that a scheduler has at a time: more than its workers can run, so that those clusters grow that can."""


class DaskLauncher:
    """Begins runs on workers; see `core.batch.running.Launcher`. `close` it in the end.

    Parameters
    ----------
    address : str
        Of the scheduler.
    task : Task

    Raises
    ------
    CleanplateError
        No scheduler answers there.
    """

    def __init__(self, address: str, task: Task) -> None:
        self._address, self._task = address, task
        self._runs: dict[str, DaskRun] = {}
        self._failed_on: dict[int, set[str]] = {}
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # What is told there is told in sentences here.
        try:
            self._client = Client(address, timeout=CONNECT_S, set_as_default=False, name="cleanplate")
        except (OSError, ValueError) as error:
            raise CleanplateError(
                f"No scheduler answers at {address} ({quoted(str(error) or 'no answer')}); check the address, and "
                f"that dask scheduler runs there."
            ) from error
        self._client.subscribe_topic(TOPIC, self._on_told)

    def failure(self) -> str:
        """Return in a clause that the scheduler is gone; nothing while it is there."""
        return "" if self._client.status == "running" else f"The scheduler at {self._address} is gone"

    def close(self) -> None:
        """Leave the scheduler; what its workers still run is given up."""
        with contextlib.suppress(OSError, RuntimeError):  # It may be gone.
            self._client.close()

    def __call__(self, job: BatchJob, log: Path, n_cores: int | None) -> DaskRun:
        """Begin a run; its cores are a worker's to share."""
        return DaskRun(for_anywhere(job), log, self)

    def submit(self, job: BatchJob, run: DaskRun) -> Future | None:
        """Hand a job to the scheduler, for workers first on which it has not failed; None where that is gone."""
        key = f"cleanplate-{secrets.token_hex(8)}"
        if self.failure():
            return None
        try:
            where = self._elsewhere(job.number)
            future = self._client.submit(self._task, job, version("cleanplate"), key=key, pure=False, **where)
        except (OSError, RuntimeError):
            return None
        self._runs[key] = run
        return future

    def forget(self, key: str) -> None:
        """Take note that nothing more is told of a task."""
        self._runs.pop(key, None)

    def note_failure(self, number: int, worker: str) -> None:
        """Take note that a job failed on a worker."""
        self._failed_on.setdefault(number, set()).add(worker)

    def _elsewhere(self, number: int) -> Mapping[str, Any]:
        """Return what lets a job that failed run on other workers, where there are any."""
        if number not in self._failed_on:
            return {}
        others = sorted(set(self._client.nthreads()) - self._failed_on[number])
        return {"workers": others, "allow_other_workers": True} if others else {}

    def _on_told(self, event: tuple[float, Mapping[str, Any]]) -> None:
        _, told = event
        if run := self._runs.get(str(told.get("key"))):
            run.on_told(told)
