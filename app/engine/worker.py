"""The engine of the main window: opens inputs, runs one session, and puts the newest result into one slot."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.engine.kept_runs import SHOWN_AT_FIRST, KeptRun, KeptRuns, file_of
from app.engine.kept_strokes import KeptStrokes
from app.engine.opener import Opener
from app.engine.opening import Asked, Opening
from app.engine.painted_engine import PaintedEngine
from app.engine.presenter import Presenter
from app.engine.resume import Resume
from app.engine.slot import NewestSlot
from app.engine.snapshot import Shown
from app.engine.state import State
from app.engine.threads import on_own_thread
from core.errors import CleanplateError
from core.runtime.lasting import lasting

if TYPE_CHECKING:
    from app.engine.choice import Choice, InputKind
    from core.io.input_spec import InputSpec, Region
    from core.io.sources.base import Source
    from core.session.session import Session
    from core.session.standing import Standing


class Worker(PaintedEngine):
    """Runs one session; see `PaintedEngine`.

    Attributes
    ----------
    slot : NewestSlot of Shown
        What there is to show.

    Signals
    -------
    engine_ready() : the catalogue is imported; panels can be built from it
    opened(SourceInfo, InputSpec) : an input is open and its first frame is on its way
    not_opened(InputSpec) : an input that was asked for does not come; `failed` says why
    run_started(Path or None, str, Choice) : a run began anew, with this model, this method, and what was asked for
    content_told(bool) : whether a run takes its input for an image set
    content_decided(str) : what a run takes its input for, as `core.methods.content` has it; empty where it was told
    restarted(int, bool) : a run begins; its number in the slot, and whether it goes on from what was learnt before
    and those of `PaintedEngine`
    """

    engine_ready = Signal()
    opened = Signal(object, object)
    not_opened = Signal(object)
    run_started = Signal(object, str, object)
    content_told = Signal(bool)
    content_decided = Signal(str)
    restarted = Signal(int, bool)

    def __init__(self) -> None:
        self.slot: NewestSlot[Shown] = NewestSlot()
        super().__init__(Presenter(self.slot))
        self._opener = Opener(self._post)
        self._preview_due = False
        self._counting = threading.Lock()
        self._n_changes = 0
        self._opening: Opening | None = None
        self._kept_strokes = KeptStrokes()
        self._kept_runs = KeptRuns()
        self._request: InputSpec | None = None  # What is open.
        self._file: tuple[str, int, int] | None = None  # Which it is, also where another has taken its name.
        self._live_path = ""  # Of the live input that is open.

    # Commands: called from any thread.

    def open(
        self,
        request: InputSpec,
        choice: Choice,
        *,
        play: bool | None = True,
        resume: Resume | None = None,
        kept: Mapping[InputKind, Choice] | None = None,
    ) -> None:
        """Open an input and start it; what runs goes on until the new one is open.

        With ``resume`` it goes on as that says. Where ``play`` is None it is held if what is open is held. Where the
        input is of a kind that is in ``kept``, it starts with what is kept for that, not with ``choice``.
        """
        self._post_change(partial(self._open, Asked(request, choice, play, resume, kept or {})))

    def restart(self, choice: Choice, *, returns: bool = False) -> None:
        """Forget what was learnt and start from the first frame.

        With ``returns`` a step is undone, or done again: what was learnt before it is gone on with, where it is kept.
        """
        self._post_change(partial(self._restart, choice, returns))

    def keeps_learnt(self, request: InputSpec, choice: Choice) -> bool:
        """Tell whether a run that ``returns`` to these goes on with what was learnt; for any thread."""
        return self._kept_runs.find(request, choice.settings()) is not None

    def set_values(self, changes: Mapping[str, object]) -> None:
        """Change live parameters from the next frame on; while paused, the shown mask follows at once."""
        self._post_change(partial(self._set_values, dict(changes)), topic=("values", frozenset(changes)))

    def _post_change(self, change: Callable[[int], None], topic: Hashable = None) -> None:
        with self._counting:
            if self._post(partial(change, self._n_changes + 1), topic=topic):
                self._n_changes += 1

    @property
    def n_changes(self) -> int:
        """How often parameters or the run were to be changed; values in the slot may be from before the last time."""
        return self._n_changes

    def expect_change(self) -> None:
        """Take note that the run is about to be changed: values in the slot are from before that, until it was."""
        with self._counting:
            self._n_changes += 1

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

    def set_view(self, kinds: frozenset[str], region: Region | None) -> None:
        """Make pictures of these kinds from now on, measured in a region of the original."""
        self._post(partial(self._presenter.set_view, kinds, region), topic="view")

    @property
    def n_learnt(self) -> int:
        """Frames processed since the run began; may be read from any thread."""
        return self._player.n_learnt

    @property
    def lineage(self) -> int:
        """Which learning the run goes on with: another where it began anew; may be read from any thread."""
        return self._player.lineage

    @property
    def n_of_lineage(self) -> int:
        """Frames that were learnt since learning began anew; may be read from any thread."""
        return self._player.n_before + self._player.n_learnt

    def has_learnt(self, session: Session) -> bool:
        """Tell whether the run has learnt more than it does without being asked to; on the worker's thread."""
        return session.learning and (self.n_learnt > SHOWN_AT_FIRST or not session.begins_anew)

    @property
    def standing(self) -> Standing | None:
        """Where the run stands, for `Resume`; on the worker's thread."""
        return self._player.standing

    def unused(self, session: Session) -> tuple[int, ...] | None:
        """Return the basis images, from 0, that the run has not used so far, for `Resume`; on the worker's thread."""
        return self._presenter.unused(session)

    @property
    def index(self) -> int:
        """Number of the frame that was processed last, from 0; may be read from any thread."""
        return self._player.index

    @property
    def is_over(self) -> bool:
        """Whether the run has come to its end; may be read from any thread."""
        return self._player.is_over

    @property
    def looked_at(self) -> int | None:
        """Number of the frame that is looked at, where it is another; may be read from any thread."""
        return self._player.looked_at

    @property
    def learns_on_at(self) -> int | None:
        """Number of the frame that learning goes on with, while others are looked at; may be read from any thread."""
        return self._player.learns_on_at

    def with_session(self, action: Callable[[Session], None], otherwise: Callable[[], None] = lambda: None) -> None:
        """Call ``action(session)`` on the worker's thread between two frames.

        ``otherwise()`` is called instead where nothing runs, or where the engine takes no more commands.
        """
        if not self._post(partial(self._with_session, action, otherwise)):
            otherwise()

    # On the worker's thread.

    def _prepare(self) -> None:
        self.state_changed.emit(State.PREPARING)
        with lasting():
            import core.io.sources  # noqa: PLC0415 - decoders take a second, and the window is there already
            import core.session.session  # noqa: F401, PLC0415 - so does numba

        self.engine_ready.emit()
        self._player.set_state(State.IDLE)

    def _end_warming(self) -> None:
        # What the compiler left behind stays for good. Looking through it for garbage again and again would hold every
        # thread, the window's too, for a tenth of a second at a time. Here alone, for this engine is there once: what
        # another leaves, such as that of a comparison, would stay after it.
        gc.freeze()

    def _end(self) -> None:
        self._opener.cancel()
        self._opener.wait()

    @on_own_thread
    def _open(self, asked: Asked, number: int) -> None:
        if self._mail.is_closed:
            return
        self._opener.cancel()
        if self._player.source is not None and self._player.source.info.live and asked.request.path == self._live_path:
            self._player.close()  # A camera opens once only: let it go before it is opened anew.
        # Where something is being opened, what is open is held, or is not, since before that.
        was_held = self._player.is_held if self._opening is None else self._opening.was_held
        self._player.set_state(State.OPENING)
        self._opening = opening = Opening(asked, was_held=was_held)
        failed = partial(self._not_opened, asked.request)
        self._opener.open(asked.request, partial(self._begin, opening, number), failed)

    @on_own_thread
    def _begin(self, opening: Opening, number: int, source: Source) -> None:
        """Begin with what is open now."""
        if self._mail.is_closed:  # Nobody waits for it any more.
            source.close()
            return
        self._opening = None
        request = opening.asked.request
        file = file_of(request.path)
        goes_on = file == self._file  # What was learnt from another is of no use.
        kept, left = (self._kept_runs, self._learnt_run()) if goes_on else (KeptRuns(), None)
        try:
            opening.begin(self._player, source, kept)
        except BaseException:
            source.close()
            self._player.tell_state()
            self.not_opened.emit(request)
            raise
        if left is not None:
            kept.keep(left)
        self._request, self._file, self._kept_runs = request, file, kept
        self._kept_strokes = KeptStrokes()
        self._presenter.begin_input()
        self._presenter.count_changes(number)
        self._warn([])
        self._n_frames = source.info.n_frames
        self._live_path = request.path if source.info.live else ""
        self.opened.emit(source.info, request)
        self._tell_content()
        self.restarted.emit(self.slot.run, self._player.goes_on)
        self._player.set_values(opening.missed)

    @on_own_thread
    def _not_opened(self, request: InputSpec, sentence: str) -> None:
        self._opening = None
        self.not_opened.emit(request)
        self.failed.emit(sentence)
        self._player.tell_state()

    @on_own_thread
    def _restart(self, choice: Choice, returns: bool, number: int) -> None:
        if self._opening is not None:
            self._opening.restart(choice)
        before = self._player.session
        # What people painted is not what was learnt: it is kept.
        painted = {} if before is None else self._kept_strokes.of(before)
        settings, model = choice.settings(), choice.load_model()
        left, run = self._learnt_run(), None
        is_same = left is not None and left.is_of(left.request, settings)
        if returns and model is None and self._request is not None:
            run = left if is_same else self._kept_runs.find(self._request, settings)
        resume = None if run is None else run.resumed(Resume(), settings)
        self._player.restart(replace(settings, painted=painted), model, resume)
        self._kept_runs.take(run)
        if left is not None and not is_same:
            self._kept_runs.keep(left)
        elif left is not None and not returns:  # Whoever begins anew gives up what was learnt.
            self._kept_runs.take(self._kept_runs.find(left.request, settings))
        session = self._player.session
        if session is None:
            return
        self._kept_strokes.begin(session)
        self._presenter.count_changes(number)
        self.run_started.emit(choice.model, session.row.key, choice)
        self._tell_content()
        self.restarted.emit(self.slot.run, self._player.goes_on)

    def _learnt_run(self) -> KeptRun | None:
        """Return what was learnt, for whoever undoes that another run takes its place; None where nothing was."""
        session, request = self._player.session, self._request
        if request is None or session is None or not self.has_learnt(session):
            return None
        with contextlib.suppress(CleanplateError):  # What is not finite is of no use.
            learnt, painted = session.model(), session.strokes.painted
            # Strokes are steps of their own: those of the moment that is returned to come with it.
            taught = {name: array for name, array in learnt.mask_state.items() if name not in painted}
            return KeptRun(
                request, session.settings, replace(learnt, mask_state=taught), self.standing, self.unused(session),
                self.lineage, self.n_of_lineage,
            )  # fmt: skip
        return None

    @on_own_thread
    def _tell_content(self) -> None:
        session = self._player.session
        decided = {} if session is None else session.decided
        self.content_decided.emit(str(decided.get("content", "")))
        self.content_told.emit(session is not None and session.is_image_set)

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
    def _set_values(self, changes: Mapping[str, object], number: int) -> None:
        self._presenter.count_changes(number)
        if self._opening is not None:
            self._opening.set_values(changes)
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
    def _with_session(self, action: Callable[[Session], None], otherwise: Callable[[], None]) -> None:
        if self._player.session is None:
            otherwise()
        else:
            action(self._player.session)
