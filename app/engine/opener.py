"""Opens inputs on threads of their own: a camera may take many seconds, and commands are served meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.system.log import explain
from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.io.input_spec import InputSpec
    from core.io.sources.base import Source

PATIENCE_S = 20.0
"""How long to wait at the end for an input that is still being opened; it was told to give up."""


class Opener:
    """Opens what was asked for last; what was asked for before is given up.

    Parameters
    ----------
    post : callable
        ``post(command)`` leaves a command for the thread that uses this object, and returns whether it is taken.
    """

    def __init__(self, post: Callable[[Callable[[], None]], bool]) -> None:
        self._post = post
        self._cancelled = threading.Event()
        self._threads: list[threading.Thread] = []

    def open(self, request: InputSpec, opened: Callable[[Source], None], failed: Callable[[str], None]) -> None:
        """Open an input; one of the two is called, on the thread that uses this object, unless it is given up.

        Parameters
        ----------
        opened : callable
            Called with the source, which is the receiver's from then on.
        failed : callable
            Called with a sentence.
        """
        self.cancel()
        self._cancelled = threading.Event()
        arguments = (request, self._cancelled, opened, failed)
        thread = threading.Thread(target=self._open_aside, args=arguments, name="open", daemon=True)
        self._threads = [*filter(threading.Thread.is_alive, self._threads), thread]
        thread.start()

    def cancel(self) -> None:
        """Give up what is being opened."""
        self._cancelled.set()

    def wait(self) -> None:
        """Wait for the threads: Python would end them in the midst of a decoder's code, and the process with them."""
        for thread in self._threads:
            thread.join(PATIENCE_S)

    def _open_aside(
        self,
        request: InputSpec,
        cancelled: threading.Event,
        opened: Callable[[Source], None],
        failed: Callable[[str], None],
    ) -> None:
        try:
            from core.io.sources import open_source  # noqa: PLC0415 - decoders take a while to import

            source = open_source(request, cancelled.is_set)
        except CleanplateError as error:
            self._post(partial(_unless, cancelled, failed, str(error)))
        except Exception as error:
            self._post(partial(_unless, cancelled, failed, explain(error, f"opening {request.path}")))
        else:
            if not self._post(partial(_hand_over, cancelled, opened, source)):
                source.close()


def _unless(cancelled: threading.Event, failed: Callable[[str], None], sentence: str) -> None:
    if not cancelled.is_set():
        failed(sentence)


def _hand_over(cancelled: threading.Event, opened: Callable[[Source], None], source: Source) -> None:
    if cancelled.is_set():
        source.close()
    else:
        opened(source)
