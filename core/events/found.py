"""Events that a run has written, read again: to be looked through, narrowed down, and written anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from core.events.event import COLUMNS, Event
from core.events.files import COCO_JSON, EVENTS_JSON, EventFiles
from core.events.json_rows import read_rows
from core.events.rules import LineCounts, Rules
from core.events.tables import PixelUm


class FoundFrame(NamedTuple):
    """A frame of a folder of events.

    Attributes
    ----------
    number : int
        In the input, from 1.
    time_s : float
        0 where frames have no times.
    name : str
        Of its picture.
    """

    number: int
    time_s: float
    name: str


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
    pixel_um : (width, height), optional
        Of what a pixel shows, micrometres.
    """

    folder: Path
    width: int
    height: int
    first: int
    timed: bool
    events: list[Event]
    pixel_um: PixelUm | None = None

    def kept(self, rules: Rules) -> list[Event]:
        """Return the events that count by other rules."""
        return [event for event in self.events if rules.are_met(event)]

    def files(self, rules: Rules) -> EventFiles:
        """Return what writes events of such pictures."""
        return EventFiles(rules, self.width, self.height, self.first, timed=self.timed, pixel_um=self.pixel_um)

    def write(self, folder: Path, rules: Rules) -> None:
        """Write those that count by other rules into a new folder, with their numbers as they are."""
        files = self.files(rules)
        files.open(folder)
        try:
            for frame in read_frames(self.folder):
                files.add_frame(frame.number - self.first, frame.time_s, frame.name)
            for event in self.kept(rules):
                files.add_event(event)
            files.close()
        finally:
            files.release()


def read_events(folder: Path) -> FoundEvents:
    """Return what a run has written into a folder of events, a moment ago."""
    with (folder / EVENTS_JSON).open(encoding="utf-8") as file:
        head = json.loads(next(file).rstrip(",\n") + "}")
        first = int(head["first_frame"])
        events = [_event_of(one, first) for one in read_rows(file, "events")]
    width, height = (int(head[name]) for name in ("width", "height"))
    pixel_um = tuple(head["pixel_size_um"]) if "pixel_size_um" in head else None
    return FoundEvents(folder, width, height, first, bool(head["timed"]), events, pixel_um)


def _event_of(one: dict[str, Any], first: int) -> Event:
    table = np.array([[np.nan if value is None else value for value in box] for box in one["boxes"]], float)
    rows = np.delete(table, 1, axis=1).reshape(-1, COLUMNS).astype(np.int32)
    rows[:, 0] -= first
    return Event(int(one["event"]), rows, np.nan_to_num(table[:, 1]))


def read_frames(folder: Path) -> Iterator[FoundFrame]:
    """Yield the frames of a folder of events in turn; their number is that of the film's, and they are not kept."""
    with (folder / COCO_JSON).open(encoding="utf-8") as file:
        for image in read_rows(file, "images"):
            yield FoundFrame(image["frame"], image["time_s"] or 0.0, image["file_name"])


def count_over_lines(events: list[Event], rules: Rules) -> tuple[LineCounts, list[list[list[int]]]]:
    """Return the counts over the lines, and the crossings of each line by each event: 1 forward, -1 backward."""
    counts = LineCounts(rules.lines)
    return counts, [counts.add(event) for event in events]
