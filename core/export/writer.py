"""The results of a run: each is written beside its place, and all get their final names together at the end."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from core.errors import CleanplateError
from core.events.rules import Rules
from core.export.event_writer import NEEDS_EVENTS, EventWriter
from core.export.frame_writer import FrameWriter
from core.export.products import PICTURES, place
from core.export.run_files import RunFiles
from core.frames.frame import Frame
from core.io.sinks.base import publish_all, writing
from core.io.sinks.video import DEFAULT_QUALITY
from core.session.report import Report
from core.session.session import Session


class ResultWriter:
    """Writes what a session gives. Make one, `write` every report that is asked for, then `finish` or `abort`.

    Parameters
    ----------
    folder : Path
        Made when it is not there.
    save : sequence of str
        Keys of `core.export.products.PRODUCTS`.
    form : str
        Key of `core.export.products.FORMATS`.
    fps : float or None
        Rate of the input; None where its frames have no time.
    quality : str
        Key of `core.export.products.QUALITIES`.
    overwrite : bool
        Replace what has the names of the results when they are complete.
    rules : Rules
        What counts as an event.
    first : int
        Number of the first frame that is read, from 1: events say in which frame of the input something was.

    Attributes
    ----------
    saved : frozenset of str
        What is saved.

    Raises
    ------
    CleanplateError
        The folder cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        save: Sequence[str],
        form: str,
        fps: float | None,
        *,
        quality: str = DEFAULT_QUALITY,
        overwrite: bool = False,
        rules: Rules | None = None,
        first: int = 1,
    ) -> None:
        self._files = [place(product, folder, form) for product in save]
        self._overwrite = overwrite
        self.saved = frozenset(save)
        self._full: Frame | None = None
        self._run_files = RunFiles(folder, [product for product in save if product not in PICTURES], form)
        self._events: EventWriter | None = None
        if not NEEDS_EVENTS.isdisjoint(save):
            final = place("events", folder, form) if "events" in save else None
            self._events = EventWriter(final, rules or Rules(), first, timed=fps is not None)
        self._made = _make(folder)
        try:
            pictures = [product for product in save if product in PICTURES]
            self._frames = FrameWriter(folder, pictures, form, fps, quality)
        except BaseException:
            self._remove_made()
            raise

    @property
    def write_ms(self) -> list[float]:
        """Milliseconds of work that each of the last frames took, over all products."""
        return self._frames.write_ms

    def write(self, report: Report) -> None:
        """Write the pictures of a report; returns before they are written, and waits when writing is behind.

        Raises
        ------
        CleanplateError
            An earlier picture could not be written.
        """
        self._full = report.frame.full
        self._frames.write(report if self._events is None else self._events.take(report))

    def finish(self, session: Session) -> list[Path]:
        """Complete everything, give all results their final names, and return those.

        A report must have been written.
        """
        assert self._full is not None, "write a report first"
        try:
            self._frames.finish()
            self._run_files.write(session, self._full)
            if self._events is not None:
                self._events.finish()
            # Looked at again: another run may have finished here meanwhile.
            if not self._overwrite and (present := [path for path in self._files if path.exists()]):
                raise CleanplateError(
                    f"{present[0]} came to be during the run and is not replaced; use another folder."
                )
            found = [] if self._events is None else self._events.partials
            publish_all([*self._frames.partials, *self._run_files.partials, *found])
        except BaseException:
            self.abort()
            raise
        return self._files

    def abort(self) -> None:
        """Stop, and remove what was written; what was there before is untouched."""
        self._frames.abort()
        self._run_files.discard()
        if self._events is not None:
            self._events.abort()
        self._remove_made()

    def _remove_made(self) -> None:
        for folder in self._made:
            with contextlib.suppress(OSError):
                folder.rmdir()


def _make(folder: Path) -> list[Path]:
    """Make a folder and its parents; return those that were not there, innermost first."""
    missing = []
    step = folder
    while not step.exists():
        missing.append(step)
        step = step.parent
    if not step.is_dir():
        raise CleanplateError(f"{step} is a file, so results cannot be written below it; choose a folder.")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return missing
