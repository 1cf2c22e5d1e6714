"""What is to be said of the recording of a live input."""

from __future__ import annotations

from collections.abc import Sequence

from core.io.hours import hours_words


def live_notes(n_missed: int, times_s: Sequence[float]) -> list[str]:
    """Return a note where so many frames were left out, the first and the last before the frames of these times."""
    if not n_missed:
        return []
    first, last = hours_words(times_s[0]), hours_words(times_s[-1])
    were = "1 frame was" if n_missed == 1 else f"{n_missed} frames were"
    when = f" at {first}" if first == last else f", the first at {first} and the last at {last}"
    return [
        f"{were} left out{when}, as the machine was still at work on those before; where that goes on, record at a "
        "smaller working size (--size), or let the camera send fewer frames a second."
    ]
