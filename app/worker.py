"""The engine's thread: commands come in by a mailbox, the newest result goes out by one slot.

Commands may be called from any thread and are done between two frames. Signals tell of rare things only (a state, an
input opened, a sentence for the person); frames never travel by signal, for a queue of them has no bound.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.log import explain
from app.mailbox import Mailbox, NewestSlot
from app.player import Player, State
from app.presenter import Presenter
from core.errors import CleanplateError

if TYPE_CHECKING:
    from app.opening import Choice, OpenRequest
    from core.session import Session
    from core.sources.base import Source

OPENER_PATIENCE_S = 20.0
"""How long to wait at the end for an input that is still being opened; it was told to give up."""

NICENESS = 5
"""By how much the engine steps back, on the system's scale from 0 to 19."""


class Worker(QObject):
    """Move it to a QThread and connect ``started`` to `run`.

    Signals
    -------
    engine_ready() : the catalogue is imported; panels can be built from it
    opened(SourceInfo, OpenRequest) : an input is open and its first frame is on its way
    restarted() : learning begins anew
    state_changed(State)
    failed(str) : one sentence; the worker goes on
    warned(list of str) : what was skipped or mended while reading, as it now stands
    finished() : the loop has ended; the thread may quit
    """

    engine_ready = Signal()
    opened = Signal(object, object)
    restarted = Signal()
    state_changed = Signal(object)
    failed = Signal(str)
    warned = Signal(object)
    finished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.slot = NewestSlot()
        self._mail = Mailbox()
        self._presenter = Presenter(self.slot)
        self._player = Player(self._presenter, self.state_changed.emit)
        self._going = True
        self._opening: threading.Event | None = None
        self._openers: list[threading.Thread] = []
        self._quitting = threading.Event()
        self._warnings: list[str] = []
        self._warm = False

    # Commands: called from any thread.

    def open(self, request: OpenRequest, choice: Choice, *, play: bool = True) -> None:
        """Open an input and start it; what runs goes on until the new one is open."""
        self._mail.post(partial(self._open, request, choice, play))

    def restart(self, choice: Choice) -> None:
        """Forget what was learnt and start from the first frame."""
        self._mail.post(partial(self._restart, choice))

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

    def set_values(self, changes: Mapping[str, object]) -> None:
        """Change live parameters from the next frame on."""
        self._mail.post(partial(self._player.set_values, dict(changes)))

    def set_passes(self, passes: int) -> None:
        """Read the input ``passes`` times, counted from now on."""
        self._mail.post(partial(self._player.set_passes, passes))

    def set_loop(self, on: bool) -> None:
        """Start the clip again at its end, with what was learnt."""
        self._mail.post(partial(setattr, self._player, "loop", on))

    def set_real_time(self, on: bool) -> None:
        """Play at the input's own rate, or as fast as the method allows."""
        self._mail.post(partial(self._player.set_real_time, on))

    def set_enlarged(self, numbers: frozenset[int]) -> None:
        """Make the pictures of these basis images as large as the frames: people look at them closely."""
        self._mail.post(partial(setattr, self._presenter, "enlarged", numbers))

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures for the screen so often."""
        self._mail.post(partial(setattr, self._presenter, "halvings", halvings))

    def set_confidence(self, on: bool) -> None:
        """Show from now on how often each pixel of the plate was seen, or do so no more."""
        self._mail.post(partial(self._set_confidence, on))

    def with_session(self, action: Callable[[Session], None]) -> None:
        """Call ``action(session)`` on the worker's thread between two frames; nothing where nothing runs."""
        self._mail.post(partial(self._with_session, action))

    def quit(self) -> None:
        """Close everything and end `run`; what was to be done before is done, but nothing is opened any more."""
        self._quitting.set()
        self._mail.post(self._quit)

    # On the worker's thread.

    @Slot()
    def run(self) -> None:
        """Do commands and process frames until `quit`."""
        _yield_to_the_window()
        try:
            self._guard(self._prepare, "loading the engine")
            while self._going:
                for command in self._mail.take(self._player.wait_s):
                    self._guard(command, "following a command")
                if self._going and self._player.wait_s == 0:
                    self._advance()
        finally:
            self._mail.close()
            self._guard(self._player.close, "closing the input")
            for opener in self._openers:
                # Python would end them in the midst of a decoder's code, and the process with them.
                opener.join(OPENER_PATIENCE_S)
            self.finished.emit()

    def _guard(self, action: Callable[[], object], doing: str) -> object:
        """Do something that may fail; the person gets a sentence, and the worker goes on."""
        try:
            return action()
        except CleanplateError as error:
            self.failed.emit(str(error))
        except Exception as error:
            self.failed.emit(explain(error, doing))
        return None

    def _prepare(self) -> None:
        self.state_changed.emit(State.PREPARING)
        import core.session  # noqa: PLC0415 - numba takes a second, and the window is there already
        import core.sources  # noqa: F401, PLC0415 - so do the decoders

        gc.freeze()  # See `_advance`.
        self.engine_ready.emit()
        self._player.set_state(State.IDLE)

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

    def _open(self, request: OpenRequest, choice: Choice, play: bool) -> None:
        if self._quitting.is_set():
            return
        self._cancel_opening()
        if self._player.source is not None and self._player.source.info.live:
            self._player.close()  # A camera opens once only: let it go before it is opened anew.
        self._player.set_state(State.OPENING)
        self._opening = threading.Event()
        opener = threading.Thread(
            target=self._open_aside, args=(self._opening, request, choice, play), name="open", daemon=True
        )
        self._openers = [*filter(threading.Thread.is_alive, self._openers), opener]
        opener.start()

    def _open_aside(self, cancelled: threading.Event, request: OpenRequest, choice: Choice, play: bool) -> None:
        """Open on a thread of its own: a camera may take many seconds, and commands are served meanwhile."""
        try:
            from app.opening import open_request  # noqa: PLC0415 - decoders take a while to import

            source = open_request(request, cancelled)
        except CleanplateError as error:
            self._mail.post(partial(self._not_opened, cancelled, str(error)))
        except Exception as error:
            self._mail.post(partial(self._not_opened, cancelled, explain(error, f"opening {request.path}")))
        else:
            if not self._mail.post(partial(self._opened, cancelled, source, request, choice, play)):
                source.close()

    def _opened(
        self, cancelled: threading.Event, source: Source, request: OpenRequest, choice: Choice, play: bool
    ) -> None:
        if cancelled.is_set():
            source.close()
            return
        try:
            self._player.start(source, choice.settings(), choice.load_model(), play=play)
        except CleanplateError:
            source.close()
            self._player.tell_state()
            raise
        self._warnings = []
        self.warned.emit([])
        self.opened.emit(source.info, request)
        self.restarted.emit()

    def _not_opened(self, cancelled: threading.Event, sentence: str) -> None:
        if not cancelled.is_set():
            self.failed.emit(sentence)
            self._player.tell_state()

    def _cancel_opening(self) -> None:
        if self._opening is not None:
            self._opening.set()

    def _restart(self, choice: Choice) -> None:
        self._player.restart(choice.settings(), choice.load_model())
        self.restarted.emit()

    def _set_confidence(self, on: bool) -> None:
        self._presenter.confidence = on
        if on:
            self._with_session(self._presenter.show_confidence)

    def _with_session(self, action: Callable[[Session], None]) -> None:
        if self._player.session is not None:
            action(self._player.session)

    def _quit(self) -> None:
        self._cancel_opening()
        self._going = False


def _yield_to_the_window() -> None:
    """Let the window's thread go first where the processors are busy: this thread, and those that it starts."""
    if sys.platform.startswith("linux"):  # Elsewhere the number would be that of the whole process.
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
