"""When the next frame is due, how fast frames go by, and how far a skip goes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.io.sources.base import SourceInfo

RESTART_MS = 300
"""A slider that starts the run anew does so when it rests."""

SLACK_S = 0.25
"""Further behind than this, the clock starts anew instead of racing to catch up."""

SKIP_S, SKIP_IMAGES = 5, 10
"""How far to skip: in seconds, or in images where frames have no time."""


def skipped(index: int, direction: int, info: SourceInfo) -> int:
    """Return the frame that lies one skip forward (``direction`` 1) or back (−1) of frame ``index``."""
    step = round(SKIP_S * info.fps) if info.fps else SKIP_IMAGES
    last = info.n_frames - 1 if info.n_frames else index + step
    return min(max(index + direction * step, 0), last)


class Pace:
    """Holds frames back to their presentation times. No frame is ever skipped: a slow method just plays slower.

    Parameters
    ----------
    clock
        Returns seconds; replaced in tests.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.real_time = True
        self._clock = clock
        self._offset_s: float | None = None

    def start(self) -> None:
        """Forget the past: after a pause, a seek or a change of speed the next frame is due at once."""
        self._offset_s = None

    def wait_s(self, time_s: float, fps: float | None) -> float:
        """Return the seconds to wait after the frame of time ``time_s`` before the next one is processed."""
        if not self.real_time or not fps:
            return 0.0
        now = self._clock()
        if self._offset_s is None or abs(now - self._offset_s - time_s) > SLACK_S:
            self._offset_s = now - time_s
        return max(0.0, self._offset_s + time_s + 1 / fps - now)


class RateMeter:
    """Frames per second over about the last second."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=512)

    def tick(self) -> float:
        """Count a frame and return the rate, 0 for the first."""
        now = self._clock()
        self._times.append(now)
        while len(self._times) > 2 and now - self._times[0] > 1.0:
            self._times.popleft()
        span = now - self._times[0]
        return (len(self._times) - 1) / span if span > 0 else 0.0

    def clear(self) -> None:
        """Forget the past."""
        self._times.clear()
