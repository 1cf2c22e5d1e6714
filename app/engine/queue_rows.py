"""What the window and its queue tell each other: what is to be done, and what is known of a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from app.engine.choice import InputKind, kind_of
from core.batch.job import BatchJob, JobProgress
from core.batch.job_list import log_of
from core.errors import CleanplateError
from core.project.naming import is_project


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


@dataclass(frozen=True)
class JobRow:
    """What is known of a job at one moment.

    Attributes
    ----------
    job : BatchJob
    progress : JobProgress or None
        None where it does not run, or has not begun to read.
    path : Path
        Of the list that it is in.
    """

    job: BatchJob
    progress: JobProgress | None
    path: Path

    @property
    def log(self) -> Path:
        """Where its run writes what it says."""
        return log_of(self.path, self.job)


def rows_of(
    jobs: Iterable[BatchJob], progress_of: Callable[[int], JobProgress | None], path: Path, before: Sequence[JobRow]
) -> tuple[JobRow, ...]:
    """Return a row for each job, in their order: the very one from before where nothing has changed.

    Parameters
    ----------
    jobs : iterable of BatchJob
    progress_of : callable
        Gives the progress of the job with a number.
    path : Path
        Of the list.
    before : sequence of JobRow
        Made earlier, of the same list.
    """
    made = {row.job.number: row for row in before}
    rows = []
    for job in jobs:
        row, progress = made.get(job.number), progress_of(job.number)
        rows.append(row if row and row.job is job and row.progress is progress else JobRow(job, progress, path))
    return tuple(rows)


def inputs_of(request: JobRequest) -> list[str]:
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
