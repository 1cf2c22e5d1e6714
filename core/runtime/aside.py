"""Work that may wait for a drive, a driver or a decoder for ever: done on a thread that can be left behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

POLL_S = 0.05
"""How often it is asked whether to give up."""

LEAVE_S = 1.0
"""How long to wait for a thread that is given up: Python ends those that are left in the midst of a decoder's code."""


class GivenUpError(Exception):
    """What was done aside was given up before it was ready."""


class _Work(Generic[T]):
    """One call, whose result goes to whoever waits or, where nobody does any more, to ``discard``."""

    def __init__(self, work: Callable[[], T], discard: Callable[[T], None]) -> None:
        self._work, self._discard = work, discard
        self._results: list[T] = []
        self._handing_over = threading.Lock()
        self._is_left = False
        self._error: BaseException | None = None
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self._do()
        finally:
            self.done.set()

    def _do(self) -> None:
        try:
            result = self._work()
        except BaseException as error:  # whoever waits raises it
            self._error = error
            return
        with self._handing_over:  # Given up just now, nobody would release it, or both would.
            is_left = self._is_left
            if not is_left:
                self._results.append(result)
        if is_left:
            self._discard(result)

    def leave(self) -> None:
        with self._handing_over:
            self._is_left = True
        if self._results:
            self._discard(self._results.pop())
        self.done.wait(LEAVE_S)

    def take(self) -> T:
        if self._error is not None:
            raise self._error
        return self._results[0]


def call_aside(
    work: Callable[[], T], *, given_up: Callable[[], bool], limit_s: float, discard: Callable[[T], None], name: str
) -> T:
    """Return what ``work()`` returns, or raise what it raises.

    It is waited for `LEAVE_S` more where it is given up.

    Parameters
    ----------
    work : callable
        Called on a thread of its own; what blocks in the operating system cannot be interrupted, only left.
    given_up : callable
        Asked every `POLL_S` seconds; True leaves the thread.
    limit_s : float
        Seconds after which the thread is left.
    discard : callable
        Called with a result that comes when nobody waits any more.
    name : str
        Of the thread.

    Raises
    ------
    GivenUpError
        ``given_up`` returned True.
    TimeoutError
        It took longer than ``limit_s``.
    """
    doing = _Work(work, discard)
    threading.Thread(target=doing.run, name=name, daemon=True).start()
    until = time.monotonic() + limit_s
    try:
        while not doing.done.wait(POLL_S):
            if given_up():
                raise GivenUpError
            if time.monotonic() > until:
                raise TimeoutError
        if given_up():
            raise GivenUpError
    except BaseException:
        doing.leave()
        raise
    return doing.take()
