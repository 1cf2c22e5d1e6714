"""What a run prints for the program that runs jobs: lines of JSON on standard output (`core.batch.job.ToldLine`)."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

import msgspec

from core.batch.job import JobProgress, ToldLine
from core.errors import NoRoomError
from core.export.progress import Progress
from core.runtime.memory import peak_mib

LINE_S = 0.25
"""Least time between two lines of progress, seconds; who reads them shows them to people."""


class ToldLines:
    """Prints the lines. Where nobody reads them any more, printing fails, and so does the run."""

    def __init__(self) -> None:
        self._last: float | None = None

    def progress(self, step: Progress) -> None:
        """Tell how far it is, now and then; the first time at once."""
        if self._is_time():
            done, total = step.overall
            _print(ToldLine(progress=JobProgress(done, total, step.seconds_left, step.fps, peak_mib())))

    def still_here(self) -> None:
        """Tell now and then that it goes on, where there is nothing else to tell."""
        if self._is_time():
            _print(ToldLine())

    def _is_time(self) -> bool:
        now = time.monotonic()
        if self._last is not None and now - self._last < LINE_S:
            return False
        self._last = now
        return True

    @staticmethod
    def done(figures: dict[str, object]) -> None:
        """Tell that all is complete."""
        _print(ToldLine(done=figures))


@contextlib.contextmanager
def telling_of_no_room(wanted: bool) -> Iterator[None]:
    """Tell where there is too little memory, if that is wanted."""
    try:
        yield
    except (NoRoomError, MemoryError):
        if wanted:
            with contextlib.suppress(OSError):
                _print(ToldLine(no_room=True))
        raise


def _print(line: ToldLine) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()
