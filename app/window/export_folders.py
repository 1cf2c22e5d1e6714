"""The folders that results go to: one for each input, beside each other."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.window.settings import Remembered
    from core.export.job_spec import Job


class ExportFolders:
    """Says where the results of an input go unless a person chooses.

    Parameters
    ----------
    remembered : Remembered
        Has the folder that was written to last.
    path : str
        Of the input that is open.
    """

    def __init__(self, remembered: Remembered, path: str) -> None:
        self._remembered = remembered
        self._of = path  # The input whose results go into the folder that is chosen.
        self._refused = ""

    @property
    def first(self) -> str:
        """Where those of the input go that is open."""
        return _folder_for(self._usual, self._of)

    def around(self, folder: str, *, is_written: bool) -> str:
        """Return where other inputs have theirs, by the folder of the one that is open; not where none can be.

        ``is_written``: the folder is to hold the results of what runs, which do not lie in it yet.
        """
        around = str(_around(Path(folder), self._of))
        if is_written and os.access(Path(folder).parent, os.W_OK):
            around = str(Path(folder).parent)
        return self._usual if around == self._refused else around

    def turn_to(self, path: str, folder: str = "", *, is_written: bool = False) -> str:
        """Take note that another input is open; return the folder beside that of the one before, or "" without one."""
        beside = folder and _folder_for(self.around(folder, is_written=is_written), path)
        self._of = path
        return beside

    def note_refused(self, job: Job) -> None:
        """Offer no more what cannot be written to."""
        self._refused = around_results(job)

    def note_wrote(self, job: Job) -> None:
        """Offer what was written to."""
        self._refused = ""
        self._remembered.export_folder = around_results(job)

    @property
    def _usual(self) -> str:
        """Where results of all inputs go, unless a person says otherwise."""
        written = self._remembered.export_folder
        return str(Path.home() / "cleanplate") if not written or written == self._refused else written


def around_results(job: Job) -> str:
    """Return the folder in which the results of each input have one of their own, by that of a job."""
    return str(_around(job.output.absolute(), job.input.path))


def _around(folder: Path, path: str) -> Path:
    from core.batch.destinations import around  # noqa: PLC0415 - the engine is there by now

    return around(folder, path) if path else folder


def _folder_for(parent: str, path: str) -> str:
    """Return where the results of an input go; its folder is called as one of the queue."""
    from core.batch.destinations import name_of  # noqa: PLC0415 - see above

    return str(Path(parent) / name_of(path) if path else parent)
