"""Shows what the window took from the slot: each part as often as an eye can follow, none with heavy work."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine.slot import TICK_MS
from app.engine.state import State
from app.engine.threads import on_own_thread
from app.panels.status import counted
from app.views.going_words import GoingWords, long_words
from core.session.phase import Phase

if TYPE_CHECKING:
    from app.engine.snapshot import Shown
    from app.engine.worker import Worker
    from app.window.choice import RunChoice
    from app.window.commands.input import InputCommands
    from app.window.layout import Parts, Views
    from app.window.shown_frame import ShownFrame
    from core.io.sources.base import SourceInfo
    from core.methods.base import WarmUp
    from core.parameter import Value
    from core.session.report import Report

FIGURES_S = 0.25
"""Least time between two changes of numbers, seconds: faster cannot be read."""

MORE_PASSES = "more passes help"
"""Of an input that ends before the warm-up does; how often it is read is chosen below the pictures."""

GOES_ON = "Curves begin where learning goes on; earlier ones are not kept"
"""Where there would be curves, once a project was opened."""


def warming_words(warming: WarmUp, info: SourceInfo | None, n_passes: int) -> str:
    """Say how far the warm-up is, and what helps where there are too few frames for it, all passes together."""
    said = f"Warming up: {counted(warming.n_done)} learnt"
    if is_too_few(warming, info, n_passes):
        return f"{said}; {MORE_PASSES}"
    return f"{said}, settles at {warming.n_frames}"


def is_too_few(warming: WarmUp, info: SourceInfo | None, n_passes: int) -> bool:
    """Return whether an input that is read so often has fewer frames than a warm-up takes."""
    n_frames = None if info is None or info.n_frames is None else n_passes * info.n_frames
    # Played again it learns from more than there are.
    return n_frames is not None and warming.n_done <= n_frames < warming.n_frames


class DisplayUpdater(QObject):
    """Puts what is new into panes, strip, plots, figures, timeline and status bar.

    Parameters
    ----------
    parts : Parts
    views : Views
    worker : Worker
        What is new lies in its slot; it is told which basis images are enlarged.
    input_ : InputCommands
        Says how long the input is.
    choice : RunChoice
        Says whether a model is applied, and which areas there are.
    shown_frame : ShownFrame
        Takes note of what is shown.
    parent : QObject

    Attributes
    ----------
    activity : ActivityDisplay
        Fills the strip of the timeline.

    Signals
    -------
    report_shown() : a frame has reached the panes
    values_shown() : the panels show the values that a run has begun with
    """

    report_shown = Signal()
    values_shown = Signal()

    def __init__(
        self,
        parts: Parts,
        views: Views,
        worker: Worker,
        input_: InputCommands,
        choice: RunChoice,
        shown_frame: ShownFrame,
        parent: QObject | None = None,
    ) -> None:
        from app.window.activity_display import ActivityDisplay  # noqa: PLC0415 - numpy comes with it

        super().__init__(parent)
        self._parts, self._views, self._worker = parts, views, worker
        self._input, self._choice, self._shown_frame = input_, choice, shown_frame
        self._run, self._goes_on = 0, False
        self._figures_at = 0.0
        self._awaits_values = False
        self._has_own_passes = False
        self._enlarged: frozenset[int] = frozenset()
        self._late: Callable[[], None] | None = None
        self._show_count: Callable[[], None] | None = None
        self._state = State.IDLE
        self._learns_on_at: int | None = None
        self._going, self._works_on = GoingWords(), "frame"
        shown_frame.index = 0
        self.activity = ActivityDisplay(input_, choice, views.timeline.activity, self)
        views.basis.basis_clicked.connect(self._tell_enlarged)
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self.tick)
        input_.another_opened.connect(self._clear)
        self._timer.start()

    @property
    def index(self) -> int:
        """Number of the frame that is shown, from 0."""
        return self._shown_frame.index or 0

    @on_own_thread
    def build_plots(self) -> None:
        """Make the plots: the plotting library is there."""
        self._views.plots.build()

    def stop(self) -> None:
        """Take nothing any more: the window is closing."""
        self._timer.stop()
        self.activity.stop()

    def _clear(self) -> None:
        """Show nothing of what was open before: the first frame of what is open now may take a while."""
        self._late = self._show_count = None
        self._shown_frame.index = None
        self._views.panes.clear()
        self._views.basis.clear()
        self._parts.method.figures.clear()
        for form in (self._parts.method.form, self._parts.source.mask_form):
            form.forget_automatic()
        self._parts.status.show_rate(0, "")
        self._parts.status.show_progress(None, None)

    def begin(self, run: int, *, goes_on: bool) -> None:
        """Empty the plots and show the values in force: a run begins, of this number in the slot.

        ``goes_on``: from what was learnt before, of which no curves are kept.
        """
        self._run, self._goes_on = run, goes_on
        self._views.plots.clear(hint=GOES_ON if goes_on else None)
        if goes_on:  # Nothing was learnt since.
            self._parts.status.show_rate(0, "")
        self._awaits_values = True
        self._late = self._show_count = None
        self._figures_at = 0.0

    def tick(self) -> None:
        """Take what is new out of the slot, and show it."""
        going_to = self._worker.going_to  # Before the slot: where it is there by now, it is shown at once.
        # The first frames of a run wait until it is known what they are of: they come by the slot, that by signals.
        shown = self._worker.slot.take(self._run)
        if shown is not None:
            self._show(shown)
        self._shown_frame.sought = going_to
        self._views.timeline.show_going_to(going_to)
        going, long = self._going.of(going_to), self._long_words()
        self._parts.status.show_going(going or long, is_long=bool(long))
        learns_on_at = self._worker.learns_on_at
        if learns_on_at != self._learns_on_at:
            self._learns_on_at = learns_on_at
            self._parts.status.offer_learning(learns_on_at is not None)
            self._views.timeline.marks.show_learning(learns_on_at)

    def _long_words(self) -> str:
        """Return what is to be said of a frame that takes long; nothing of a camera's, which may be waited for."""
        info = self._input.info
        if info is None or info.live:
            return ""
        return long_words(self._worker.frame_s, self._works_on, pauses=self._worker.pauses)

    @on_own_thread
    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show the values in force in the panels."""
        self._parts.method.form.show_values(values)
        self._parts.source.mask_form.show_values(values)

    def show_state(self, state: State) -> None:
        """Show whether it plays."""
        self._state = state
        self._views.timeline.set_playing(state.is_playing)
        if not state.is_playing:
            self._show_late()
            if self._show_count is not None:
                self._show_count()
        if state.is_over:
            self._parts.status.show_progress(None, None)

    def _show(self, shown: Shown) -> None:
        views = self._views
        for point in shown.points:
            if point.iterates:
                views.plots.count_iterations()
            views.plots.append(point.n, None if point.iterates else point.index, **point.values)
            self.activity.add(point)
        if shown.basis is not None:
            views.basis.show_basis(shown.basis, shown.shares or [], shown.changes or [], shown.unused or [])
            self._tell_enlarged()
        if shown.has_own_passes is not None and shown.has_own_passes != self._has_own_passes:
            self._has_own_passes = shown.has_own_passes
            views.timeline.set_passes_fixed(shown.has_own_passes)
        if self._awaits_values and shown.values and shown.n_changes == self._worker.n_changes:
            # Not those from before a change that is on its way: the panel would go back, and stay there.
            self._awaits_values = False
            self.show_values(shown.values)
            self.values_shown.emit()
        report = shown.report
        if report is not None:
            views.panes.show_report(report, shown.pictures)
        if shown.confidence is not None:
            views.panes.show_confidence(shown.confidence)
        if report is None:
            return
        views.basis.say_of_layout(report.frame.layout)
        self._shown_frame.index = report.frame.index
        views.timeline.set_position(report.frame.index, report.frame.time_s, report.pass_index, report.n_passes)
        now = time.perf_counter()
        self._late = partial(self._show_numbers, shown, report)
        if now - self._figures_at > FIGURES_S or not views.timeline.playing:
            self._figures_at = now
            self._show_late()
        self.report_shown.emit()

    def _show_late(self) -> None:
        """Show the numbers of the last frame on the screen, where that had come too soon for them."""
        show, self._late = self._late, None
        if show is not None:
            show()

    def _show_numbers(self, shown: Shown, report: Report) -> None:
        parts, fps = self._parts, shown.fps or 0.0
        parts.method.figures.show_report(report)
        for form in (parts.method.form, parts.source.mask_form):
            form.show_automatic(shown.automatic or {})
        if report.phase is Phase.LOOKING:
            return  # Nothing goes on: how far it has come stays.
        self._show_phase(shown, report)
        if report.phase is Phase.GATHERING or report.iteration is not None:
            self._show_share(report.n_done, report.n_frames, fps)
            return
        total = None if self._input.info is None else self._input.info.n_frames
        if not total:
            parts.status.show_progress(None, None)
            return
        # Behind a batch method's iterations its first pass counts no more.
        earlier, n_passes = (0, 1) if self._has_own_passes else (report.pass_index, report.n_passes)
        done = earlier * total + report.frame.index + 1
        self._show_share(done, max(n_passes * total, done), fps)

    def _show_share(self, done: int, whole: int | None, rate: float) -> None:
        # A clip that ends before its declared length has come to its end too.
        if whole is None or done >= whole or self._state.is_over:
            self._parts.status.show_progress(None, None)
        else:
            self._parts.status.show_progress(done / whole, (whole - done) / rate if rate else None)

    def _show_phase(self, shown: Shown, report: Report) -> None:
        """Say how fast it goes, and what a batch method is about."""
        status, iteration = self._parts.status, report.iteration
        fps, n_learnt = shown.fps or 0.0, shown.n_learnt or 0
        text, what, count = self._state.value, "frame", f"learnt {counted(n_learnt)}"
        if self._goes_on:
            count += " more"
        if iteration is not None:
            text = f"Learning: iteration {iteration.number} of {iteration.at_most}"
            what, count = "iteration", f"from {counted(iteration.n_kept)}"
        elif report.phase is Phase.GATHERING:
            text, count = "Gathering frames", f"gathered {counted(n_learnt)}"
        elif report.warming is not None:
            text = warming_words(report.warming, self._input.info, report.n_passes)
            if is_too_few(report.warming, self._input.info, report.n_passes):
                count += f"; {MORE_PASSES}"
        elif self._choice.model is not None or report.phase is Phase.APPLYING:
            # In a last pass that only applies, what earlier ones have learnt from does not count.
            count = f"applied to {counted(n_learnt if self._choice.model is not None else report.n_done)}"
        self._works_on = what
        if fps or n_learnt or iteration is not None:
            self._show_count = partial(status.show_rate, fps, count, what=what)
            # How many were learnt stands in the words of the warm-up, which begins anew where a scene does.
            said = "" if report.warming is not None and self._state.is_playing else count
            status.show_rate(fps, said, what=what)
        if self._state.is_playing:
            status.show_state(text, "warn" if report.warming is not None else "good")

    def _tell_enlarged(self) -> None:
        enlarged = frozenset(self._views.basis.dialogs)
        if enlarged != self._enlarged:
            self._enlarged = enlarged
            self._worker.set_enlarged(enlarged)
