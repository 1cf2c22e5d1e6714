"""Stopping in the middle of long work: who has a reason to stop says so, and inner loops ask between their steps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.errors import CancelledError


class StoppedError(CancelledError):
    """Work was stopped in its middle; what it would have returned is lost, what was there before is as it was."""


class _Asked(threading.local):
    """Those who may want the work of this thread to stop, the innermost last."""

    def __init__(self) -> None:
        self.reasons: list[Callable[[], bool]] = []


_asked = _Asked()


def never() -> bool:
    """Return False: the reason of those who have none to stop."""
    return False


@contextmanager
def stops_when(reason: Callable[[], bool]) -> Iterator[None]:
    """Within the block, and on this thread alone, let `check` raise as soon as ``reason()`` is True.

    Parameters
    ----------
    reason : callable
        Quick, and safe from this thread; asked many times.
    """
    _asked.reasons.append(reason)
    try:
        yield
    finally:
        _asked.reasons.pop()


def check() -> None:
    """Raise StoppedError where someone wants this thread's work to stop; for loops whose steps may take long.

    Raises
    ------
    StoppedError
    """
    for reason in _asked.reasons:
        if reason():
            raise StoppedError("Cancelled; nothing was written.")
