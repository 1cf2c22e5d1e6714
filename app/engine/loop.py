"""The loop of an engine's thread: commands come in by a mailbox, and are done between two frames."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import Signal, Slot

from app.engine.mailbox import Mailbox
from app.engine.playable import Transport
from app.engine.threads import Runner, on_own_thread
from app.system.log import explain
from core.errors import CleanplateError
from core.runtime.announcing import announced_to
from core.runtime.compiling import compiling_told_to
from core.runtime.stopping import StoppedError, stops_when

NICENESS = 5
"""By how much the engine steps back, on the system's scale from 0 to 19."""

Command = Callable[[], None]
"""Something for the engine's thread to do between two frames."""


PlayerT = TypeVar("PlayerT", bound=Transport)


@dataclass(frozen=True, eq=False)
class Sought:
    """A frame that was sought, number ``index`` from 0; each time is another."""

    index: int


class Engine(Runner, Generic[PlayerT]):
    """Runs a player on a thread of its own (`app.engine.threads.Background`).

    Commands may be called from any thread and are done between two frames, on the engine's own thread: methods that
    touch the player assert that they run there. Signals tell of rare things only; frames never travel by signal, for
    a queue of them has no bound.

    Parameters
    ----------
    player : Player
        From now on the engine's alone.

    Signals
    -------
    state_changed(State)
    failed(str) : one sentence; the engine goes on
    recovered(str) : what this sentence of `failed` says of a frame is so no more: one came since
    warned(list of str) : what was skipped or mended while reading, as it now stands
    counted(int or None) : how many frames the input has, as it now stands: it may declare more than there are
    compiling(bool) : kernels are being compiled while something is done, and it waits for them; False: it is done
    working(str) : long work between two frames has begun, in words for people; empty: it is done
    finished() : the loop has ended; the thread may quit
    """

    state_changed = Signal(object)
    failed = Signal(str)
    recovered = Signal(str)
    warned = Signal(object)
    counted = Signal(object)
    working = Signal(str)
    compiling = Signal(bool)

    def __init__(self, player: PlayerT) -> None:
        super().__init__()
        self._mail: Mailbox[Command] = Mailbox()
        self._player = player
        player.tell_states_to(self.state_changed.emit)
        self._warnings: list[str] = []
        self._n_frames: int | None = None
        self._fault = ""
        self._sought: Sought | None = None
        self._found: Sought | None = None
        self._warm = False
        self._is_busy = self._is_compiling = self._pauses = False
        self._compiling_lock = threading.Lock()
        self._frame_began_s: float | None = None

    # Commands: called from any thread.

    def play(self) -> None:
        """Go on; at the end, start the clip again with what was learnt."""
        self._pauses = False
        self._post(self._player.play)

    def pause(self) -> None:
        """Hold after the current frame."""
        self._pauses = True
        if not self._post(self._pause):
            self._pauses = False

    @property
    def pauses(self) -> bool:
        """Whether it was told to hold, and a frame is in progress still; may be read from any thread."""
        return self._pauses

    @property
    def frame_s(self) -> float:
        """For how long the frame in progress, or the iteration, has been worked on, s; may be read from any thread."""
        began_s = self._frame_began_s
        return 0.0 if began_s is None else time.monotonic() - began_s

    def step(self) -> None:
        """Hold, and process one frame."""
        self._post(self._player.step)

    def seek(self, index: int) -> None:
        """Show frame ``index`` exactly, with what was learnt so far; nothing is learnt from it."""
        self._sought = sought = Sought(index)
        if not self._post(partial(self._seek, sought), topic="seek"):
            self._sought = None

    @property
    def going_to(self) -> int | None:
        """Number of the frame that was sought last, until it has come or cannot; may be read from any thread.

        A window that reads this before it empties the slot has the frame by the time that it reads None.
        """
        sought = self._sought
        return self._player.going_to if sought is None or sought is self._found else sought.index

    @property
    def is_compiling(self) -> bool:
        """Whether it waits for kernels that are being compiled, and hears of nothing; may be read from any thread."""
        return self._is_compiling

    def learn_on(self) -> None:
        """Leave the frame that someone sought, and go on learning where that stopped."""
        self._post(self._player.learn_on)

    def set_loop(self, on: bool) -> None:
        """Start the clip again at its end, with what was learnt."""
        self._post(partial(self._player.set_loop, on), topic="loop")

    def set_real_time(self, on: bool) -> None:
        """Play at the input's own rate, or as fast as the method allows."""
        self._post(partial(self._player.set_real_time, on), topic="real time")

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures for the screen so often."""
        self._post(partial(self._player.set_detail, halvings), topic="detail")

    def quit(self) -> None:
        """Close everything and end `run`; what was to be done before is done, but nothing is opened any more."""
        self._mail.close()

    def _post(self, command: Command, *, topic: Hashable = None) -> bool:
        """Leave a command for the engine's thread (see `Mailbox.post`); False where it is not taken."""
        taken = self._mail.post(command, topic=topic)
        if not taken and not self._mail.is_closed:
            self.failed.emit("The engine is busy, and too much waits for it already; the last command is left out.")
        return taken

    # On the engine's thread.

    @Slot()
    def run(self) -> None:
        """Do commands and process frames until `quit`."""
        assert self.thread().isCurrentThread(), "an engine runs on the thread that it was moved to"
        yield_to_the_window()
        with contextlib.ExitStack() as listening:
            self._loop(listening)

    def _loop(self, listening: contextlib.ExitStack) -> None:
        try:
            self._guard(self._prepare, "loading the engine")
            hear = partial(listening.enter_context, compiling_told_to(self._on_compiling))
            self._guard(hear, "loading the engine")
            with stops_when(lambda: self._mail.is_closed), announced_to(self.working.emit):
                while not self._mail.is_closed:
                    self._follow(self._mail.take(self._player.wait_s))
                    if self._player.wait_s == 0 and not self._mail.is_closed:
                        self._advance()
            self._follow(self._mail.take(0))
        finally:
            self._mail.close()
            self._guard(self._player.close, "closing the input")
            self._end()
            self.finished.emit()

    def _prepare(self) -> None:
        """Do what comes before the first command."""

    def _follow_up(self) -> None:
        """Do what several commands that came together ask for once."""

    def _end_warming(self) -> None:
        """Do what comes after the first frame, for which much is compiled."""

    def _end(self) -> None:
        """Do what comes after the last command."""

    @on_own_thread
    def _follow(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self._guard(command, "following a command")
        self._guard(self._follow_up, "following commands")

    def _guard(self, action: Command, doing: str) -> str:
        """Do something that may fail; the person gets a sentence, which is returned, and the engine goes on."""
        sentence = ""
        try:
            self._is_busy = True
            action()
        except StoppedError:
            pass  # It was told to quit, and nobody waits for the rest.
        except CleanplateError as error:
            sentence = str(error)
        except Exception as error:
            sentence = explain(error, doing)
        finally:
            with self._compiling_lock:
                self._is_busy, was_compiling, self._is_compiling = False, self._is_compiling, False
                if was_compiling:
                    self.compiling.emit(False)
        if sentence:
            self.failed.emit(sentence)
        return sentence

    def _on_compiling(self, _seconds: float) -> None:
        """Tell it once, on whatever thread: bands of a frame have threads of their own; others compile for others."""
        with self._compiling_lock:
            if self._is_busy and not self._is_compiling:
                self._is_compiling = True
                self.compiling.emit(True)

    @on_own_thread
    def _seek(self, sought: Sought) -> None:
        try:
            self._player.seek(sought.index)
        finally:
            self._found = sought

    @on_own_thread
    def _pause(self) -> None:
        self._pauses = False
        self._player.pause()

    @on_own_thread
    def _advance(self) -> None:
        self._frame_began_s = time.monotonic()
        before, self._fault = self._fault, self._guard(self._player.advance, "processing a frame")
        self._frame_began_s = None
        if before and not self._fault:
            self.recovered.emit(before)
        if not self._warm:
            self._warm = True
            self._end_warming()
        if (warnings := self._player.warnings) != self._warnings:
            self._warn(warnings)
        if self._player.n_frames != self._n_frames:
            self._n_frames = self._player.n_frames
            self.counted.emit(self._n_frames)

    def _warn(self, sentences: Sequence[str]) -> None:
        """Tell what was skipped or mended, as it now stands."""
        self._warnings = list(sentences)
        self.warned.emit(self._warnings)


def yield_to_the_window(niceness: int = NICENESS) -> None:
    """Let the window's thread go first where the processors are busy: this thread, and those that it starts."""
    if sys.platform.startswith("linux"):  # Elsewhere the number would be that of the whole process.
        with contextlib.suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + niceness)
