"""What is said while a frame that was sought is on its way."""

from __future__ import annotations

import time

AT_ONCE_S = 0.1
"""What comes sooner is there at once, and words about it would only flicker."""


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
