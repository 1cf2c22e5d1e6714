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
    limit = LIMIT_S if limit_s is None else limit_s
    alive_s = time.monotonic()
    ready: queue.Queue[Frame | BaseException | None] = queue.Queue(slots)
    works: deque[tuple[int, str]] = deque()  # With the number of frames before it.
    n_put = n_taken = 0
    closed = threading.Event()

    def put(item: Frame | BaseException | None) -> bool:
        while not closed.is_set():
            try:
                ready.put(item, timeout=0.05)
            except queue.Full:
                continue
            return True
        return False

    def live() -> None:
        nonlocal alive_s
        alive_s = time.monotonic()

    def announce(work: str) -> None:
        works.append((n_put, work))

    def decode() -> None:
        nonlocal n_put
        try:
            with announcing.announced_to(announce), signs_of_life.given_to(live), stopping.stops_when(closed.is_set):
                for frame in frames:
                    if not put(frame):
                        return
                    n_put += 1
            put(None)
        except BaseException as error:  # the reader raises it
            put(error)
        finally:
            frames.close()

    def wait() -> Frame | BaseException | None:
        since_s = time.monotonic()
        while time.monotonic() - max(since_s, alive_s) < limit:
            try:
                return ready.get(timeout=POLL_S)
            except queue.Empty:
                stopping.check()
            finally:
                while works and works[0][0] <= n_taken:
                    announcing.tell(works.popleft()[1])
        return CleanplateError(
            f"The input has given no frame for {limit / 60:.0f} minutes; check that its drive or camera is there, "
            f"or choose another input."
        )

    thread = threading.Thread(target=decode, name="decode", daemon=True)
    thread.start()
    try:
        while True:
            item = wait()
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            n_taken += 1
            yield item
    finally:
        closed.set()
        thread.join(LEAVE_S)
