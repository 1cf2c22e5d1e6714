"""Signs of life: long work tells whoever waits for it that it goes on, so that nobody takes it for stuck."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Waiting(threading.local):
    """Those who wait for the work of this thread, the innermost last."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[], None]] = []


_waiting = _Waiting()


@contextmanager
def given_to(listener: Callable[[], None]) -> Iterator[None]:
    """Within the block, and of this thread alone, call ``listener`` at each sign of life.

    Parameters
    ----------
    listener : callable
        Quick, and safe from this thread; called many times.
    """
    _waiting.listeners.append(listener)
    try:
        yield
    finally:
        _waiting.listeners.pop()


def give() -> None:
    """Give a sign of life; for loops that may run for minutes before anyone gets something of them."""
    for listener in _waiting.listeners:
        listener()
