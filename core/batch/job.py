"""A job of a list: one run of the program, as plain data that any machine can be handed."""

from __future__ import annotations

import enum
import os
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from core.events.totals import EventTotals
from core.io.input_spec import is_remote
from core.untrusted_json import MOST_TEXT, Name

Count = Annotated[int, Meta(ge=0, le=10**12)]

Word = Annotated[str, Meta(max_length=1 << 17, pattern=r"^[^\x00]*$")]
"""Of a command: an area has two numbers for each of its corners. No system hands a program longer ones."""


class JobState(enum.Enum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED})
"""States of a job that nothing more becomes of by itself."""


PIECES = "pieces"
"""Folder beside those of results, in which the parts of jobs have theirs: ``pieces/NAME/PART``."""


class BatchJob(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """What to run, where to, and what has become of it.

    Attributes
    ----------
    number : int
        Its own in its list.
    name : str
        For people; the name of its folder.
    input : str
        What stands after ``cleanplate run``; of a file or folder the absolute path.
    output : str
        Absolute path, or address, of the folder for its results, which no other job of the list has.
    options : tuple of str
        The other words of the command.
    key : str
        What identifies its input and its settings (`core.batch.identity`), where a list is resumed; else empty.
    after : tuple of int
        Numbers of the jobs that have to be done before it begins: pieces before what they are joined to.
    state : JobState
    n_failed : int
        How often it failed since a person asked for it.
    owns_output : bool
        Nothing was in the way of its results when it began: what is there since is its own, and is replaced when it
        runs again.
    alone : bool
        It has found too little memory beside others.
    sentence : str
        Why it failed.
    figures : dict
        What the run told at its end; see `ToldLine`.
    """

    number: Count
    name: Name
    input: Name
    output: Name
    options: Annotated[tuple[Word, ...], Meta(max_length=1000)] = ()
    key: Name = ""
    after: Annotated[tuple[Count, ...], Meta(max_length=10**6)] = ()
    state: JobState = JobState.WAITING
    n_failed: Count = 0
    owns_output: bool = False
    alone: bool = False
    sentence: Annotated[str, Meta(max_length=MOST_TEXT)] = ""
    figures: dict[str, object] = {}

    @property
    def words(self) -> list[str]:
        """What stands after ``cleanplate``."""
        replaces = ["--overwrite"] if self.owns_output and "--overwrite" not in self.options else []
        # An input that begins with a dash would be taken for an option.
        source = "./" + self.input if self.input.startswith("-") else self.input
        noted = ["--key", self.key] if self.key and is_remote(self.output) else []
        return ["run", source, "-o", self.output, *self.options, *replaces, *noted]

    @property
    def is_part(self) -> bool:
        """Whether another job puts its results together with those of others (`core.batch.pieces`)."""
        return "/" in self.key

    @property
    def place(self) -> Path:
        """Its folder as seen from that of the list."""
        return Path(PIECES, *self.folder.parts[-2:]) if self.is_part else Path(self.folder.name)

    @property
    def is_complete(self) -> bool:
        """Whether it is done, and its results are still there; those at an address cannot be seen from here."""
        files = self.figures.get("files")
        names = files if isinstance(files, list) else []
        return self.state is JobState.DONE and all(os.path.lexists(self.folder / str(name)) for name in names)

    @property
    def notes(self) -> list[str]:
        """What its run said beside its figures, in sentences: what of the input was not used, or is not known."""
        notes = self.figures.get("notes")
        return [str(note) for note in notes] if isinstance(notes, list) else []

    @property
    def events(self) -> EventTotals | None:
        """How many events its run has counted, and over which lines; None where it saved none."""
        try:
            return msgspec.convert(self.figures, EventTotals)
        except msgspec.ValidationError:
            return None

    @property
    def folder(self) -> Path:
        """Where its results are."""
        return Path(self.output)


class JobProgress(msgspec.Struct, frozen=True):
    """How far the run of a job has come: a line that it prints, see ``cleanplate run --json-progress``.

    Attributes
    ----------
    done, total : int or None
        Frames done of all passes together, and how many there are, where known; iterations, while a batch method
        iterates.
    seconds_left : float or None
    fps : float
        Frames a second.
    peak_mib : float
        Largest memory of the process so far, MiB.
    """

    done: int
    total: int | None = None
    seconds_left: float | None = None
    fps: float = 0.0
    peak_mib: float = 0.0


class ToldLine(msgspec.Struct, omit_defaults=True, frozen=True):
    """One line of what a run prints for whoever runs jobs.

    Attributes
    ----------
    progress : JobProgress, optional
    no_room : bool
        It fails because there is too little memory, which may be otherwise when no other job runs.
    done : dict, optional
        It is complete: what ``cleanplate run --json`` prints, ``files``, the results as seen from their folder,
        and ``notes``, sentences.
    failed : str
        Why there is nothing, in a sentence; printed behind all else.
    """

    progress: JobProgress | None = None
    no_room: bool = False
    done: dict[str, object] | None = None
    failed: str = ""
