"""How what an engine shows comes back to its window: one slot, in which the newest replaces the older."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Generic, Protocol, Self, TypeVar

TICK_MS = 30
"""How often a window takes the newest result."""

MAX_POINTS = 512
"""Plot points kept while nobody takes them; the oldest go first."""


class News(Protocol):
    """What a slot holds: news of several kinds, each of which may be absent."""

    @property
    def has_pictures(self) -> bool:
        """Whether there are pictures to be shown among it."""

    def updated(self, newer: Self) -> Self:
        """Return what is new in either; where both tell of the same, the newer holds. Points are joined, bounded."""


Taken = TypeVar("Taken", bound=News)
Item = TypeVar("Item")


class NewestSlot(Generic[Taken]):
    """One slot between an engine and its window: the newest wins, nothing is queued.

    Attributes
    ----------
    run : int
        Number of the run that all of its contents belong to; each has a higher one than the one before.
    """

    def __init__(self) -> None:
        self.run = 0
        self._lock = threading.Lock()
        self._news: Taken | None = None

    @property
    def is_empty(self) -> bool:
        """True where the window has taken the last pictures."""
        with self._lock:
            return self._news is None or not self._news.has_pictures

    def put(self, news: Taken) -> None:
        """Add news to what is in the slot."""
        with self._lock:
            self._news = news if self._news is None else self._news.updated(news)

    def take(self, run: int | None = None) -> Taken | None:
        """Empty the slot; None where nothing is new, or where it is of another run than ``run``.

        A window that names the run it was told of by a signal never shows frames before it has heard what they are of:
        the timer that calls this may come before a signal that was emitted earlier.
        """
        with self._lock:
            if run not in (None, self.run):
                return None
            news, self._news = self._news, None
            return news

    def clear(self) -> None:
        """Forget what is in the slot: it belongs to a run that is over. The next one has the next number."""
        self.begin(self.run + 1)

    def begin(self, run: int) -> None:
        """Forget what is in the slot: what comes from now on is of this run."""
        with self._lock:
            self.run = run
            self._news = None


def newest(older: Item | None, newer: Item | None) -> Item | None:
    """Return the newer of two, where there is one."""
    return older if newer is None else newer


def joined(older: Sequence[Item], newer: Sequence[Item]) -> Sequence[Item]:
    """Return points in the order in which they came, the last `MAX_POINTS` of them."""
    return [*older, *newer][-MAX_POINTS:]
