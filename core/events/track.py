"""Something that moves through the frames: where it was seen, and where it should be seen next."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from core.events.event import COLUMNS, Event
from core.events.regions import Box

FOLLOWS = 0.3
"""Share of each sighting in velocity and size: what three frames agree on, not the jagged edge of one mask."""


class Track:
    """One thing. Where it is next: its centre moves on with its velocity, and it keeps its size.

    Parameters
    ----------
    index : int
        Number of the frame in which it is seen first, from 0.
    time_s : float
    box : Box

    Attributes
    ----------
    number : int
        From 1, once it counts as an event; 0 before.
    last : Box
        Where it was seen last.
    n_seen : int
        Frames in which it was seen.
    n_counted : int
        Those of them in which the rules let it count.
    missed : int
        Frames since it was seen last.
    broken : int
        Frames in a row in which it was seen in several pieces.
    merged : int
        Frames in a row in which it was part of a region that it shared.
    n_alone : int
        Frames in which it was a region by itself.
    """

    def __init__(self, index: int, time_s: float, box: Box) -> None:
        self.number = self.n_seen = self.n_counted = self.missed = self.broken = self.merged = 0
        self.n_alone = 1
        self._rows = array("i")
        self._times = array("d")
        self._centre = np.array(box.centre)
        self._size = np.array([box.width, box.height], float)
        self._velocity = np.zeros(2)
        self.last = box
        self._note(index, time_s, box)

    @property
    def predicted(self) -> NDArray[np.float64]:
        """Left, top, right and bottom (4,) of where it should be in the frame after those that it was told of."""
        centre = self._centre + self._velocity
        return np.concatenate([centre - self._size / 2, centre + self._size / 2])

    def see(self, index: int, time_s: float, box: Box, *, n_pieces: int = 1, merged: bool = False) -> None:
        """Take a sighting: its box, in so many pieces, or as part of a region that it shares with others."""
        centre = np.array(box.centre)
        moved = (centre - np.array(self.last.centre)) / (self.missed + 1)
        # The first step is all that is known of the velocity.
        self._velocity += (FOLLOWS if self.n_seen > 1 else 1.0) * (moved - self._velocity)
        self._size += FOLLOWS * (np.array([box.width, box.height]) - self._size)
        self._centre = centre
        self.broken = self.broken + 1 if n_pieces > 1 else 0
        self.merged = self.merged + 1 if merged else 0
        self.n_alone += not merged
        self._note(index, time_s, box)

    def miss(self) -> None:
        """Move on as before: it was not seen."""
        self._centre = self._centre + self._velocity
        self.missed += 1

    def event(self) -> Event:
        """Return what is known of it."""
        rows = np.frombuffer(self._rows, np.int32).reshape(-1, COLUMNS)
        return Event(self.number, rows, np.frombuffer(self._times, np.float64))

    def _note(self, index: int, time_s: float, box: Box) -> None:
        self.last, self.missed = box, 0
        self.n_seen += 1
        self._rows.extend((index, *box))
        self._times.append(time_s)
