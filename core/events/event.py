"""One thing that moved through the picture: from when to when, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.events.regions import Box

COLUMNS = 6
"""Numbers that are kept of a frame: its index, and what `core.events.regions.Box` holds."""


@dataclass(frozen=True)
class Event:
    """An event; 32 bytes for each frame in which it was seen, which is all that is kept.

    Attributes
    ----------
    number : int
        From 1, in the order in which events came to count.
    rows : (N, 6) int32
        For each frame in which it was seen: index of the frame from 0, x, y, width, height, area; pixels.
    times_s : (N,) float64
        Time of each of these frames, seconds.
    """

    number: int
    rows: NDArray[np.int32]
    times_s: NDArray[np.float64]

    @property
    def first(self) -> int:
        """Index of the first frame, from 0."""
        return int(self.rows[0, 0])

    @property
    def last(self) -> int:
        """Index of the last frame, from 0."""
        return int(self.rows[-1, 0])

    @property
    def length(self) -> int:
        """Frames from the first to the last, both included; in some of them it may not have been seen."""
        return self.last - self.first + 1

    def before(self, index: int) -> Event:
        """Return what was seen of it before a frame, from 0."""
        n = int(np.searchsorted(self.rows[:, 0], index))
        return Event(self.number, self.rows[:n], self.times_s[:n])

    @property
    def area(self) -> float:
        """Median of its areas, pixels."""
        return float(np.median(self.rows[:, 5]))

    def box_at(self, index: int) -> tuple[int, int, int, int] | None:
        """Return x, y, width and height of its box in a frame, from 0, pixels; None where it was not seen in that."""
        row = int(np.searchsorted(self.rows[:, 0], index))
        if row == len(self.rows) or self.rows[row, 0] != index:
            return None
        x, y, width, height = (int(value) for value in self.rows[row, 1:5])
        return x, y, width, height

    @property
    def path(self) -> NDArray[np.float64]:
        """Centres (N, 2) of its boxes: column and row, pixels."""
        return self.rows[:, 1:3] + self.rows[:, 3:5] / 2


@dataclass(frozen=True)
class SeenEvent:
    """An event in one frame: its number, and where it is."""

    number: int
    box: Box
