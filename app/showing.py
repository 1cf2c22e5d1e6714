"""Shows what the window took from the slot: each part as often as an eye can follow, none with heavy work."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.player import State

if TYPE_CHECKING:
    from app.layout import Parts, Views
    from app.mailbox import Shown
    from app.worker import Worker
    from core.report import Report
    from core.sources.base import SourceInfo

FIGURES_S = 0.25
"""Least time between two changes of numbers, seconds: faster cannot be read."""


class Showing:
    """Puts what is new into panes, strip, plots, figures, timeline and status bar.

    Parameters
    ----------
    parts : Parts
    views : Views
    worker : Worker
        Told which basis images are enlarged.
    """

    def __init__(self, parts: Parts, views: Views, worker: Worker) -> None:
        self._parts, self._views, self._worker = parts, views, worker
        self._figures_at = 0.0
        self._sync = False
        self._enlarged: frozenset[int] = frozenset()
        self._last: tuple[Report, Shown] | None = None
        self.index = 0

    def begin(self) -> None:
        """Empty the plots and show the values in force: a run begins anew."""
        self._views.plots.clear()
        self._sync = True
        self._figures_at = 0.0

    def sync_values(self) -> None:
        """Show the values in force with the next frame; something else than the panels changed them."""
        self._sync = True

    def show(self, shown: Shown, info: SourceInfo | None, passes: int, *, applying: bool) -> None:
        """Show what is new."""
        views = self._views
        for point in shown.points:
            views.plots.append(point.n, objective=point.objective, residual=point.residual, h=point.h, fps=point.fps)
        if shown.basis is not None:
            views.basis.show_basis(shown.basis, shown.shares or [])
            self._tell_enlarged()
        report = shown.report
        if report is None:
            if shown.confidence is not None:
                views.panes.show_confidence(shown.confidence)
            return
        views.panes.show_report(report, shown.pictures)
        if shown.confidence is not None:
            views.panes.show_confidence(shown.confidence)
        self.index = report.frame.index
        views.timeline.set_position(report.frame.index, report.frame.time_s, report.pass_index, report.n_passes)
        if self._sync and shown.values:
            self._sync = False
            self._parts.method.form.show_values(shown.values)
            self._parts.source.mask.show_values(shown.values)
        now = time.perf_counter()
        if now - self._figures_at > FIGURES_S or not views.timeline.playing:
            self._figures_at = now
            self._show_numbers(shown, report, info, passes, applying=applying)

    def show_state(self, state: State) -> None:
        """Show whether it plays."""
        self._views.timeline.set_playing(state in (State.LEARNING, State.APPLYING))
        if state in (State.FINISHED, State.IDLE):
            self._parts.status.show_progress(None, None)

    def _show_numbers(
        self, shown: Shown, report: Report, info: SourceInfo | None, passes: int, *, applying: bool
    ) -> None:
        parts = self._parts
        parts.method.figures.show_report(report)
        if shown.fps or shown.n_learnt:
            parts.status.show_rate(shown.fps, shown.n_learnt, applying=applying)
        total = info.n_frames if info is not None else None
        if not total:
            parts.status.show_progress(None, None)
            return
        done = report.pass_index * total + report.frame.index + 1
        whole = max(report.n_passes * total, done)
        if done >= whole:
            parts.status.show_progress(None, None)
        else:
            parts.status.show_progress(done / whole, (whole - done) / shown.fps if shown.fps else None)

    def _tell_enlarged(self) -> None:
        enlarged = frozenset(self._views.basis.dialogs)
        if enlarged != self._enlarged:
            self._enlarged = enlarged
            self._worker.set_enlarged(enlarged)
