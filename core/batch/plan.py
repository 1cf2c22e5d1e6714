"""What a batch has to do: the list of jobs for its inputs, and what of an earlier batch stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from core.batch.completed import asked_together, looked_up, undone
from core.batch.destinations import Destinations
from core.batch.identity import key_of
from core.batch.job import BatchJob, JobState
from core.batch.job_list import JobList
from core.batch.naming import SUFFIX
from core.errors import CleanplateError
from core.io.remote.address import below

MANIFEST = f"batch{SUFFIX}"
"""Of a batch, in the folder of its results: which jobs there were, and what has become of each."""

OVERWRITE = "--overwrite"
"""Option of runs that replace results."""


def batch_list(
    folder: Path,
    inputs: Sequence[str],
    options: Sequence[str],
    *,
    resume: bool,
    address: str | None = None,
    manner: str = "",
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
        again. Else the manifest is begun anew, unless results that are still there would be in the way.
    manner : str
        What else results depend on: jobs that were done in another manner are other jobs.
    address : str, optional
        Where the results go instead: the list alone is in the folder.

    Raises
    ------
    CleanplateError
        The manifest cannot be read or written, another batch works in the folder, the address cannot be reached, or
        all begins anew over results of an earlier batch that are not to be replaced.
    """
    jobs = JobList(folder / MANIFEST)
    try:
        asks = resume or OVERWRITE not in options
        before = looked_up([_moved(job, folder, address) for job in jobs.jobs]) if asks else []
        earlier = before if resume else []
        asked = _asked(folder, inputs, options, earlier, address, manner)
        if not resume:
            _check_anew(asked, before, address or str(folder))
        known = {job.number for job in earlier}
        found = {job.number: job for job in looked_up([job for job in asked if job.number not in known])}
        if not resume:
            found = {number: undone(job) for number, job in found.items()}
        asked = [_anew(found.get(job.number, job)) for job in asked]
        numbers = {job.number for job in asked}
        kept = [job for job in earlier if job.state is JobState.DONE and job.number not in numbers]
        jobs.begin_anew([*kept, *asked])
    except BaseException:
        jobs.close()
        raise
    return jobs, sum(job.state is JobState.DONE for job in asked)


def again(jobs: JobList) -> int:
    """Let all of a list run that is not complete, but for what was cancelled; return how many jobs are done.

    Raises
    ------
    CleanplateError
        The address of a job's results cannot be reached.
    """
    found = [job if job.state is JobState.CANCELLED else _anew(job) for job in looked_up(jobs.jobs)]
    jobs.add(found)
    return sum(job.state is JobState.DONE for job in found)


def _asked(
    folder: Path,
    inputs: Sequence[str],
    options: Sequence[str],
    earlier: Sequence[BatchJob],
    address: str | None,
    manner: str,
) -> list[BatchJob]:
    """Return the jobs for inputs, those of an earlier batch as it left them."""
    known = {job.key: job for job in earlier if job.key}
    keys = asked_together(partial(_key, options=[*options, manner] if manner else options), inputs)
    kept = [known[key] for key in keys if key in known] + [job for job in earlier if job.state is JobState.DONE]
    taken = [folder / job.folder.name for job in kept]
    destinations = Destinations(folder, taken, avoids_present=False)
    number = max((job.number for job in earlier), default=0)
    asked = []
    for source, key in zip(inputs, keys, strict=True):
        if key in known:
            asked.append(known[key])
            continue
        number += 1
        path = destinations.for_input(source)
        output = _output(path.name, folder, address)
        asked.append(
            BatchJob(number=number, name=path.name, input=source, output=output, options=tuple(options), key=key)
        )
    return asked


def _check_anew(asked: Sequence[BatchJob], earlier: Sequence[BatchJob], where: str) -> None:
    """Raise a `CleanplateError` where jobs are asked for again that are done: a manifest begun anew forgets them."""
    done = {job.key for job in earlier if job.state is JobState.DONE and job.key}
    if n_done := sum(job.key in done for job in asked):
        raise CleanplateError(
            f"Output exists: {n_done} of {len(asked)} jobs were done before into {where}; do what is missing "
            f"(--resume), replace all ({OVERWRITE}), or choose another folder."
        )


def _key(source: str, options: Sequence[str]) -> str:
    try:
        return key_of(source, options)
    except CleanplateError:  # The job itself will say what is wrong with its input.
        return ""


def _output(name: str, folder: Path, address: str | None) -> str:
    return str(folder.absolute() / name) if address is None else below(address, name)


def _moved(job: BatchJob, folder: Path, address: str | None) -> BatchJob:
    """Return a job with its folder where the manifest is now."""
    return msgspec.structs.replace(job, output=_output(job.place.as_posix(), folder, address))


def _anew(job: BatchJob) -> BatchJob:
    """Return a job as it is if it is done, else as one that waits and has not failed yet."""
    if job.state is JobState.DONE:
        return job
    return msgspec.structs.replace(job, state=JobState.WAITING, n_failed=0, sentence="", alone=False)
