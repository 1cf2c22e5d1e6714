"""The events of a run: found as frames come, written when it ends, and drawn into pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.errors import CleanplateError
from core.events.files import EventFiles
from core.events.found import FoundEvents
from core.events.regions import find_regions
from core.events.rules import Rules
from core.events.tracker import Tracker
from core.io.sinks.base import Partial, writing
from core.session.report import Report

NEEDS_EVENTS = frozenset({"events", "boxes"})
"""Products for which what moves has to be followed."""


class EventWriter:
    """Follows what moves. `take` each report, then `finish` or `abort`.

    Parameters
    ----------
    final : Path or None
        Folder of the events; None where they are drawn into pictures alone.
    rules : Rules
    first : int
        Number of the first frame that is read, from 1.
    timed : bool
        Frames have times.
    """

    def __init__(self, final: Path | None, rules: Rules, first: int, *, timed: bool) -> None:
        self.partials = [] if final is None else [Partial(final)]
        self._rules, self._first, self._timed = rules, first, timed
        self._tracker = Tracker(rules)
        self._files: EventFiles | None = None

    def take(self, report: Report) -> Report:
        """Take the mask of a report, and return the report with what is seen in it."""
        frame = report.frame.full
        seen, ended = self._tracker.update(frame.index, frame.time_s, find_regions(report.full_mask))
        for partial in self.partials:
            with writing(partial.final):
                if self._files is None:
                    size = frame.layout.width, frame.layout.height
                    self._files = EventFiles(self._rules, *size, self._first, timed=self._timed)
                    self._files.open(partial.path)
                self._files.add_frame(frame.index, frame.time_s, frame.name)
                for event in ended:
                    self._files.add_event(event)
        return replace(report, seen=tuple(seen))

    def finish(self) -> None:
        """Complete the files under their temporary name."""
        if self._files is None:
            return
        for event in self._tracker.finish():
            self._files.add_event(event)
        with writing(self.partials[0].final):
            self._files.close()

    def abort(self) -> None:
        """Stop, and remove what was written."""
        if self._files is not None:
            self._files.release()
        for partial in self.partials:
            partial.discard()


def write_found(found: FoundEvents, final: Path, rules: Rules) -> Path:
    """Write events that were found before, as far as they count by other rules, and return the folder.

    Raises
    ------
    CleanplateError
        It is there already, or cannot be written.
    """
    if final.exists():
        raise CleanplateError(f"{final} is there already; choose another folder.")
    partial = Partial(final)
    try:
        with writing(final):
            found.write(partial.path, rules)
        partial.publish()
    finally:
        partial.discard()
    return final
