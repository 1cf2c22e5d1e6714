"""What is said while a frame is on its way: one that was sought, or one that takes long."""

from __future__ import annotations

import time

AT_ONCE_S = 0.1
"""What comes sooner is there at once, and words about it would only flicker."""

LONG_S = 2.0
"""A frame that takes longer is told of: no rate is true meanwhile, and nothing else is answered before its end."""


def long_words(worked_s: float, what: str, *, pauses: bool) -> str:
    """Return what is to be said of a frame that has been worked on for so long, s; empty where nothing is.

    Parameters
    ----------
    worked_s : float
    what : str
        "frame", or "iteration".
    pauses : bool
        It is to hold after it.
    """
    if pauses and worked_s >= AT_ONCE_S:
        said = f"Pausing after this {what}"
        return f"{said}: {worked_s:.0f} s so far" if worked_s >= LONG_S else f"{said}…"
    return f"This {what} takes long: {worked_s:.0f} s so far" if worked_s >= LONG_S else ""


class GoingWords:
    """Says which frame is on its way, once that takes long enough to be noticed."""

    def __init__(self) -> None:
        self._since_s: float | None = None

    def of(self, index: int | None) -> str:
        """Return what is to be said now of a frame, numbered from 0; empty where nothing is, or None is on its way."""
        now = time.monotonic()
        if index is None:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = now
        said = self._since_s is not None and now - self._since_s >= AT_ONCE_S
        return f"Going to frame {index + 1}…" if said and index is not None else ""
