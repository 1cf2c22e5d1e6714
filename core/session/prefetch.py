"""Decoding ahead of the step, in a bounded number of slots."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterator
from typing import Protocol, runtime_checkable

from core.frames.frame import Frame

SLOTS = 3
"""Frames that wait at most, beside the one that the decoder holds; bounds memory and latency."""


@runtime_checkable
class Closable(Protocol):
    """What can be closed: most iterators of sources, which are generators; not those of lists."""

    def close(self) -> object:
        """Release what it opened."""


def prefetch(frames: Iterator[Frame], slots: int = SLOTS) -> Generator[Frame, None, None]:
    """Yield the frames of an iterator that runs ahead in a thread of its own, by ``slots`` frames and one at most.

    Closing the generator ends the thread and closes the iterator. What the iterator raises is raised here, at the
    place in the order where it happened.
    """
    ready: queue.Queue[Frame | BaseException | None] = queue.Queue(slots)
    closed = threading.Event()

    def put(item: Frame | BaseException | None) -> bool:
        while not closed.is_set():
            try:
                ready.put(item, timeout=0.05)
            except queue.Full:
                continue
            return True
        return False

    def decode() -> None:
        try:
            for frame in frames:
                if not put(frame):
                    return
            put(None)
        except BaseException as error:  # the reader raises it
            put(error)
        finally:
            if isinstance(frames, Closable):
                frames.close()

    thread = threading.Thread(target=decode, name="decode", daemon=True)
    thread.start()
    try:
        while True:
            item = ready.get()
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        closed.set()
        thread.join()
