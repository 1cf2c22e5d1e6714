"""A list of jobs that another process may work on without a window: shown until it is to be had."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.engine.queue_rows import JobRow, rows_of
from core.batch.handover import Handover
from core.batch.job_file import read_jobs
from core.batch.job_list import JobList
from core.errors import CleanplateError


class WatchedList:
    """Tells what becomes of a list until this process has it.

    Any thread may call `take_over` and read `is_watched`; the rest is for the thread that waits for the list.

    Parameters
    ----------
    path : Path
        Of the list.
    handover : Handover
        Says who works on it.
    """

    def __init__(self, path: Path, handover: Handover) -> None:
        self._path, self._handover = path, handover
        self._is_watched = self._takes_over = False

    @property
    def is_watched(self) -> bool:
        """Whether another process works on the list, and this one only shows it."""
        return self._is_watched

    def take_over(self) -> None:
        """Ask that process for the list when it is looked at next."""
        self._takes_over = True

    def had(self) -> JobList | None:
        """Return the list, which is the caller's then; None where another process works on it without a window.

        Raises
        ------
        CleanplateError
            Another window or command has it, or it cannot be used.
        """
        try:
            jobs = JobList(self._path)
        except CleanplateError:
            if self._handover.is_worked_on_alone:
                return None
            jobs = JobList(self._path)  # A process that ends lets go of the list first: then it is to be had.
        self._is_watched = self._takes_over = False
        self._handover.have()
        return jobs

    def look(self, before: Sequence[JobRow]) -> tuple[JobRow, ...]:
        """Return what another process has made of the list; ``before``: what it had when that was looked at last.

        Raises
        ------
        CleanplateError
            It cannot be read; it is watched all the same.
        """
        if self._takes_over:
            self._handover.want()
        try:
            told = self._handover.told()
            return rows_of(read_jobs(self._path), told.get, self._path, before)
        finally:
            self._is_watched = True
