"""From what a person asked for to jobs in the queue's list, and what becomes of their files when they leave it."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from app.engine.choice import InputKind, kind_of
from core.batch.destinations import Destinations
from core.batch.job import ENDED, BatchJob, JobState
from core.batch.job_list import JobList
from core.batch.scheduler import Scheduler
from core.errors import CleanplateError
from core.project.naming import is_project

PROJECTS = "projects"
"""Folder beside the list: projects that were made for a job alone."""


@dataclass(frozen=True)
class JobRequest:
    """What is to be done.

    Attributes
    ----------
    input : str
        As ``cleanplate run`` takes it.
    options : tuple of str
        The other words of the command.
    folder : Path
        The results get a folder of their own in it.
    named_after : str
        The input that this folder is named after.
    expands : bool
        A folder of clips is a job for each; see `core.batch.inputs.found_inputs`. Projects have options of their own.
    kept : mapping
        Options instead of those for inputs of another kind, where it expands.
    """

    input: str
    options: tuple[str, ...]
    folder: Path
    named_after: str = ""
    expands: bool = False
    kept: Mapping[InputKind, tuple[str, ...]] = field(default_factory=dict)


def add_jobs(requests: Sequence[JobRequest], jobs: JobList) -> None:
    """Add a job for each input of each request to the end of a list.

    Raises
    ------
    CleanplateError
        Nothing can be made of one of the requests; jobs for the others are in the list.
    """
    taken, number, added = [job.folder for job in jobs.jobs], jobs.next_number(), []
    failures: list[CleanplateError] = []
    for request in requests:
        try:
            inputs = _inputs_of(request)
        except CleanplateError as error:  # The other requests may be of use.
            failures.append(error)
            continue
        for source in inputs:
            # Folders of earlier runs are left alone: what is there is not the queue's to replace.
            output = Destinations(request.folder, taken, avoids_present=True).for_input(request.named_after or source)
            taken.append(output)
            options = options_of(request, source)
            added.append(BatchJob(number=number, name=output.name, input=source, output=str(output), options=options))
            number += 1
    jobs.add(added)
    if failures:
        raise failures[0]


REDIRECTED = frozenset({JobState.WAITING, JobState.FAILED, JobState.CANCELLED})
"""States of a job whose results can go elsewhere: nothing of them is there yet."""


def redirect(numbers: Collection[int], folder: Path, scheduler: Scheduler) -> None:
    """Let jobs that have not begun, have failed or were cancelled write into folders of their own in this one."""
    jobs = scheduler.jobs
    moved = [
        job for job in jobs.jobs
        if job.number in numbers and job.state in REDIRECTED and not scheduler.has_begun(job.number)
        and job.folder.parent != folder
    ]  # fmt: skip
    places = Destinations(folder, [job.folder for job in jobs.jobs if job not in moved], avoids_present=True)
    for job in moved:
        output, log = places.called(job.name), jobs.log_of(job)
        changed = jobs.change(job.number, name=output.name, output=str(output), owns_output=False)
        with contextlib.suppress(OSError):  # There may be none, and it is named after the folder.
            log.replace(jobs.log_of(changed))


def remove_ended(jobs: JobList) -> None:
    """Take the jobs that have ended off a list, with their logs and projects; their results stay."""
    for job in jobs.jobs:
        if job.state in ENDED:
            with contextlib.suppress(OSError):
                jobs.log_of(job).unlink()
            _forget_project(job.input, jobs.path)
    jobs.remove(lambda job: job.state in ENDED)


def forget_projects(requests: Sequence[JobRequest], path: Path) -> None:
    """Remove the projects that were made for requests that come into no list; ``path`` is that of the list."""
    for request in requests:
        _forget_project(request.input, path)


def _forget_project(source: str, path: Path) -> None:
    """Remove a project that was made for a job alone."""
    from core.project.store import remove_project  # noqa: PLC0415 - the engine is there by now

    if Path(source).parent == path.parent / PROJECTS:
        remove_project(Path(source))


def _inputs_of(request: JobRequest) -> list[str]:
    """Return the inputs that a request stands for, each a job."""
    if not request.expands:
        return [request.input]
    from core.batch.inputs import found_inputs  # noqa: PLC0415 - decoders; the engine is there by now

    return found_inputs([request.input])


def options_of(request: JobRequest, source: str) -> tuple[str, ...]:
    """Return the options for one of the inputs of a request: those of its kind. It may be opened for that."""
    if not request.expands:
        return request.options
    if is_project(source):
        return ()
    others = {kind: options for kind, options in request.kept.items() if options != request.options}
    kind = _kind_of(source) if others else None
    return request.options if kind is None else others.get(kind, request.options)


def _kind_of(source: str) -> InputKind | None:
    from core.io.sources import InputSpec, open_source  # noqa: PLC0415 - see above

    try:
        with closing(open_source(InputSpec(source))) as opened:
            return kind_of(opened.info)
    except CleanplateError:  # Its job will say why.
        return None
