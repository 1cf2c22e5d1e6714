"""Events that a run has written, read again: to be looked through, narrowed down, and written anew."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.events.event import COLUMNS, Event
from core.events.files import COCO_JSON, EVENTS_JSON, EventFiles
from core.events.regions import Box
from core.events.rules import LineCounts, Rules


@dataclass(frozen=True)
class FoundEvents:
    """What a folder of events holds.

    Attributes
    ----------
    folder : Path
    width, height : int
        Of the pictures, pixels.
    first : int
        Number of the first frame that was read, from 1.
    timed : bool
        Frames have times.
    events : list of Event
        Frames are counted from 0 in the range that was read.
    """

    folder: Path
    width: int
    height: int
    first: int
    timed: bool
    events: list[Event]

    def kept(self, rules: Rules) -> list[Event]:
        """Return the events that count by other rules."""
        return [
            event for event in self.events
            if sum(rules.count(Box(*row[1:])) for row in event.rows.tolist()) >= rules.shortest
        ]  # fmt: skip

    def write(self, folder: Path, rules: Rules) -> None:
        """Write those that count by other rules into a new folder, with their numbers as they are."""
        files = EventFiles(rules, self.width, self.height, self.first, timed=self.timed)
        files.open(folder)
        try:
            for image in json.loads((self.folder / COCO_JSON).read_text(encoding="utf-8"))["images"]:
                files.add_frame(image["frame"] - self.first, image["time_s"] or 0.0, image["file_name"])
            for event in self.kept(rules):
                files.add_event(event)
            files.close()
        finally:
            files.release()


def read_events(folder: Path) -> FoundEvents:
    """Return what a run has written into a folder of events, a moment ago."""
    data = json.loads((folder / EVENTS_JSON).read_text(encoding="utf-8"))
    first, timed, events = int(data["first_frame"]), True, []
    for one in data["events"]:
        table = np.array([[np.nan if value is None else value for value in box] for box in one["boxes"]], float)
        rows = np.delete(table, 1, axis=1).reshape(-1, COLUMNS).astype(np.int32)
        rows[:, 0] -= first
        timed = bool(np.isfinite(table[:, 1]).all())
        events.append(Event(int(one["event"]), rows, np.nan_to_num(table[:, 1])))
    return FoundEvents(folder, int(data["width"]), int(data["height"]), first, timed, events)


def count_over_lines(events: list[Event], rules: Rules) -> tuple[LineCounts, list[list[int]]]:
    """Return the counts over the lines, and for each event whether it crossed each: 1 forward, -1 backward, else 0."""
    counts = LineCounts(rules.lines)
    return counts, [counts.add(event) for event in events]
