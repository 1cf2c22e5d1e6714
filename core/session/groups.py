"""Frames of an image set, read and learnt from in groups: encoded together, they cost a fraction of one by one."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable

from core.errors import CancelledError, CleanplateError
from core.frames.frame import Frame, Layout, Vector
from core.frames.split import Split
from core.io.sources.base import SourceInfo
from core.methods.base import Method
from core.session.reader import Reader

MOST_VALUES = 1 << 20
"""Samples of the originals of a group. Larger frames gain nothing by company, and would wait for each other; it goes
by sizes, never by the clock, so that the same input gives the same groups."""

MOST_FRAMES = 64
"""Frames of a group: all are learnt from before the first is shown, within some 20 ms."""


class Groups:
    """Reads the frames that a method may learn from together, and hands them on one by one.

    Parameters
    ----------
    method : Method
    reader : Reader
    info : SourceInfo
        Of the frames.
    """

    def __init__(self, method: Method, reader: Reader, info: SourceInfo) -> None:
        self._method, self._reader, self._learner = method, reader, method.as_mini_batch
        fit = MOST_VALUES // max(_n_values(info.layout), _n_values(info.full))
        self._most = 1 if info.live else min(MOST_FRAMES, fit)  # A live picture is shown when it comes.
        self._coming: deque[tuple[Frame, float]] = deque()
        self._splits: deque[Split] = deque()
        self._step_ms = 0.0
        self._failure: CleanplateError | None = None

    def start(self, first: int, order: Iterable[int] | None) -> None:
        """Read from frame ``first`` on, or these frames in this order."""
        if order is None:
            self._reader.start(first)
        else:
            self._reader.start_in_order(order)

    def next_frame(self, sought: int | None, *, learns: bool) -> tuple[Frame | None, float]:
        """Return the next frame, None at the end, and the milliseconds that it was waited for.

        Parameters
        ----------
        sought : int or None
            Go on from this frame of the source; what was read before it and not handed on is dropped.
        learns : bool
            The method will be given it to learn from.
        """
        if sought is not None and not self._skip_to(sought):
            self.clear()
            self._reader.start(sought)
        if not self._coming:
            for _ in range(self._n_together if learns else 1):
                started = time.perf_counter()
                frame = self._read()
                if frame is None:
                    break
                self._coming.append((frame, 1e3 * (time.perf_counter() - started)))
        if self._coming:
            return self._coming.popleft()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return None, 0.0

    def step(self, v: Vector) -> tuple[Split, float]:
        """Return what the method makes of a vector as it learns from it, and the milliseconds that it took.

        The first of a group is learnt from with all that were read with it. Each is asked for in its turn, so that
        none may be lost: frames that are aligned are in no group.
        """
        if self._splits:
            return self._splits.popleft(), self._step_ms
        started = time.perf_counter()
        vectors = [v, *(frame.values for frame, _ in self._coming)]
        if self._learner is None or len(vectors) == 1:
            splits = [self._method.step(v)]
        else:
            splits = self._learner.step_together(vectors)
        self._step_ms = 1e3 * (time.perf_counter() - started) / len(vectors)
        self._splits.extend(splits[1:])
        return splits[0], self._step_ms

    def end_pass(self) -> None:
        """Let the method learn from what waits for a mini-batch to be complete: no more comes."""
        if self._learner is not None:
            self._learner.learn_waiting()

    def clear(self) -> None:
        """Drop the frames that were read and not handed on: someone goes on elsewhere."""
        self._coming.clear()
        self._splits.clear()
        self._failure = None

    def close(self) -> None:
        """End what decodes ahead. May be called twice."""
        self._reader.close()

    def _skip_to(self, index: int) -> bool:
        """Drop what lies before a frame; False where it is not among those that were read: all are dropped then.

        The others of its group were learnt from with it, and are not to be read again.
        """
        while self._coming and self._coming[0][0].index != index:
            self._coming.popleft()
            if self._splits:
                self._splits.popleft()
        return bool(self._coming)

    def _read(self) -> Frame | None:
        """Return the next frame; what cannot be read is raised after the frames before it were handed on."""
        try:
            return self._reader.next_frame()
        except CancelledError:
            raise
        except CleanplateError as error:
            self._failure = error
            return None

    @property
    def _n_together(self) -> int:
        return 1 if self._learner is None else max(1, min(self._learner.n_together, self._most))


def _n_values(layout: Layout) -> int:
    return max(1, layout.n_values)
