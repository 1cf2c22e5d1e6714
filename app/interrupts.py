"""What Ctrl+C and requests to end do before the program is at work, while it imports what it needs."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
"""Exit status after Ctrl+C, as shells have it; after a request to terminate and a hang-up, too."""

INTERRUPTED_SENTENCE = "Interrupted; nothing was written."

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""Those that ask a program to end, as far as the system has them: Ctrl+Break is Windows's own."""


class Requests:
    """Counts how often a program was asked to end.

    Where a session ends, processes are terminated and hung up at once, which is one request: a hang-up is only ever
    the first.

    Attributes
    ----------
    count : int
    """

    def __init__(self) -> None:
        self.count = 0
        self._is_hang_up = False

    def hear(self, number: int) -> bool:
        """Take note of a signal; True where it is another request."""
        before, is_hang_up = self.count, number == getattr(signal, "SIGHUP", None)
        if not before:
            self.count, self._is_hang_up = 1, is_hang_up
        elif not is_hang_up:
            self.count += not self._is_hang_up
            self._is_hang_up = False
        return self.count > before


def end_at_once() -> None:
    """Let what asks it to end the program from now on, with a sentence: there is nothing yet that has to be put away.

    A hang-up that is ignored stays so: nohup asks for that.

    An exception would not do: callbacks of the import print it and go on, and libraries in the midst of their own
    import turn it into another one.
    """
    for number in ENDING:
        if number is signal.SIGINT or signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def begin_work() -> None:
    """Let what asks the program to end raise KeyboardInterrupt from now on: there may be files to put away."""
    for number in ENDING:
        if signal.getsignal(number) is _end:
            signal.signal(number, signal.default_int_handler)
    sys.unraisablehook = _tell_unraisable


def end_work() -> None:
    """Let Ctrl+C do nothing from now on: all is done, and the status tells of it.

    Other requests end the program at once, where they were not ignored before: what reads its output may not go on.
    """
    for number in ENDING:
        if number is signal.SIGINT:
            signal.signal(number, signal.SIG_IGN)
        elif signal.getsignal(number) in (_end, signal.default_int_handler):
            signal.signal(number, signal.SIG_DFL)


def _tell_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Tell of an exception that nobody can catch, but of none that Ctrl+C raised in the midst of a callback."""
    if unraisable.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(unraisable)


def _end(_number: int, _frame: FrameType | None) -> None:
    # Not print: what was interrupted may be in the midst of one.
    with contextlib.suppress(OSError, ValueError, AttributeError):  # There may be no standard error.
        os.write(sys.stderr.fileno(), f"cleanplate: {INTERRUPTED_SENTENCE}\n".encode())
    os._exit(INTERRUPTED)
