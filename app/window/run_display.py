"""What a run is about, in the status bar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.count_words import and_left_out
from app.engine.state import State
from app.views.going_words import GoingWords, long_words
from app.window.run_words import come_so_far, words_of
from core.session.phase import Phase

if TYPE_CHECKING:
    from app.engine.snapshot import Shown
    from app.engine.worker import Worker
    from app.panels.status import StatusBar
    from app.window.choice import RunChoice
    from app.window.commands.input import InputCommands
    from core.session.report import Report

LEAST_OF_SET = 0.05
"""Part of an image set that has to be done before a time left is told: at first an image takes several times as long
as later on, when more has been learnt."""

UNKNOWN_SCENE = "The background of this scene is not known yet"
"""Of a frame whose pictures show nothing but itself."""


class RunDisplay:
    """Says what goes on, how fast, how far it has come, and what is waited for.

    Parameters
    ----------
    status : StatusBar
    worker : Worker
        Tells for how long its frame has taken.
    input_ : InputCommands
        Says how long the input is.
    choice : RunChoice
        Says whether a model is applied.
    """

    def __init__(self, status: StatusBar, worker: Worker, input_: InputCommands, choice: RunChoice) -> None:
        self._status, self._worker, self._input, self._choice = status, worker, input_, choice
        self._state, self._goes_on = State.IDLE, False
        self._going, self._works_on = GoingWords(), "frame"
        self._show_count: Callable[[], None] | None = None

    def clear(self) -> None:
        """Say nothing of what was open before."""
        self._show_count = None
        self._status.show_rate(0, "")
        self._status.show_progress(None, None)
        self._status.show_lack("")

    def begin(self, *, goes_on: bool) -> None:
        """Take note that a run begins; ``goes_on``: from what was learnt before."""
        self._show_count, self._goes_on = None, goes_on
        if goes_on:  # Nothing was learnt since.
            self._status.show_rate(0, "")

    def show_state(self, state: State) -> None:
        """Take note of what goes on now; where it does not play, say how much was learnt."""
        self._state = state
        if state is State.WAITING:
            self._status.forget_rate()
        if not state.is_playing and self._show_count is not None:
            self._show_count()
        if state.is_over:
            self._status.show_progress(None, None)

    def show_going(self, index: int | None) -> None:
        """Say that frame ``index`` is on its way, if one is; or that a frame takes long."""
        going, long = self._going.of(index), self._long_words()
        self._status.show_going(going or long, is_long=bool(long))

    def _long_words(self) -> str:
        """Return what is to be said of a frame that takes long; nothing of a camera's, which may be waited for."""
        info = self._input.info
        if info is None or info.live:
            return ""
        return long_words(self._worker.frame_s, self._works_on, pauses=self._worker.pauses)

    def show(self, shown: Shown, report: Report, *, has_own_passes: bool) -> None:
        """Say how fast it goes, and what it is about.

        Parameters
        ----------
        shown : Shown
            What came with the report.
        report : Report
        has_own_passes : bool
            The method decides how often the input is read.
        """
        self._status.show_lack("" if report.is_scene_known else UNKNOWN_SCENE)
        if report.phase is Phase.LOOKING:
            return  # Nothing goes on: how far it has come stays.
        info, n_learnt = self._input.info, shown.n_learnt or 0
        fps = 0.0 if self._state is State.WAITING else shown.fps or 0.0
        frame_s = shown.frame_s or 0.0
        if report.is_image_set and fps and frame_s:
            fps = 1 / frame_s  # Images that are learnt together come all at once, and then none for a while.
        words = words_of(
            report, n_learnt, self._state, info,
            applies_model=self._choice.model is not None, goes_on=self._goes_on,
        )  # fmt: skip
        self._works_on = words.what
        is_warming = report.warming is not None
        count = words.count + and_left_out(shown.n_missed)
        if fps or n_learnt or report.iteration is not None:
            self._show_count = partial(self._status.show_rate, fps, count, what=words.what)
            # How many were learnt stands in the words of the warm-up, which begins anew where a scene does.
            said = "" if is_warming and self._state.is_playing else count
            self._status.show_rate(fps, said, what=words.what)
        if self._state.is_playing:
            self._status.show_state(words.about, "warn" if is_warming else "good")
        n_frames = None if info is None else info.n_frames
        done, whole = come_so_far(report, n_frames, has_own_passes=has_own_passes)
        is_early = whole is not None and done < LEAST_OF_SET * whole
        self._show_progress(done, whole, 0.0 if report.is_image_set and is_early else frame_s)

    def _show_progress(self, done: int, whole: int | None, frame_s: float) -> None:
        # A clip that ends before its declared length has come to its end too.
        if whole is None or done >= whole or self._state.is_over:
            self._status.show_progress(None, None)
        else:
            self._status.show_progress(done / whole, (whole - done) * frame_s if frame_s else None)
