"""Writing beside the loop, in threads with a bounded number of waiting tasks."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

Task = Callable[[], None]


class BoundedWriterPool:
    """Threads that take tasks from one queue. With one thread, tasks run in order.

    `concurrent.futures` has no bound on what waits: a loop faster than the disk would fill the memory.

    Parameters
    ----------
    threads : int
    slots : int
        Tasks that may wait; `put` blocks beyond that, so memory is bounded by ``threads + slots`` tasks. With 0 it
        waits for a thread that is free.
    """

    def __init__(self, threads: int = 1, slots: int = 2) -> None:
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._room = threading.Semaphore(threads + slots)
        self._error: BaseException | None = None
        self._threads = [threading.Thread(target=self._work, name="write", daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def put(self, task: Task) -> None:
        """Queue a task; raises what an earlier one raised."""
        if self._error:
            raise self._error
        self._room.acquire()
        self._tasks.put(task)

    def finish(self) -> None:
        """Wait for all tasks and end the threads; raises what a task raised."""
        self._end()
        if self._error:
            raise self._error

    def abandon(self) -> None:
        """End the threads without running what still waits."""
        self._error = self._error or RuntimeError("abandoned")
        self._end()

    def _end(self) -> None:
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._threads = []

    def _work(self) -> None:
        # After an error tasks are still taken, not run: nobody may wait for room for ever.
        while (task := self._tasks.get()) is not None:
            if self._error is None:
                try:
                    task()
                except BaseException as error:
                    self._error = error
            del task  # Not held until the next one comes: its pictures take 20 MB at 1080p.
            self._room.release()
