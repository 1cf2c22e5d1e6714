"""Events as files: tables (CSV), JSON, and COCO for programs that learn or score detectors."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from core.events.event import Event
from core.events.json_rows import read_rows, write_rows
from core.events.rules import LineCounts, Rules
from core.events.tables import PixelUm, Tables, write_table
from core.events.totals import Crossings, EventTotals

EVENTS_CSV, BOXES_CSV, FRAMES_CSV = "events.csv", "boxes.csv", "frames.csv"
EVENTS_JSON, COCO_JSON = "events.json", "coco.json"
NAMES = (EVENTS_CSV, BOXES_CSV, FRAMES_CSV, EVENTS_JSON, COCO_JSON)
"""The files of a folder of events."""

WAYS = {1: "forward", -1: "backward"}
"""How an event crosses a line, in words."""


class EventFiles:
    """Writes events into a folder. `open`, `add_frame` and `add_event` …, `close` once; `release` at any point.

    Frames are written as they come, and not kept. Events are kept until the end, as `Event` holds them.

    Parameters
    ----------
    rules : Rules
    width, height : int
        Of the pictures in which boxes lie, pixels.
    first : int
        Number of the first frame that is read, from 1; frames are numbered as in the input.
    timed : bool
        Frames have times; else none are written.
    pixel_um : (width, height), optional
        Of what a pixel shows, micrometres; where it is known, tables measure in them, too.
    """

    def __init__(
        self, rules: Rules, width: int, height: int, first: int = 1, *, timed: bool = True,
        pixel_um: PixelUm | None = None,
    ) -> None:  # fmt: skip
        self._rules, self._width, self._height, self._first, self._timed = rules, width, height, first, timed
        self._tables = Tables(first, timed, pixel_um)
        self._events: list[Event] = []
        self._n_frames = 0
        self._coco: TextIO | None = None
        self._folder: Path | None = None

    def open(self, folder: Path) -> None:
        """Make the folder and begin to write in it."""
        folder.mkdir()
        self._folder = folder
        self._coco = (folder / COCO_JSON).open("w", encoding="utf-8", newline="\n")
        info = json.dumps({"description": "What moved: regions of masks, linked through the frames into tracks"})
        kinds = json.dumps([{"id": 1, "name": "moving", "supercategory": "foreground"}])
        self._coco.write(f'{{"info": {info},\n"categories": {kinds},\n"images": [')

    def add_frame(self, index: int, time_s: float, name: str) -> None:
        """Take note of a frame: its index from 0, its time, and the name of its picture."""
        assert self._coco is not None, "open comes first"
        self._n_frames += 1
        image = {
            "id": index + self._first, "file_name": name, "width": self._width,
            "height": self._height, "frame": index + self._first, "time_s": self._tables.time(time_s),
        }  # fmt: skip
        self._coco.write(("," if self._n_frames > 1 else "") + "\n" + json.dumps(image))

    def add_event(self, event: Event) -> None:
        """Take an event that has ended."""
        self._events.append(event)

    def close(self) -> EventTotals:
        """Write what is still to be written, and return what was counted."""
        assert self._folder is not None, "open comes first"
        assert self._coco is not None
        self._events.sort(key=lambda event: event.number)
        counts = LineCounts(self._rules.lines)
        crossed = [[" ".join(WAYS[way] for way in ways) for ways in counts.add(event)] for event in self._events]
        self._write_json(self._folder / EVENTS_JSON, crossed, counts.counts)
        self._coco.write('],\n"annotations": [')
        write_rows(self._coco, self._annotations())
        self._coco.write("]}\n")
        self._coco.close()
        self._write_tables(self._folder, crossed)
        return EventTotals(len(self._events), tuple(counts.counts))

    def release(self) -> None:
        """Let go of what is open."""
        if self._coco is not None:
            with contextlib.suppress(OSError):  # What it still holds does not matter: the file is given up.
                self._coco.close()

    def _write_tables(self, folder: Path, crossed: Sequence[Sequence[str]]) -> None:
        tables, n_lines = self._tables, len(self._rules.lines)
        write_table(folder / EVENTS_CSV, tables.of_events(self._events, crossed, n_lines))
        write_table(folder / BOXES_CSV, tables.of_boxes(self._events))
        with (folder / COCO_JSON).open(encoding="utf-8") as file:  # It knows the frames, which are not kept.
            frames = ((image["frame"], image["time_s"]) for image in read_rows(file, "images"))
            write_table(folder / FRAMES_CSV, tables.of_frames(self._events, frames))

    def _write_json(self, path: Path, crossed: Sequence[Sequence[str]], counts: Sequence[Crossings]) -> None:
        rules = self._rules
        head = {
            "version": 1, "width": self._width, "height": self._height, "first_frame": self._first,
            "frames": self._n_frames, "timed": self._timed, "area_of_interest": rules.area, "shortest": rules.shortest,
            "smallest": rules.smallest,
            "lines": [
                {"from": a, "to": b, "forward": count.forward, "backward": count.backward}
                for (a, b), count in zip(rules.lines, counts, strict=True)
            ],
            "columns_of_boxes": ["frame", "time_s", "x", "y", "width", "height", "area"],
        }  # fmt: skip
        if self._tables.pixel_um is not None:
            head["pixel_size_um"] = self._tables.pixel_um
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(head)[:-1] + ',\n"events": [')
            write_rows(file, (self._as_data(event, words) for event, words in zip(self._events, crossed, strict=True)))
            file.write("]}\n")

    def _as_data(self, event: Event, crossed: Sequence[str]) -> dict[str, object]:
        number, first, last = self._tables.numbers(event)
        return {
            "event": number, "first_frame": first, "last_frame": last, "area_median": event.area,
            "crossed": list(crossed), "path": event.path.tolist(),
            "boxes": [
                [index + self._first, self._tables.time(time_s), *box]
                for (index, *box), time_s in zip(event.rows.tolist(), event.times_s.tolist(), strict=True)
            ],
        }  # fmt: skip

    def _annotations(self) -> Iterator[dict[str, object]]:
        number = 0
        for event in self._events:
            for index, *box, area in event.rows.tolist():
                number += 1
                yield {
                    "id": number, "image_id": index + self._first, "category_id": 1, "bbox": box, "area": area,
                    "iscrowd": 0, "track_id": event.number,
                }  # fmt: skip
