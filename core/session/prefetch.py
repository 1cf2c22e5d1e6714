"""Decoding ahead of the step, in a bounded number of slots."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Generator

from core.errors import CleanplateError
from core.frames.frame import Frame
from core.runtime import announcing, signs_of_life, stopping
from core.runtime.aside import LEAVE_S

SLOTS = 3
"""Frames that wait at most, beside the one that the decoder holds; bounds memory and latency."""

POLL_S = 0.1
"""How often who waits for a frame asks whether to stop."""

LIMIT_S = 300.0
"""How long to wait for a frame, or for a sign of life from who looks for it: to find a late one in a film without an
index, all before it are decoded."""


def prefetch(
    frames: Generator[Frame, None, None], slots: int = SLOTS, *, limit_s: float | None = None
) -> Generator[Frame, None, None]:
    """Yield the frames of a generator that runs ahead in a thread of its own, by ``slots`` frames and one at most.

    Closing this one ends the thread and closes the other; a thread that does not end in `LEAVE_S` is left behind. What
    the other raises is raised here, at the place in the order where it happened, and long work that it announces before
    a frame is announced here while that frame is waited for (`core.runtime.announcing`).

    Raises
    ------
    CleanplateError
        No frame came for ``limit_s``, or else for `LIMIT_S`, and no sign of life (`core.runtime.signs_of_life`).
    StoppedError
        Someone wanted this thread's work to stop while it waited (`core.runtime.stopping`).
    """
    ahead = _Ahead(frames, slots)
    ahead.thread.start()
    try:
        while True:
            item = ahead.next(LIMIT_S if limit_s is None else limit_s)
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            ahead.n_taken += 1
            yield item
    finally:
        ahead.closed.set()
        ahead.thread.join(LEAVE_S)


class _Ahead:
    """The thread that decodes, and what it has to say to who waits for its frames."""

    def __init__(self, frames: Generator[Frame, None, None], slots: int) -> None:
        self._frames = frames
        self._ready: queue.Queue[Frame | BaseException | None] = queue.Queue(slots)
        self._works: deque[tuple[int, str]] = deque()  # With the number of frames before it.
        self._n_put = self.n_taken = 0
        self._alive_s = time.monotonic()
        self.closed = threading.Event()
        self.thread = threading.Thread(target=self._decode, name="decode", daemon=True)

    def next(self, limit_s: float) -> Frame | BaseException | None:
        """Return the next frame, an error in its place, or None at the end; raises as `prefetch`."""
        since_s = time.monotonic()
        while time.monotonic() - max(since_s, self._alive_s) < limit_s:
            try:
                return self._ready.get(timeout=POLL_S)
            except queue.Empty:
                stopping.check()
            finally:
                while self._works and self._works[0][0] <= self.n_taken:
                    announcing.tell(self._works.popleft()[1])
        raise CleanplateError(
            f"The input has given no frame for {limit_s / 60:.0f} minutes; check that its drive or camera is there, "
            f"or choose another input."
        )

    def _decode(self) -> None:
        told = announcing.announced_to(self._announce)
        try:
            with told, signs_of_life.given_to(self._live), stopping.stops_when(self.closed.is_set):
                for frame in self._frames:
                    if not self._put(frame):
                        return
                    self._n_put += 1
            self._put(None)
        except BaseException as error:  # the reader raises it
            self._put(error)
        finally:
            self._frames.close()

    def _put(self, item: Frame | BaseException | None) -> bool:
        while not self.closed.is_set():
            try:
                self._ready.put(item, timeout=0.05)
            except queue.Full:
                continue
            return True
        return False

    def _live(self) -> None:
        self._alive_s = time.monotonic()

    def _announce(self, work: str) -> None:
        self._works.append((self._n_put, work))
