"""What is to be said of the recording of a live input."""

from __future__ import annotations


def live_notes(n_missed: int) -> list[str]:
    """Return a note where so many frames were left out, as they came faster than they were worked on."""
    if not n_missed:
        return []
    were = "1 frame was" if n_missed == 1 else f"{n_missed} frames were"
    return [
        f"{were} left out: more came than this machine can work on; record at a smaller working size (--size), or let "
        "the camera send fewer frames a second."
    ]
