"""Which things that move count as events, and the lines at which they are counted."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.events.event import Event
from core.events.regions import Box
from core.events.totals import Crossings
from core.untrusted_json import LARGEST_SIDE

Point = tuple[float, float]
"""Column and row, pixels of the original picture."""

Line = tuple[Point, Point]
"""From where to where; forward is from its left side to its right, as one looks along it."""

SHORTEST = 5
"""Frames that an event has at least, unless it is said: flecks of noise do not stay for a fifth of a second."""

FARTHEST = LARGEST_SIDE
"""Pixels from the corner of the picture."""

MOST_CORNERS = MOST_LINES = 1000
"""Of the area, and lines; each event is held against all of them."""

MOST = 10**9
"""Frames or pixels of the shortest or smallest event; no event has more."""


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What counts. A project holds it: as JSON it may come from strangers.

    Attributes
    ----------
    area : tuple of Point
        Corners of the area of interest, three or more; empty: the whole picture.
    shortest : int
        Frames at least in which it is seen, its centre in the area, large enough.
    smallest : int
        Pixels of it at least.
    lines : tuple of Line
        Where events are counted.

    Raises
    ------
    CleanplateError
        Nothing could count.
    """

    area: tuple[Point, ...] = ()
    shortest: int = SHORTEST
    smallest: int = 0
    lines: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        if 0 < len(self.area) < 3:
            raise CleanplateError(f"The area of interest has {len(self.area)} corners; give three or more.")
        if len(self.area) > MOST_CORNERS or len(self.lines) > MOST_LINES:
            raise CleanplateError(
                f"There are {len(self.lines)} lines and {len(self.area)} corners of the area of interest; give up to "
                f"{MOST_LINES} and {MOST_CORNERS}."
            )
        if not 1 <= self.shortest <= MOST:
            raise CleanplateError(f"The shortest event cannot have {self.shortest} frames; give 1 to {MOST}.")
        if not 0 <= self.smallest <= MOST:
            raise CleanplateError(f"The smallest event cannot have {self.smallest} pixels; give 0 to {MOST}.")
        for a, b in self.lines:
            if a == b:
                raise CleanplateError(f"The line from {a} to {b} has no length; give two points.")
        for x, y in (*self.area, *(point for line in self.lines for point in line)):
            if not (abs(x) <= FARTHEST and abs(y) <= FARTHEST):
                raise CleanplateError(
                    f"The point {x:g}, {y:g} is further than {FARTHEST} pixels from the picture; give one in it."
                )

    def count(self, box: Box) -> bool:
        """Tell whether a sighting counts."""
        return box.area >= self.smallest and self._is_inside(box.centre)

    def are_met(self, event: Event) -> bool:
        """Tell whether enough sightings of an event count."""
        return sum(self.count(Box(*row[1:])) for row in event.rows.tolist()) >= self.shortest

    def _is_inside(self, point: Point) -> bool:
        return not self.area or cv2.pointPolygonTest(np.array(self.area, np.float32), point, False) >= 0


def crossings(event: Event, line: Line) -> list[int]:
    """Return each crossing of a line by an event, in turn: 1 forward, -1 backward.

    Its centre crosses. There and back cancel out unless its box is clear of the line, and of what goes on beyond the
    ends of that, in between: who comes back counts again, and what trembles upon a line counts once or not at all.
    """
    path, (start, end) = event.path, np.array(line)
    direction = end - start
    # Rows run down: what is right of the line, as one looks along it, has a positive cross product.
    offsets = _cross(direction, path - start)
    # A mask that falls apart for a frame leaves a small box: it does not go away from the line by that.
    sizes = np.maximum(event.rows[:, 3:5], np.median(event.rows[:, 3:5], axis=0))
    is_clear = np.abs(offsets) > sizes @ np.abs(direction[::-1]) / 2
    side, steps, span = offsets > 0, np.diff(path, axis=0), np.cumsum(is_clear)
    net = np.zeros(span[-1] + 1, np.int64)
    for i in np.flatnonzero(side[1:] != side[:-1]):
        # Do the ends of the line lie on either side of this step?
        ends = _cross(steps[i], np.array([start, end]) - path[i])
        if ends[0] * ends[1] <= 0:
            net[span[i]] += 1 if side[i + 1] else -1
    return np.repeat(np.sign(net), np.abs(net)).tolist()


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


class LineCounts:
    """Counts crossings of lines, of events as they end.

    Parameters
    ----------
    lines : tuple of Line
    """

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self._lines = lines
        self._counts = [[0, 0] for _ in lines]

    def add(self, event: Event) -> list[list[int]]:
        """Take an event; return its crossings of each line, in turn: 1 forward, -1 backward."""
        crossed = [crossings(event, line) for line in self._lines]
        for counts, ways in zip(self._counts, crossed, strict=True):
            counts[0] += ways.count(1)
            counts[1] += ways.count(-1)
        return crossed

    @property
    def counts(self) -> list[Crossings]:
        """How often each line was crossed so far."""
        return [Crossings(*counts) for counts in self._counts]
