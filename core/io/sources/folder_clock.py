"""The clock by which the files of a folder have their times of change: it may be another computer's."""

from __future__ import annotations

import math
import time


class FolderClock:
    """Tells how long ago files were changed, whatever our own clock says.

    That clock has come at least to the latest time that was seen, and goes on from there as time does. So nothing is
    taken for older than it is, unless times were set that lie in the future, or the clock was turned back.
    """

    def __init__(self) -> None:
        self._ahead_s = -math.inf

    def age_s(self, changed_s: float) -> float:
        """Return the seconds for which something is unchanged, at least, by its time of change; that is seen now."""
        now = time.monotonic()
        self._ahead_s = max(self._ahead_s, changed_s - now)
        return now + self._ahead_s - changed_s
