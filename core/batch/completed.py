"""Which jobs are done and need not run again: by what lies in their folders, or by the manifest at their address."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec

from core.batch.job import BatchJob, JobState
from core.io.input_spec import is_remote
from core.io.remote.manifest import read_manifest
from core.io.remote.store import Store

In = TypeVar("In")
Out = TypeVar("Out")

ASKED_AT_ONCE = 16
"""Questions to a file system elsewhere that are asked at the same time: each waits for the network most of its time."""


def looked_up(jobs: Sequence[BatchJob]) -> list[BatchJob]:
    """Return the jobs with what their folders tell now: those are done whose results are all there, and no others.

    Results at an address are those of a job where their manifest has its key, whoever uploaded them; where none are,
    what comes to be there is the job's own.

    Raises
    ------
    CleanplateError
        An address cannot be reached.
    """
    elsewhere = [job for job in jobs if is_remote(job.output)]
    asked = {job.number: job for job in asked_together(_at_address, elsewhere)}
    return [asked.get(job.number) or (job if job.is_complete else undone(job)) for job in jobs]


def undone(job: BatchJob) -> BatchJob:
    """Return a job as one that has yet to be done, if it was done."""
    return msgspec.structs.replace(job, state=JobState.WAITING) if job.state is JobState.DONE else job


def asked_together(ask: Callable[[In], Out], items: Iterable[In]) -> list[Out]:
    """Return ``ask(item)`` for each item in order, several being asked at once; raises what the first to fail does."""
    with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        return list(pool.map(ask, items))


def _at_address(job: BatchJob) -> BatchJob:
    store = Store(job.output)
    manifest = read_manifest(store)
    is_there = manifest is not None and manifest.is_complete
    if manifest is not None and is_there and (not job.key or manifest.key != job.key):
        return undone(job)
    if manifest is None or not is_there or not manifest.files.keys() <= store.files().keys():
        return msgspec.structs.replace(undone(job), owns_output=True)
    return msgspec.structs.replace(job, state=JobState.DONE, sentence="", figures=manifest.figures)
