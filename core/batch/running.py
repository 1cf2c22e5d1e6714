"""What whoever runs jobs must be able to do; `core.batch.process` does it on this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from core.batch.job import BatchJob, JobProgress
from core.runtime.memory import available_bytes


@dataclass(frozen=True)
class Outcome:
    """How a run has ended.

    Attributes
    ----------
    is_done : bool
        Its results are complete.
    sentence : str
        Why they are not.
    no_room : bool
        There was too little memory, or it looks so.
    figures : dict
        See `core.batch.job.ToldLine`.
    was_lost : bool
        Whoever ran it is gone, and nobody knows: it is no failure of the job, which waits again.
    """

    is_done: bool
    sentence: str = ""
    no_room: bool = False
    figures: dict[str, object] = field(default_factory=dict)
    was_lost: bool = False


class RunningJob(Protocol):
    """A run that goes on somewhere. No method waits."""

    @property
    def progress(self) -> JobProgress | None:
        """How far it is, once it has begun to read."""

    def outcome(self) -> Outcome | None:
        """Return how it has ended; None while it goes on."""

    def cancel(self) -> None:
        """Ask it to give up and leave nothing behind; it is ended by force where it does not."""

    def suspend(self) -> bool:
        """Hold it where it is, and tell whether that is possible."""

    def go_on(self) -> None:
        """Let it go on that was held."""


Launcher = Callable[[BatchJob, Path, int | None], RunningJob]
"""``launch(job, log, n_cores)`` begins a run, whose log goes to a file; ``n_cores`` None: as many as there are."""


@dataclass(frozen=True)
class Workforce:
    """Who runs the jobs of a list.

    Attributes
    ----------
    launch : Launcher
    workers : int
        Jobs at a time.
    available : callable
        Gives the memory that is left here, bytes; None where nobody knows, or where no job uses it.
    failure : callable
        Says why it can run no more jobs, in a clause; empty while it can.
    options : tuple of str
        Words of ``cleanplate batch`` that ask for it.
    """

    launch: Launcher
    workers: int
    available: Callable[[], int | None] = available_bytes
    failure: Callable[[], str] = str
    options: tuple[str, ...] = ()
