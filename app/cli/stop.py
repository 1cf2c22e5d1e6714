"""What Ctrl+C, a request to terminate and a hang-up ask of a run that goes on."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from app.interrupts import ENDING, Requests


class Stop:
    """What was asked for: the first signal ends a camera's input and completes the results, otherwise it gives up.

    Attributes
    ----------
    came_too_late : bool
        It was asked for while results got their names, or after that.
    """

    def __init__(self, live: bool) -> None:
        self._live = live
        self._requests = Requests()
        self._held = False
        self.came_too_late = False

    @property
    def _n_given_up(self) -> int:
        """How often it was asked to give up."""
        return self._requests.count - (1 if self._live else 0)

    def cancelled(self) -> bool:
        """Tell whether to give up."""
        return self._n_given_up > 0

    def enough(self) -> bool:
        """Tell whether to complete what there is."""
        return self._live and self._requests.count == 1

    def hold(self, on: bool) -> None:
        """Interrupt nothing from now on, or again; once results have their names this stays on."""
        self._held = on

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Count; what does not answer at the next frame is interrupted by the next signal."""
        self.came_too_late = self._held
        if not self._requests.hear(number) or self._held:
            return
        if self._n_given_up == 0:
            _say("Ending the input and completing the results; once more gives up.")
        elif self._n_given_up == 1:
            _say("Giving up after this frame; once more ends at once.")
        else:
            raise KeyboardInterrupt


@contextlib.contextmanager
def stop_on_signals(live: bool) -> Iterator[Stop]:
    """Take over Ctrl+C, a request to terminate and a hang-up while a run goes on.

    After a run that is complete they are ignored to the end of the process, whose status is to tell the truth.
    """
    stop = Stop(live)
    hang_up = getattr(signal, "SIGHUP", None)
    # A hang-up that is ignored stays so: nohup asks for that.
    caught = [number for number in ENDING if number != hang_up or signal.getsignal(number) != signal.SIG_IGN]
    before = [signal.signal(number, stop.on_signal) for number in caught]
    try:
        yield stop
    except BaseException:
        for number, handler in zip(caught, before, strict=True):
            signal.signal(number, handler)
        raise
    for number in caught:
        signal.signal(number, signal.SIG_IGN)


def _say(sentence: str) -> None:
    """Write a sentence below what is shown of the progress; nothing that a handler of signals may interrupt."""
    with contextlib.suppress(OSError):
        os.write(sys.stderr.fileno(), f"\ncleanplate: {sentence}\n".encode())
