"""What is to be said of the recording of a live input."""

from __future__ import annotations

from core.io.hours import hours_words


class LeftOut:
    """Counts the frames that were left out, as they came faster than they were worked on."""

    def __init__(self) -> None:
        self.n = 0
        self._first_s = self._last_s = 0.0

    def add(self, n: int, time_s: float) -> None:
        """Take note of so many, which may be none, before the frame of this time, s."""
        if n:
            self._first_s, self._last_s = self._first_s if self.n else time_s, time_s
            self.n += n

    def notes(self) -> list[str]:
        """Return what a person is told of them, if there are any."""
        if not self.n:
            return []
        first, last = hours_words(self._first_s), hours_words(self._last_s)
        were = "1 frame was" if self.n == 1 else f"{self.n} frames were"
        when = f" at {first}" if first == last else f", the first at {first} and the last at {last}"
        return [
            f"{were} left out{when}, as the machine was still at work on those before; where that goes on, record at a "
            "smaller working size (--size), or let the camera send fewer frames a second."
        ]
