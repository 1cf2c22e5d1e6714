"""Shows what the window took from the slot: each part as often as an eye can follow, none with heavy work."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine.slot import TICK_MS
from app.engine.threads import on_own_thread
from app.window.run_display import RunDisplay

if TYPE_CHECKING:
    from app.engine.snapshot import Shown
    from app.engine.state import State
    from app.engine.worker import Worker
    from app.window.choice import RunChoice
    from app.window.commands.input import InputCommands
    from app.window.layout import Parts, Views
    from app.window.shown_frame import ShownFrame
    from core.parameter import Value
    from core.session.report import Report

FIGURES_S = 0.25
"""Least time between two changes of numbers, seconds: faster cannot be read."""

GOES_ON = "Curves begin where learning goes on; earlier ones are not kept"
"""Where there would be curves, once a project was opened."""


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
        self._shown_frame = shown_frame
        self._run_display = RunDisplay(parts.status, worker, input_, choice)
        self._run = 0
        self._figures_at = 0.0
        self._awaits_values = False
        self._has_own_passes = False
        self._enlarged: frozenset[int] = frozenset()
        self._late: Callable[[], None] | None = None
        self._learns_on_at: int | None = None
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
        self._late = None
        self._shown_frame.index = None
        self._views.panes.clear()
        self._views.basis.clear()
        self._views.timeline.begin_another()
        self._parts.method.figures.clear()
        for form in (self._parts.method.form, self._parts.source.mask_form):
            form.forget_automatic()
        self._run_display.clear()

    def begin(self, run: int, *, goes_on: bool) -> None:
        """Empty the plots and show the values in force: a run begins, of this number in the slot.

        ``goes_on``: from what was learnt before, of which no curves are kept.
        """
        self._run = run
        self._views.plots.clear(hint=GOES_ON if goes_on else None)
        self._run_display.begin(goes_on=goes_on)
        self._awaits_values = True
        self._late = None
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
        self._run_display.show_going(going_to)
        learns_on_at = self._worker.learns_on_at
        if learns_on_at != self._learns_on_at:
            self._learns_on_at = learns_on_at
            self._parts.status.offer_learning(learns_on_at is not None)
            self._views.timeline.marks.show_learning(learns_on_at)

    @on_own_thread
    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show the values in force in the panels."""
        self._parts.method.form.show_values(values)
        self._parts.source.mask_form.show_values(values)

    def show_state(self, state: State) -> None:
        """Show whether it plays."""
        self._views.timeline.set_playing(state.is_playing)
        self._run_display.show_state(state)
        if not state.is_playing:
            self._show_late()

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
        self._parts.method.figures.show_report(report)
        for form in (self._parts.method.form, self._parts.source.mask_form):
            form.show_automatic(shown.automatic or {})
        self._run_display.show(shown, report, has_own_passes=self._has_own_passes)

    def _tell_enlarged(self) -> None:
        enlarged = frozenset(self._views.basis.dialogs)
        if enlarged != self._enlarged:
            self._enlarged = enlarged
            self._worker.set_enlarged(enlarged)
