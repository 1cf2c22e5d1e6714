"""Telling of long work between two frames: the work says what it is, and who shows progress says so to people."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Listening(threading.local):
    """Those who want to hear of long work on this thread, the innermost last."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[str], None]] = []


_listening = _Listening()


@contextmanager
def announced_to(listener: Callable[[str], None]) -> Iterator[None]:
    """Within the block, and of this thread alone, call ``listener`` as long work begins and ends.

    Parameters
    ----------
    listener : callable
        Gets the words for people as the work begins, such as "Working out the plate from 301 frames…", and an empty
        text at its end. Quick, and safe from this thread.
    """
    _listening.listeners.append(listener)
    try:
        yield
    finally:
        _listening.listeners.pop()


def tell(work: str) -> None:
    """Announce work, in words for people, or with an empty text that it has ended."""
    for listener in tuple(_listening.listeners):
        listener(work)


@contextmanager
def announced(work: str) -> Iterator[None]:
    """Announce the work of the block, in words for people; its end too, however it ends."""
    tell(work)
    try:
        yield
    finally:
        tell("")
