"""The jobs in the order in which they are to run, and what becomes of them; kept on disk at every change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from core.batch.job import ENDED, BatchJob, JobState
from core.batch.job_file import JobFile
from core.untrusted_json import MOST_TEXT


class JobList:
    """The list. It knows nothing of who runs the jobs.

    Parameters
    ----------
    path : Path
        Of its file. What ran when the last process ended without warning waits again.

    Raises
    ------
    CleanplateError
        As `core.batch.job_file.JobFile` and its `read`.
    """

    def __init__(self, path: Path) -> None:
        self._file = JobFile(path)
        try:
            self._jobs = {job.number: _waiting_again(job) for job in self._file.read()}
            if self._jobs:
                self.save()  # A line for each job again, and whole ones.
        except BaseException:
            self._file.close()
            raise

    @property
    def path(self) -> Path:
        """Of its file."""
        return self._file.path

    @property
    def jobs(self) -> list[BatchJob]:
        """The jobs in their order."""
        return list(self._jobs.values())

    @property
    def is_settled(self) -> bool:
        """Whether nothing more becomes of any job by itself; those that are paused wait for a person."""
        return all(job.state in ENDED or job.state is JobState.PAUSED for job in self._jobs.values())

    def __getitem__(self, number: int) -> BatchJob:
        """Return a job."""
        return self._jobs[number]

    def __contains__(self, number: int) -> bool:
        """Tell whether there is such a job."""
        return number in self._jobs

    def __len__(self) -> int:
        """Return how many jobs there are."""
        return len(self._jobs)

    def count(self) -> Counter[JobState]:
        """Return how many jobs are in each state."""
        return Counter(job.state for job in self._jobs.values())

    def log_of(self, job: BatchJob) -> Path:
        """Return where the run of a job writes what it says."""
        return log_of(self.path, job)

    def next_number(self) -> int:
        """Return a number that no job has."""
        return max(self._jobs, default=0) + 1

    def save(self) -> None:
        """Write the whole list."""
        self._file.write(self._jobs.values())

    def add(self, jobs: Iterable[BatchJob]) -> None:
        """Add jobs, or put them in the place of those of the same number."""
        self._replace(self._jobs | {job.number: job for job in jobs})

    def begin_anew(self, jobs: Iterable[BatchJob]) -> None:
        """Have these jobs in the place of all others."""
        self._replace({job.number: job for job in jobs})

    def change(self, number: int, **changes: Any) -> BatchJob:
        """Change what is known of a job and return it; see `core.batch.job.BatchJob`. Long sentences are cut short."""
        job = msgspec.structs.replace(self._jobs[number], **changes)
        job = msgspec.structs.replace(job, sentence=_shortened(job.sentence))
        # Written first: where that fails, the job is what it was.
        if not self._file.append(job):
            self._file.write({**self._jobs, number: job}.values())  # Without all its earlier changes.
        self._jobs[number] = job
        return job

    def move(self, numbers: Sequence[int], step: int) -> None:
        """Move jobs up (``step`` -1) or down (1) by a place each; together where they are at the end already."""
        order = list(self._jobs)
        chosen = [n for n in (order if step < 0 else reversed(order)) if n in set(numbers)]
        for number in chosen:
            at = order.index(number)
            to = at + step
            if 0 <= to < len(order) and order[to] not in chosen:
                order[at], order[to] = order[to], order[at]
        self._replace({number: self._jobs[number] for number in order})

    def remove(self, which: Callable[[BatchJob], bool]) -> None:
        """Forget jobs; their results and logs stay."""
        self._replace({number: job for number, job in self._jobs.items() if not which(job)})

    def close(self) -> None:
        """Let others have the list."""
        self._file.close()

    def _replace(self, jobs: dict[int, BatchJob]) -> None:
        self._file.write(jobs.values())  # First: where that fails, the list is what it was.
        self._jobs = jobs


def log_of(path: Path, job: BatchJob) -> Path:
    """Return where the run of a job of a list writes what it says."""
    return path.parent / "logs" / f"{job.number:04d} {' '.join(job.place.parts[-2:])}.log"


def _waiting_again(job: BatchJob) -> BatchJob:
    return msgspec.structs.replace(job, state=JobState.WAITING) if job.state is JobState.RUNNING else job


def _shortened(sentence: str) -> str:
    """Return a sentence that a list can hold: what happened is at its beginning, what to do at its end."""
    text = sentence.encode("utf-8", "replace").decode()  # Names of files may hold what is no text.
    half = MOST_TEXT // 2
    return text if len(text) <= MOST_TEXT else f"{text[: half - 1]}…{text[-half:]}"
