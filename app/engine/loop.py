"""The loop of an engine's thread: commands come in by a mailbox, and are done between two frames."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from app.engine.mailbox import Mailbox
from app.engine.player import Player, Shower, State
from app.system.log import explain
from core.errors import CleanplateError

NICENESS = 5
"""By how much the engine steps back, on the system's scale from 0 to 19."""


class Engine(QObject):
    """Move it to a QThread and connect ``started`` to `run`.

    Commands may be called from any thread and are done between two frames. Signals tell of rare things only; frames
    never travel by signal, for a queue of them has no bound.

    Parameters
    ----------
    presenter : Shower
        Where reports go.

    Signals
    -------
    restarted(int) : learning begins anew; the number of this run in the slot
    state_changed(State)
    failed(str) : one sentence; the engine goes on
    warned(list of str) : what was skipped or mended while reading, as it now stands
    finished() : the loop has ended; the thread may quit
    """

    restarted = Signal(int)
    state_changed = Signal(object)
    failed = Signal(str)
    warned = Signal(object)
    finished = Signal()

    def __init__(self, presenter: Shower) -> None:
        super().__init__()
        self._mail = Mailbox()
        self._presenter = presenter
        self._player = Player(presenter, self.state_changed.emit)
        self._going = True
        self._quitting = threading.Event()
        self._warnings: list[str] = []
        self._warm = False

    # Commands: called from any thread.

    def play(self) -> None:
        """Go on; at the end, start the clip again with what was learnt."""
        self._mail.post(self._player.play)

    def pause(self) -> None:
        """Hold after the current frame."""
        self._mail.post(self._player.pause)

    def step(self) -> None:
        """Hold, and process one frame."""
        self._mail.post(self._player.step)

    def seek(self, index: int) -> None:
        """Show frame ``index`` exactly, with what was learnt so far."""
        self._mail.post(partial(self._player.seek, index))

    def set_loop(self, on: bool) -> None:
        """Start the clip again at its end, with what was learnt."""
        self._mail.post(partial(setattr, self._player, "loop", on))

    def set_real_time(self, on: bool) -> None:
        """Play at the input's own rate, or as fast as the method allows."""
        self._mail.post(partial(self._player.set_real_time, on))

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures for the screen so often."""
        self._mail.post(partial(setattr, self._presenter, "halvings", halvings))

    def quit(self) -> None:
        """Close everything and end `run`; what was to be done before is done, but nothing is opened any more."""
        self._quitting.set()
        self._mail.post(self._quit)

    # On the engine's thread.

    @Slot()
    def run(self) -> None:
        """Do commands and process frames until `quit`."""
        _yield_to_the_window()
        try:
            self._guard(self._prepare, "loading the engine")
            while self._going:
                for command in self._mail.take(self._player.wait_s):
                    self._guard(command, "following a command")
                self._guard(self._follow_up, "following commands")
                if self._going and self._player.wait_s == 0:
                    self._advance()
        finally:
            self._mail.close()
            self._guard(self._player.close, "closing the input")
            self._end()
            self.finished.emit()

    def _prepare(self) -> None:
        """Do what comes before the first command."""

    def _follow_up(self) -> None:
        """Do what several commands that came together ask for once."""

    def _end(self) -> None:
        """Do what comes after the last command."""

    def _guard(self, action: Callable[[], object], doing: str) -> object:
        """Do something that may fail; the person gets a sentence, and the engine goes on."""
        try:
            return action()
        except CleanplateError as error:
            self.failed.emit(str(error))
        except Exception as error:
            self.failed.emit(explain(error, doing))
        return None

    def _advance(self) -> None:
        self._guard(self._player.advance, "processing a frame")
        if not self._warm:
            # What the compiler left behind stays for good. Looking through it for garbage again and again would hold
            # every thread, the window's too, for a tenth of a second at a time.
            self._warm = True
            gc.freeze()
        source = self._player.source
        if source is not None and source.warnings != self._warnings:
            self._warnings = list(source.warnings)
            self.warned.emit(self._warnings)

    def _quit(self) -> None:
        self._going = False


def _yield_to_the_window() -> None:
    """Let the window's thread go first where the processors are busy: this thread, and those that it starts."""
    if sys.platform.startswith("linux"):  # Elsewhere the number would be that of the whole process.
        with contextlib.suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)


__all__ = ["Engine", "State"]
