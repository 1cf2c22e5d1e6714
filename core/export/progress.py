"""How far a run has come, and how long it will take still."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.session.phase import Phase
from core.session.report import Report

SPEED_FRAMES = 60
"""Frames over which the shown speed is taken."""

FEWEST, SLOWEST = 4, 3
"""Times between frames without which no time left is told, and how many of them, the longest, say nothing of the
others: in these the kernels are compiled, once on a machine, which may take a thousand times as long as a frame."""

MOST_APART = 2.0
"""Times as long as usual, or as short, that the last frames may have taken together for their speed to be told."""

LEAST_S, LEAST_PART = 1.0, 0.05
"""Seconds, or part of all frames, that have to be done before a time left is told."""


@dataclass(frozen=True)
class Writing:
    """Of which frames of the last pass pictures are written.

    Attributes
    ----------
    first : int
        Counted from 1.
    last : int or None
        None: all that follow are written.
    is_end : bool
        The pass ends with the last of them: nothing is wanted of those that follow.
    """

    first: int = 1
    last: int | None = None
    is_end: bool = False

    @property
    def end(self) -> int | None:
        """The frame that is the last of the pass, where it ends before its input."""
        return self.last if self.is_end else None


WRITES_ALL = Writing()


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    Attributes
    ----------
    pass_number, n_passes : int
        Which pass, from 1, of how many.
    frame : int
        Frames done in this pass; iterations, while a batch method iterates.
    total : int or None
        Frames in a pass, where known; iterations at most.
    fps : float
        Frames, or iterations, a second, lately; 0 where that is not known, as a few of them took most of the time.
    seconds_left : float or None
        Of all passes together, where known. Not known while a batch method gathers; until the last iteration, at most,
        while it iterates.
    phase : Phase
    work : str
        Long work between two frames that has just begun, in words for people; empty where there is none.
    frame_s : float or None
        Seconds that a frame, or an iteration, takes, by which the time left is told; None where that is not known.
    n_missed : int
        Frames of a live input that were left out so far, as they came faster than they were worked on.
    writing : Writing
    """

    pass_number: int
    n_passes: int
    frame: int
    total: int | None
    fps: float
    seconds_left: float | None
    phase: Phase = Phase.LEARNING
    work: str = ""
    frame_s: float | None = None
    n_missed: int = 0
    writing: Writing = WRITES_ALL

    @property
    def goal(self) -> int | None:
        """Frames after which this pass ends, where known; iterations at most."""
        end = self.writing.end
        if end is None or self.total is None or not self._is_last:
            return self.total
        return min(end, self.total)

    @property
    def unwritten(self) -> str:
        """Which frames are written, in words for people, while others are read in the last pass; else empty."""
        first, last = self.writing.first, self.writing.last
        if self._is_last and self.frame < first:
            return f"written from {first} on"
        if self._is_last and last is not None and self.frame > last:
            return f"written until {last}"
        return ""

    @property
    def _is_last(self) -> bool:
        return self.pass_number == self.n_passes and self.phase not in (Phase.GATHERING, Phase.ITERATING)

    @property
    def overall(self) -> tuple[int, int | None]:
        """Frames done of all passes together, and how many there are, where known; iterations, while it iterates."""
        if self.total is None:
            return self.frame, None
        # The iterations of a batch method are a stretch of their own between its two passes.
        alone = self.phase is Phase.ITERATING
        before, n_passes = (0, 1) if alone else (self.pass_number - 1, self.n_passes)
        of_last = self.total if alone or self.writing.end is None else min(self.writing.end, self.total)
        total = (n_passes - 1) * self.total + of_last
        return min(before * self.total + self.frame, total), total


class ProgressMeter:
    """Measures the speed of a run from the times at which its reports come.

    Parameters
    ----------
    writing : Writing
    """

    def __init__(self, writing: Writing = WRITES_ALL) -> None:
        self._writing = writing
        self._ticks: deque[float] = deque(maxlen=SPEED_FRAMES)
        self._work_s: deque[float] = deque(maxlen=SPEED_FRAMES)
        self._phase, self._began = Phase.LEARNING, 0.0
        self._last = Progress(1, 1, 0, None, 0.0, None, writing=writing)

    def measure(self, report: Report) -> Progress:
        """Return the progress with a report that has come now."""
        now = time.perf_counter()
        if report.phase is not self._phase or not self._ticks:
            self._phase, self._began = report.phase, now
            self._ticks.clear()
            self._work_s.clear()
        self._ticks.append(now)
        if report.iteration is None:
            self._work_s.append(sum(report.stages_ms.values()) / 1e3)
        fps = self._fps()
        step = Progress(
            report.pass_index + 1, report.n_passes, report.n_done, report.n_frames, fps, None, self._phase,
            writing=self._writing,
        )  # fmt: skip
        frame_s, (done, total) = self._frame_s(step), step.overall
        seconds_left = None if total is None or frame_s is None else (total - done) * frame_s
        self._last = replace(step, seconds_left=seconds_left, frame_s=frame_s)
        return self._last

    def _fps(self) -> float:
        """Return the speed of the last frames, or 0 as long as what comes before or between passes weighs in it."""
        n, elapsed = len(self._ticks) - 1, self._ticks[-1] - self._ticks[0]
        if n < FEWEST or elapsed <= 0:
            return 0.0
        usual = n * self._usual_s()
        return n / elapsed if usual / MOST_APART <= elapsed <= usual * MOST_APART else 0.0

    def _frame_s(self, step: Progress) -> float | None:
        """Return how long a frame takes, seconds, where there is enough to go by."""
        done, total = step.overall
        if len(self._ticks) <= FEWEST or self._phase is Phase.GATHERING:
            return None
        is_part = total is not None and done >= LEAST_PART * total
        return self._usual_s() if is_part or self._ticks[-1] - self._began >= LEAST_S else None

    def at_work(self, work: str) -> Progress:
        """Return the progress as it was measured last, with long work that begins now."""
        return replace(self._last, work=work)

    def _usual_s(self) -> float:
        """Return the mean time that a frame takes, seconds, without what is compiled in the first ones.

        Frames that are learnt together come all at once when that is done: each has its share of the work, and the
        times between them, but for a few, say nothing.
        """
        between = sorted(after - before for before, after in pairwise(self._ticks))
        times = between[: max(len(between) - SLOWEST, len(between) // 2)]
        shares = sorted(self._work_s)[: (len(self._work_s) + 1) // 2]
        return max(_mean(times), _mean(shares))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
