"""What is known of the jobs of the queue at one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.batch.job import BatchJob, JobProgress
from core.batch.job_list import log_of


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
    is_given_up : bool
        It runs still, and was told to give up.
    """

    job: BatchJob
    progress: JobProgress | None
    path: Path
    is_given_up: bool = False

    @property
    def log(self) -> Path:
        """Where its run writes what it says."""
        return log_of(self.path, self.job)


def rows_of(
    jobs: Iterable[BatchJob],
    progress_of: Callable[[int], JobProgress | None],
    path: Path,
    before: Sequence[JobRow],
    is_given_up: Callable[[int], bool] = lambda _number: False,
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
    is_given_up : callable
        Tells whether the job with a number was told to give up.
    """
    made = {row.job.number: row for row in before}
    rows = []
    for job in jobs:
        row, progress = made.get(job.number), progress_of(job.number)
        given_up = is_given_up(job.number)
        same = row is not None and row.job is job and row.progress is progress and row.is_given_up == given_up
        rows.append(row if row is not None and same else JobRow(job, progress, path, given_up))
    return tuple(rows)
