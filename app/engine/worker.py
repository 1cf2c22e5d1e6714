"""The engine of the main window: opens inputs, runs one session, and puts the newest result into one slot."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Signal

from app.engine.choice import kind_of
from app.engine.loop import Engine
from app.engine.opener import Opener
from app.engine.presenter import Presenter
from app.engine.session_player import SessionPlayer
from app.engine.slot import NewestSlot
from app.engine.snapshot import Shown
from app.engine.state import State
from app.engine.threads import on_own_thread
from core.errors import CleanplateError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.engine.choice import Choice, InputKind
    from app.engine.resume import Resume
    from core.io.input_spec import InputSpec
    from core.io.sources.base import Source
    from core.scene.areas import Areas
    from core.scene.masks.strokes import Span
    from core.session.report import Report
    from core.session.session import Session
    from core.session.stroke_history import StrokeHistory


class Worker(Engine[SessionPlayer]):
    """Runs one session; see `Engine`.

    Attributes
    ----------
    slot : NewestSlot of Shown
        What there is to show.

    Signals
    -------
    engine_ready() : the catalogue is imported; panels can be built from it
    opened(SourceInfo, InputSpec) : an input is open and its first frame is on its way
    run_started(Path or None, str) : a run began anew, with this model and this method
    content_decided(str) : what a run takes its input for, as `core.methods.content` has it; empty where it was told
    restarted(int) : learning begins anew; the number of this run in the slot
    painted_changed() : there is something else in `painted`
    and those of `Engine`
    """

    engine_ready = Signal()
    opened = Signal(object, object)
    run_started = Signal(object, str)
    content_decided = Signal(str)
    restarted = Signal(int)
    painted_changed = Signal()

    def __init__(self) -> None:
        self.slot: NewestSlot[Shown] = NewestSlot()
        self._presenter = Presenter(self.slot)
        super().__init__(SessionPlayer(self._presenter))
        self._opener = Opener(self._post)
        self._preview_due = False
        self._counting = threading.Lock()
        self._n_changes = 0

    # Commands: called from any thread.

    def open(
        self,
        request: InputSpec,
        choice: Choice,
        *,
        play: bool = True,
        resume: Resume | None = None,
        kept: Mapping[InputKind, Choice] | None = None,
    ) -> None:
        """Open an input and start it; what runs goes on until the new one is open.

        With ``resume`` it is held where that says, and goes on from there. Where the input is of a kind that is in
        ``kept``, it starts with what is kept for that, not with ``choice``.
        """
        self._post(partial(self._open, request, choice, play, resume, kept or {}))

    def restart(self, choice: Choice) -> None:
        """Forget what was learnt and start from the first frame."""
        self._post(partial(self._restart, choice))

    def set_values(self, changes: Mapping[str, object]) -> None:
        """Change live parameters from the next frame on; while paused, the shown mask follows at once."""
        with self._counting:
            self._n_changes += 1
            change = partial(self._set_values, dict(changes), self._n_changes)
            self._post(change, topic=("values", frozenset(changes)))

    @property
    def n_changes(self) -> int:
        """How often parameters were to be changed; values in the slot may be from before the last of them."""
        return self._n_changes

    def set_passes(self, passes: int) -> None:
        """Read the input ``passes`` times, counted from now on."""
        self._post(partial(self._player.set_passes, passes), topic="passes")

    def set_enlarged(self, numbers: frozenset[int]) -> None:
        """Make the pictures of these basis images as large as the frames: people look at them closely."""
        self._post(partial(self._set_enlarged, numbers), topic="enlarged")

    def show_basis(self) -> None:
        """Show the basis as it now is, where it holds; else it comes with the next frame."""
        self._post(self._show_basis, topic="basis")

    def set_confidence(self, on: bool) -> None:
        """Show from now on how often each pixel of the plate was seen, or do so no more."""
        self._post(partial(self._set_confidence, on), topic="confidence")

    def correct(
        self, report: Report, where: NDArray[np.bool_], is_background: bool, frames: Span | None = None
    ) -> None:
        """Take what was painted on a report for true: ``where`` (H, W), in pixels of the original picture.

        With ``frames`` that corrects these only, and nothing is learnt from it.
        """
        self._post(partial(self._correct, report, where, is_background, frames))

    def undo_correction(self) -> None:
        """Take the last stroke back."""
        self._post(partial(self._change_painted, lambda strokes: strokes.undo()))

    def forget_painted(self) -> None:
        """Remember nothing any more of what was painted."""
        self._post(partial(self._change_painted, lambda strokes: strokes.forget()))

    def set_areas(self, areas: Areas) -> None:
        """Exclude these areas and no others from the next frame on; while paused, the shown frame follows at once."""
        self._post(partial(self._change_painted, lambda strokes: strokes.set_areas(areas)), topic="areas")

    @property
    def painted(self) -> Mapping[str, NDArray[np.generic]]:
        """What was painted by hand on what is open; may be read from any thread."""
        session = self._player.session
        return {} if session is None else session.strokes.painted

    @property
    def n_learnt(self) -> int:
        """Frames processed since the run began; may be read from any thread."""
        return self._player.n_learnt

    @property
    def index(self) -> int:
        """Number of the frame that was processed last, from 0; may be read from any thread."""
        return self._player.index

    def with_session(self, action: Callable[[Session], None]) -> None:
        """Call ``action(session)`` on the worker's thread between two frames; nothing where nothing runs."""
        self._post(partial(self._with_session, action))

    # On the worker's thread.

    def _prepare(self) -> None:
        self.state_changed.emit(State.PREPARING)
        import core.io.sources  # noqa: PLC0415 - decoders take a second, and the window is there already
        import core.session.session  # noqa: F401, PLC0415 - so does numba

        gc.freeze()  # See `Engine`.
        self.engine_ready.emit()
        self._player.set_state(State.IDLE)

    def _end(self) -> None:
        self._opener.cancel()
        self._opener.wait()

    @on_own_thread
    def _open(
        self, request: InputSpec, choice: Choice, play: bool, resume: Resume | None, kept: Mapping[InputKind, Choice]
    ) -> None:
        if self._mail.is_closed:
            return
        self._opener.cancel()
        if self._player.source is not None and self._player.source.info.live:
            self._player.close()  # A camera opens once only: let it go before it is opened anew.
        self._player.set_state(State.OPENING)
        self._opener.open(request, partial(self._begin, request, choice, play, resume, kept), self._not_opened)

    @on_own_thread
    def _begin(
        self,
        request: InputSpec,
        choice: Choice,
        play: bool,
        resume: Resume | None,
        kept: Mapping[InputKind, Choice],
        source: Source,
    ) -> None:
        """Begin with what is open now."""
        choice = kept.get(kind_of(source.info), choice)
        try:
            if resume is not None and choice.model is None:
                self._player.resume(source, choice.settings(), resume)
            else:
                painted = {} if resume is None else resume.painted
                settings = replace(choice.settings(), painted=painted)
                self._player.start(source, settings, choice.load_model(), play=play)
        except CleanplateError:
            source.close()
            self._player.tell_state()
            raise
        self._warn([])
        self.opened.emit(source.info, request)
        self._tell_content()
        self.restarted.emit(self.slot.run)

    @on_own_thread
    def _not_opened(self, sentence: str) -> None:
        self.failed.emit(sentence)
        self._player.tell_state()

    @on_own_thread
    def _restart(self, choice: Choice) -> None:
        # What people painted is not what was learnt: it is kept.
        self._player.restart(replace(choice.settings(), painted=self.painted), choice.load_model())
        if self._player.session is None:
            return
        self.run_started.emit(choice.model, self._player.session.row.key)
        self._tell_content()
        self.restarted.emit(self.slot.run)

    @on_own_thread
    def _tell_content(self) -> None:
        session = self._player.session
        self.content_decided.emit("" if session is None else str(session.decided.get("content", "")))

    @on_own_thread
    def _set_enlarged(self, numbers: frozenset[int]) -> None:
        self._presenter.set_enlarged(numbers)
        self._show_basis()

    @on_own_thread
    def _show_basis(self) -> None:
        session = self._player.session
        if session is not None and self._player.wait_s is None:
            self._presenter.show_basis(session)

    @on_own_thread
    def _set_confidence(self, on: bool) -> None:
        self._presenter.set_confidence(on)
        if on and self._player.session is not None:
            self._presenter.show_confidence(self._player.session)

    @on_own_thread
    def _correct(self, report: Report, where: NDArray[np.bool_], is_background: bool, frames: Span | None) -> None:
        import cv2  # noqa: PLC0415 - takes a while

        session = self._player.session
        if session is None or report.frame.layout != session.layout:
            return  # It belongs to a run that is over.
        size = (session.layout.width, session.layout.height)
        painted = cv2.resize(where.view(np.uint8), size, interpolation=cv2.INTER_AREA).view(np.bool_)
        background, foreground = (painted, None) if is_background else (None, painted)
        self._show_again(session.strokes.paint(report.frame, background, foreground, frames=frames))
        self.painted_changed.emit()

    @on_own_thread
    def _set_values(self, changes: Mapping[str, object], number: int) -> None:
        self._presenter.count_changes(number)
        self._player.set_values(changes)
        self._preview_due = True

    @on_own_thread
    def _follow_up(self) -> None:
        """Show what a slider does on the frame that is held; once, however far it was dragged meanwhile."""
        due, self._preview_due = self._preview_due, False
        session = self._player.session
        if due and session is not None and self._player.wait_s is None:
            self._presenter.show_values(session)
            self._show_again(session.preview())

    @on_own_thread
    def _change_painted(self, change: Callable[[StrokeHistory], Report | None]) -> None:
        if self._player.session is not None:
            self._show_again(change(self._player.session.strokes))
            self.painted_changed.emit()

    @on_own_thread
    def _with_session(self, action: Callable[[Session], None]) -> None:
        if self._player.session is not None:
            action(self._player.session)

    def _show_again(self, report: Report | None) -> None:
        if report is not None:
            self._presenter.show_again(report)
