"""When nothing came of a live input that came back: its frames go on as if none were missing."""

from __future__ import annotations

from core.io.hours import hours_words
from core.io.sources.notes import Notes


class Holes:
    """Says in a note when nothing came.

    Parameters
    ----------
    notes : Notes
        Gets the sentence, anew with each time.
    title : str
        What people call the input.
    """

    def __init__(self, notes: Notes, title: str) -> None:
        self._notes, self._title = notes, title
        self._n, self._seconds, self._longest = 0, 0.0, (0.0, 0.0)

    def add(self, from_s: float, to_s: float) -> None:
        """Take note of the times of two frames, s, between which it was away."""
        self._n, self._seconds = self._n + 1, self._seconds + to_s - from_s
        self._longest = max(self._longest, (from_s, to_s), key=lambda hole: hole[1] - hole[0])
        when = f"from {hours_words(self._longest[0])} to {hours_words(self._longest[1])}"
        if self._n > 1:
            when = f"{self._n} times, for {self._seconds:.0f} s in all, the longest {when}"
        self._notes.say("holes", f"Nothing came {when}: {self._title} was away and came back.")
