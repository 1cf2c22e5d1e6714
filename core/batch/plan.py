"""What a batch has to do: the list of jobs for its inputs, and what of an earlier batch stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from core.batch.destinations import Destinations
from core.batch.identity import key_of
from core.batch.job import ENDED, BatchJob, JobState
from core.batch.job_list import JobList
from core.batch.naming import SUFFIX
from core.errors import CleanplateError

MANIFEST = f"batch{SUFFIX}"
"""Of a batch, in the folder of its results: which jobs there were, and what has become of each."""


def batch_list(
    folder: Path, inputs: Sequence[str], options: Sequence[str], *, resume: bool, manner: str = ""
) -> tuple[JobList, int]:
    """Return the jobs for these inputs, and how many of them were done by an earlier batch.

    Parameters
    ----------
    folder : Path
        For the results, a folder in it for each input.
    inputs : sequence of str
        As `core.batch.inputs.found_inputs` gives them.
    options : sequence of str
        Of ``cleanplate run``, the same for all.
    resume : bool
        Jobs that the manifest knows, by input and settings, keep their folders; those that are complete are not done
        again. Else the manifest is begun anew.
    manner : str
        What else results depend on: jobs that were done in another manner are other jobs.

    Raises
    ------
    CleanplateError
        The manifest cannot be read or written, or another batch works in the folder.
    """
    jobs = JobList(folder / MANIFEST)
    try:
        earlier = [_moved(job, folder) for job in jobs.jobs] if resume else []
        asked, n_done = _asked(folder, inputs, options, earlier, manner)
        kept = [job for job in earlier if job.is_complete and job.number not in {job.number for job in asked}]
        jobs.remove(lambda _: True)
        jobs.add([*kept, *asked])
    except BaseException:
        jobs.close()
        raise
    return jobs, n_done


def again(jobs: JobList) -> int:
    """Let all of a list run that is not complete, but for what was cancelled; return how many jobs are done."""
    n_done = 0
    for job in jobs.jobs:
        if job.is_complete:
            n_done += 1
        elif job.state is not JobState.CANCELLED:
            jobs.change(job.number, state=JobState.WAITING, n_failed=0, sentence="", alone=False)
    return n_done


def _asked(
    folder: Path, inputs: Sequence[str], options: Sequence[str], earlier: Sequence[BatchJob], manner: str
) -> tuple[list[BatchJob], int]:
    known = {job.key: job for job in earlier if job.key}
    keys = [_key(source, [*options, manner] if manner else options) for source in inputs]
    taken = [known[key].folder for key in keys if key in known] + [job.folder for job in earlier if job.is_complete]
    destinations = Destinations(folder, taken, avoids_present=False)
    number = max((job.number for job in earlier), default=0)
    asked, n_done = [], 0
    for source, key in zip(inputs, keys, strict=True):
        if job := known.get(key):
            n_done += job.is_complete
            asked.append(job if job.is_complete else _anew(job))
        else:
            number += 1
            output = destinations.for_input(source)
            asked.append(
                BatchJob(
                    number=number, name=output.name, input=source, output=str(output), options=tuple(options), key=key
                )
            )
    return asked, n_done


def _key(source: str, options: Sequence[str]) -> str:
    try:
        return key_of(source, options)
    except CleanplateError:  # The job itself will say what is wrong with its input.
        return ""


def _moved(job: BatchJob, folder: Path) -> BatchJob:
    """Return a job with its folder where the manifest is now."""
    return msgspec.structs.replace(job, output=str(Path(folder).absolute() / job.place))


def _anew(job: BatchJob) -> BatchJob:
    is_over = job.state in ENDED or job.state is JobState.PAUSED
    state = JobState.WAITING if is_over else job.state
    return msgspec.structs.replace(job, state=state, n_failed=0, sentence="", alone=False)
