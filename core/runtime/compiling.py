"""Telling of kernels that are compiled, which takes up to a minute the first time and happens between frames."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def compiling_told_to(listener: Callable[[float], None]) -> Iterator[None]:
    """Within the block, call ``listener(seconds)`` as a kernel begins to be compiled, on whatever thread.

    Parameters
    ----------
    listener : callable
        Gets how long kernels have been compiled for since the block began. Quick: the compiler waits.
    """
    # Not above: numba is to be imported by the kernels, which say first what it is not to load.
    from numba.core import event  # noqa: PLC0415

    class Teller(event.Listener):
        """Hears of kernels one by one: numba compiles one at a time, and within it those that it calls."""

        def __init__(self) -> None:
            self._depth, self._began, self._seconds = 0, 0.0, 0.0

        def on_start(self, _event: object) -> None:
            now = time.monotonic()
            if self._depth == 0:
                self._began = now
            self._depth += 1
            listener(self._seconds + now - self._began)

        def on_end(self, _event: object) -> None:
            self._depth -= 1
            if self._depth == 0:
                self._seconds += time.monotonic() - self._began

    with event.install_listener("numba:compile", Teller()):
        yield
