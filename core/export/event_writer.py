"""The events of a run: found as frames come, written when it ends, and drawn into pictures."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.errors import CleanplateError
from core.events.files import EventFiles
from core.events.found import FoundEvents
from core.events.regions import find_regions
from core.events.rules import Rules
from core.events.totals import EventTotals
from core.events.tracker import Tracker
from core.export.frame_names import FrameNames
from core.io.publishing.refusals import writing
from core.io.publishing.transaction import Transaction
from core.io.sources.base import SourceInfo
from core.session.report import Report

NEEDS_EVENTS = frozenset({"events", "boxes"})
"""Products for which what moves has to be followed."""


class EventWriter:
    """Follows what moves. `take` each report, then `finish`; `release` at any point.

    Parameters
    ----------
    folder : Path or None
        To be made and written in; None where events are drawn into pictures alone.
    rules : Rules
    info : SourceInfo
        Of the input.
    names : FrameNames
        Of pictures of frames that are no files.

    Attributes
    ----------
    totals : EventTotals or None
        What was counted; None before the files are complete.
    """

    def __init__(self, folder: Path | None, rules: Rules, info: SourceInfo, names: FrameNames) -> None:
        self._folder, self._rules, self._names = folder, rules, names
        self._first, self._timed = info.n_before + 1, info.is_timed
        self._levels = info.levels
        size = None if info.calibration is None else info.calibration.pixel_size
        self._pixel_um = None if size is None else size.micrometres
        self._tracker = Tracker(rules)
        self._files: EventFiles | None = None
        self.totals: EventTotals | None = None

    def take(self, report: Report) -> Report:
        """Take the mask of a report, and return the report with what is seen in it, to be drawn."""
        frame = report.frame.full
        regions = find_regions(report.full_mask)
        seen, ended = self._tracker.update(frame.index, frame.input_s, regions, report.scene_first)
        if self._folder is not None:
            with writing(self._folder), self._released_if_refused():
                if self._files is None:
                    size = frame.layout.width, frame.layout.height
                    self._files = EventFiles(
                        self._rules, *size, self._first, timed=self._timed, pixel_um=self._pixel_um
                    )
                    self._files.open(self._folder)
                self._files.add_frame(frame.index, frame.input_s, frame.name or f"{self._names.of(report)}.png")
                for event in ended:
                    self._files.add_event(event)
        return replace(report, seen=tuple(seen), levels=self._levels)

    def finish(self) -> None:
        """Complete the files."""
        if self._files is None:
            return
        for event in self._tracker.finish():
            self._files.add_event(event)
        assert self._folder is not None
        with writing(self._folder), self._released_if_refused():
            self.totals = self._files.close()

    def release(self) -> None:
        """Let go of what is open."""
        if self._files is not None:
            self._files.release()

    @contextlib.contextmanager
    def _released_if_refused(self) -> Iterator[None]:
        """Give the files up where one of them could not be written: what is missing in it cannot be made up for."""
        try:
            yield
        except OSError:
            self.release()
            self._files = None
            raise


def write_found(found: FoundEvents, folder: Path, rules: Rules) -> Path:
    """Write events that were found before, as far as they count by other rules, into ``folder/events``; return that.

    Raises
    ------
    CleanplateError
        It is there already, or cannot be written.
    """
    final = folder / "events"
    if os.path.lexists(final):
        raise CleanplateError(f"{final} is there already; choose another folder.")
    transaction = Transaction(folder, [final], overwrite=False)
    try:
        with writing(final):
            found.write(transaction.new / final.name, rules)
        transaction.publish(lambda: None)
    finally:
        transaction.end()
    return final
