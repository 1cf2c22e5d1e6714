"""What a worker of a cluster does with a job: it runs it in a process of its own, as the local launcher would."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import msgspec
from distributed import Status, Worker, get_worker

from core.batch.job import BatchJob, JobProgress
from core.batch.process import JobProcess, ProcessLauncher, end_of
from core.batch.running import Outcome
from core.errors import CleanplateError
from core.runtime.cores import share, usable

TOPIC = "cleanplate"
"""Under which workers tell of their jobs, by way of the scheduler."""

TELL_S = 1.0
"""Least time between two words of how far a job is, seconds: thousands of them go through one scheduler."""

POLL_S = 0.1
"""How often the process is looked at, seconds."""

MOST_LOG = 1 << 20
"""Bytes of a log that are sent back, its end."""

GOES_ON = frozenset({Status.init, Status.running, Status.paused, Status.closing_gracefully})
"""States of a worker whose jobs may still come to their end."""


@dataclass(frozen=True)
class WorkedJob:
    """What a worker gives back.

    Attributes
    ----------
    outcome : Outcome
    log : bytes
    worker : str
        Its address.
    """

    outcome: Outcome
    log: bytes
    worker: str


def work(job: BatchJob, made_by: str, command: Sequence[str], environment: dict[str, str]) -> WorkedJob:
    """Run a job to its end, in a task of dask; give it up when nobody wants it any more.

    Parameters
    ----------
    job : BatchJob
    made_by : str
        Version of the program that sends it: another one may give other results.
    command : sequence of str
        What runs this program here.
    environment : dict
        Of the process, beside that of this one.
    """
    worker = get_worker()
    key = str(worker.get_current_task())
    tell_begun(worker, key)
    if made_by != version("cleanplate"):
        return WorkedJob(Outcome(False, _other_version(made_by, worker)), b"", worker.address)
    with tempfile.TemporaryDirectory(dir=worker.local_directory) as folder:
        log = Path(folder, "log")
        # What is fetched goes where the worker has its own files, and is removed with these if it is killed.
        launch = ProcessLauncher(command, {**environment, "TMPDIR": folder, "TEMP": folder})
        try:
            process = launch(job, log, cores_of_job(worker.state.nthreads))
        except CleanplateError as error:
            return WorkedJob(Outcome(False, str(error)), b"", worker.address)
        outcome = _waited(process, key, worker)
        # No memory is short because of other jobs of this list; and the log is about to be elsewhere.
        sentence = outcome.sentence.replace(str(log), f"of the job on {worker.address}")
        return WorkedJob(replace(outcome, sentence=sentence, no_room=False), end_of(log, MOST_LOG), worker.address)


def tell_begun(worker: Worker, key: str) -> None:
    """Tell whoever gave a job that a worker begins it."""
    # Not "worker": that is in whatever a worker tells, put there by dask.
    worker.log_event(TOPIC, {"key": key, "begun_on": worker.address})


def tell_progress(worker: Worker, key: str, progress: JobProgress) -> None:
    """Tell whoever gave a job how far it is."""
    worker.log_event(TOPIC, {"key": key, "progress": msgspec.json.encode(progress)})


def cores_of_job(n_threads: int) -> int | None:
    """Return how many cores are the share of one of the jobs that a worker runs at a time; None: all of them."""
    if share() is None and n_threads == 1:
        return None
    return max(1, usable() // n_threads)


def _waited(process: JobProcess, key: str, worker: Worker) -> Outcome:
    told, is_wanted = 0.0, True
    while (outcome := process.outcome()) is None:
        is_wanted = is_wanted and _is_wanted(key, worker)
        if not is_wanted:
            process.cancel()
        elif (progress := process.progress) is not None and time.monotonic() - told > TELL_S:
            told = time.monotonic()
            tell_progress(worker, key, progress)
        time.sleep(POLL_S)
    return outcome if is_wanted or outcome.is_done else Outcome(False, was_lost=True)


def _is_wanted(key: str, worker: Worker) -> bool:
    """Tell whether the scheduler, and whoever gave the job to it, still wait for it."""
    task = worker.state.tasks.get(key)
    return worker.status in GOES_ON and task is not None and task.state == "executing"


def _other_version(made_by: str, worker: Worker) -> str:
    return (
        f"The worker {worker.address} has Cleanplate {version('cleanplate')}, and the job is of {made_by}; install the "
        f"same version there."
    )
