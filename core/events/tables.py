"""Events as tables (CSV): a row for each event, for each of its boxes, and for each frame."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.events.event import Event

OF_EVENTS = ("area_median", "area_largest", "from_x", "from_y", "to_x", "to_y", "path_length")
OF_BOXES = ("x", "y", "width", "height", "area")
OF_FRAMES = ("area",)
"""What is measured in pixels, and in micrometres too where the scale is known."""

DIGITS = 6
"""Of what is said in micrometres: no file knows its scale better."""

PixelUm = tuple[float, float]
"""Width and height of what a pixel shows, micrometres."""

Table = Iterator[Sequence[Any]]
"""Its head, then its rows."""


@dataclass(frozen=True)
class Tables:
    """Makes the tables of a run.

    Attributes
    ----------
    first : int
        Number of the first frame that was read, from 1.
    timed : bool
        Frames have times; else none are told.
    pixel_um : PixelUm or None
        None: not known.
    """

    first: int
    timed: bool
    pixel_um: PixelUm | None

    def of_events(self, events: Sequence[Event], crossed: Sequence[Sequence[str]], n_lines: int) -> Table:
        """Yield a row for each event; ``crossed`` says in words how each crossed each line."""
        head = ("event", "first_frame", "last_frame", "first_s", "last_s", "frames_seen")
        lines = [f"line_{i}" for i in range(1, n_lines + 1)]
        yield [*head, *OF_EVENTS, *lines, *self._in_um(OF_EVENTS)]
        for event, words in zip(events, crossed, strict=True):
            measured = _of_event(event)
            yield [
                *self.numbers(event), *map(self.time, event.times_s[[0, -1]].tolist()), len(event.rows),
                *measured[:-1], round(measured[-1], 1), *words, *self._um(_of_event, event),
            ]  # fmt: skip

    def of_boxes(self, events: Sequence[Event]) -> Table:
        """Yield a row for each frame in which an event was seen."""
        yield ["event", "frame", "time_s", *OF_BOXES, *self._in_um(OF_BOXES)]
        for event in events:
            for (index, *box), time_s in zip(event.rows.tolist(), event.times_s.tolist(), strict=True):
                yield [event.number, index + self.first, self.time(time_s), *box, *self._um(_of_box, box)]

    def of_frames(self, events: Sequence[Event], frames: Iterable[tuple[int, float | None]]) -> Table:
        """Yield a row for each frame, its number and time given: how many events are seen in it, and their area."""
        yield ["frame", "time_s", "events", *OF_FRAMES, *self._in_um(OF_FRAMES)]
        counts = _per_frame(events)
        for number, time_s in frames:
            n_events, area = counts.get(number - self.first, (0, 0))
            yield [number, time_s, n_events, area, *self._um(_of_area, area)]

    def numbers(self, event: Event) -> tuple[int, int, int]:
        """Return the number of an event, and those of its first and its last frame."""
        return event.number, event.first + self.first, event.last + self.first

    def time(self, time_s: float) -> float | None:
        """Return a time as it is written, seconds."""
        return round(time_s, 6) if self.timed else None

    def _in_um(self, columns: Sequence[str]) -> list[str]:
        """Return what the columns are called in micrometres; none where the scale is not known."""
        return [] if self.pixel_um is None else [f"{name}_um{'2' * name.startswith('area')}" for name in columns]

    def _um(self, measure: Callable[..., Sequence[float]], what: object) -> list[float]:
        """Return what is measured of something with pixels of their real width and height; nothing where unknown."""
        return [] if self.pixel_um is None else [float(f"{n:.{DIGITS}g}") for n in measure(what, *self.pixel_um)]


def write_table(path: Path, table: Table) -> None:
    """Write a table as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)


def _of_event(event: Event, width: float = 1, height: float = 1) -> list[float]:
    """Return the numbers of `OF_EVENTS`, with pixels of a width and a height."""
    path, area = event.path * (width, height), width * height
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    return [event.area * area, event.rows[:, 5].max() * area, *path[0], *path[-1], length]


def _of_box(box: Sequence[int], width: float, height: float) -> list[float]:
    """Return the numbers of `OF_BOXES`."""
    return [box[0] * width, box[1] * height, box[2] * width, box[3] * height, box[4] * width * height]


def _of_area(area: int, width: float, height: float) -> list[float]:
    return [area * width * height]


def _per_frame(events: Sequence[Event]) -> dict[int, tuple[int, int]]:
    """Return how many events are seen in a frame, by its index from 0, and their area, pixels."""
    if not events:
        return {}
    rows = np.concatenate([event.rows[:, [0, 5]] for event in events])
    frames, which = np.unique(rows[:, 0], return_inverse=True)
    areas = np.bincount(which, rows[:, 1]).astype(np.int64)
    return dict(zip(frames.tolist(), zip(np.bincount(which).tolist(), areas.tolist(), strict=True), strict=True))
