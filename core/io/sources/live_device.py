"""What is read live, on a thread of its own: drivers and networks block, and nothing can interrupt them."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.frames.frame import Layout, Values
from core.runtime.memory import available_bytes

RELEASE_S = 2.0
"""How long to wait until a driver lets the device go; what takes longer is left behind, and released once it can."""

ALWAYS_BYTES, MOST_SHARE = 1 << 28, 1 / 8
"""Pictures that wait take no more than these bytes, or than this share of the memory that there is when reading begins:
of 4K, five seconds are 2 GB."""


@dataclass(frozen=True)
class Picture:
    """One picture as it was read.

    Attributes
    ----------
    values : Values
        Vector of a frame.
    layout : Layout
        Of the vector.
    read_at : float
        When it was received, `time.monotonic`, s.
    n_missed : int
        Pictures before it that were left out, as nobody took them in time.
    """

    values: Values
    layout: Layout
    read_at: float
    n_missed: int = 0


class LiveDevice:
    """Reads a device, picture by picture, as they come: what is not taken in time is left out.

    Parameters
    ----------
    name : str
        Of the thread.
    read : callable
        ``read(device)`` opens the device and reads it on a thread of its own: it sets `fps`, calls `give` for each
        picture until `is_stopped`, and releases what it opened.
    late_s : float
        How long a picture waits to be taken while others come, s: who is slower for good is never further behind.

    Attributes
    ----------
    fps : float
        What the device says, 0 where it does not; known from the first picture on.
    has_sound : bool
        It sends sound, too; likewise.
    is_complete : bool
        It has come to its end by itself, and would begin anew: set by ``read``.
    waits : bool
        It sends no faster than it is read: each picture waits until it is taken, however long. Set by ``read``.
    """

    def __init__(self, name: str, read: Callable[[LiveDevice], None], late_s: float) -> None:
        self.fps = 0.0
        self.has_sound = self.is_complete = self.waits = False
        self._read, self._late_s = read, late_s
        self._most_bytes = max(ALWAYS_BYTES, int(MOST_SHARE * (available_bytes() or 0)))
        self._changed = threading.Condition()
        self._pictures: deque[Picture] = deque()
        self._stopped = False
        self._ended = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def has_ended(self) -> bool:
        """Whether no picture will come any more: it could not be opened, or was stopped."""
        with self._changed:
            return self._ended and not self._pictures

    def take(self, timeout_s: float) -> Picture | None:
        """Return the next picture, None where none came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._pictures or self._ended, timeout_s)
            picture = self._pictures.popleft() if self._pictures else None
            self._changed.notify_all()
            return picture

    def abandon(self) -> None:
        """End reading; the device is free as soon as its driver answers."""
        with self._changed:
            self._stopped = True
            self._pictures.clear()
            self._changed.notify_all()

    def stop(self) -> None:
        """End reading, and wait a moment until the device is free."""
        self.abandon()
        self._thread.join(RELEASE_S)

    # -- from the thread that reads

    @property
    def is_stopped(self) -> bool:
        """Whether nobody takes pictures any more."""
        return self._stopped

    def give(self, values: Values, layout: Layout) -> None:
        """Hand over a picture that has just come."""
        with self._changed:
            self._changed.wait_for(lambda: not (self.waits and self._pictures) or self._stopped)
            if not self._stopped:
                self._pictures.append(Picture(values, layout, time.monotonic()))
                self._leave_out_late()
                self._changed.notify_all()

    def _leave_out_late(self) -> None:
        pictures = self._pictures
        most = max(1, self._most_bytes // pictures[-1].values.nbytes)
        while len(pictures) > most or pictures[-1].read_at - pictures[0].read_at > self._late_s:
            late = pictures.popleft()
            pictures[0] = replace(pictures[0], n_missed=pictures[0].n_missed + late.n_missed + 1)

    def _run(self) -> None:
        try:
            self._read(self)
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()
