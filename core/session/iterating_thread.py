"""Which thread iterates a session: what only that one may do is refused to all others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident


class IteratingThread:
    """Knows the thread that iterates. While none does, any thread may do what is checked here."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._ident: int | None = None

    @contextmanager
    def iterating(self) -> Iterator[None]:
        """Let the calling thread be the one that iterates, until the block ends.

        Raises
        ------
        RuntimeError
            A thread iterates already, be it this one.
        """
        with self._lock:
            if self._ident is not None:
                raise RuntimeError("A session is iterated once at a time; end the other iteration first.")
            self._ident = get_ident()
        try:
            yield
        finally:
            self._ident = None

    def check(self) -> None:
        """Raise RuntimeError where another thread iterates than the one that calls."""
        if self._ident not in {None, get_ident()}:
            raise RuntimeError("Only the thread that iterates a session may do this, between two frames.")
