"""Shows what the window of a comparison takes from its slot: columns, curves, timeline, and a line of words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.engine.slot import TICK_MS
from app.engine.state import State
from app.engine.threads import on_own_thread
from app.rate_words import rate_words
from app.spoken import show_words
from app.views.going_words import GoingWords
from core.session.comparison import FIGURES

if TYPE_CHECKING:
    from app.compare.layout import CompareParts
    from app.compare.snapshot import Compared
    from app.compare.worker import CompareWorker
    from core.io.sources.base import SourceInfo
    from core.session.report import Report

ALWAYS = ("residual", "ms")
"""What is known whatever the input."""


def hint_of(passes: int) -> str:
    """Say when curves begin, of an input that is read so often."""
    if passes > 1:
        return f"Curves begin with pass {passes} of {passes}: those before only learn"
    return "Curves begin when all methods run together: some learn from the whole input before"


class CompareDisplay(QObject):
    """Puts what is new into the parts of the window.

    Parameters
    ----------
    parts : CompareParts
    worker : CompareWorker
        What is new lies in its slot.
    parent : QObject

    Attributes
    ----------
    index : int
        Number of the frame that is shown, from 0.
    info : SourceInfo or None
        None until the input is open.
    state : State
    is_current : bool
        Whether what is shown is of the run that was asked for last.
    """

    def __init__(self, parts: CompareParts, worker: CompareWorker, parent: QObject) -> None:
        super().__init__(parent)
        self._parts, self._worker = parts, worker
        self._run, self._passes = 0, 1
        self.is_current = False
        self._known = set(ALWAYS)
        parts.plots.offer(self._known)
        self.index = 0
        self.info: SourceInfo | None = None
        self.state = State.PREPARING
        self._work = self._going = ""
        self._going_words = GoingWords()
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self.tick)
        self._timer.start()

    def stop(self) -> None:
        """Take nothing any more: the window is closing."""
        self._timer.stop()

    def expect(self, run: int, passes: int) -> None:
        """Show nothing but this run from now on, which reads the input so often."""
        self._run, self._passes = run, passes
        self.is_current = False
        if self.info is None:  # Else what was shown before stays until there is something of this.
            self._parts.plots.clear(hint_of(passes))

    def tick(self) -> None:
        """Take what is new out of the slot, and show it."""
        going_to = self._worker.going_to  # Before the slot: where it is there by now, it is shown at once.
        shown = self._worker.slot.take(self._run)
        if shown is not None:
            self._show(shown)
        self._parts.timeline.show_going_to(going_to)
        going = self._going_words.of(going_to)
        if going != self._going:
            self._going = going
            self._show_title(0.0)

    def _show(self, shown: Compared) -> None:
        if not self.is_current:
            self._begin()
        self._show_points(shown)
        self._offer_known(shown)
        if shown.pictures is None:
            return
        self._parts.view.show_turn(shown.pictures)
        newest = next((one.report for one in shown.pictures if one is not None and not one.waits), None)
        if newest is not None:
            self._show_position(newest)
        self._show_title(shown.fps or 0.0 if self.state.is_playing else 0.0)

    def _begin(self) -> None:
        self.is_current = True
        self._parts.plots.clear(hint_of(self._passes))
        self._parts.view.clear()
        self._known = set(ALWAYS)

    def _show_points(self, shown: Compared) -> None:
        for point in shown.points:
            self._parts.plots.append(point.n, **point.values)

    def _offer_known(self, shown: Compared) -> None:
        """Offer what is known of the truth, of frames that only teach too; another input may have none."""
        reports = [one.report for one in shown.pictures or () if one is not None]
        if shown.points or reports:
            # What was known of one frame stays, though the next has no labels: its curve is there.
            self._known.update(*(point.values for point in shown.points))
            self._known.update(*(set(FIGURES) & report.figures.keys() for report in reports))
            self._parts.plots.offer(self._known)

    def _show_position(self, report: Report) -> None:
        if report.iteration is not None:
            return  # Iterations go over the frames in no order.
        self.index = report.frame.index
        # A batch method reads twice, however often the others do.
        pass_index = min(report.pass_index, self._passes - 1)
        self._parts.timeline.set_position(report.frame.index, report.frame.time_s, pass_index, self._passes)

    def on_opened(self, info: SourceInfo) -> None:
        """Show what is known of the input."""
        self.info = info
        self._parts.timeline.set_range(info.n_frames, info.frames_per_s, info.live)
        self._show_title(0.0)

    @on_own_thread
    def on_counted(self, n_frames: int | None) -> None:
        """Show how many frames there are: the input was read to its end."""
        if self.info is not None and self.info.n_frames != n_frames:
            self.on_opened(replace(self.info, n_frames=n_frames))

    @on_own_thread
    def on_state(self, state: State) -> None:
        """Show what goes on."""
        self.state = state
        self._parts.timeline.set_playing(state.is_playing)
        self._show_title(0.0)

    @on_own_thread
    def on_working(self, work: str) -> None:
        """Show long work between two frames until it is done; empty: it is."""
        self._work = work
        self._show_title(0.0)

    def _show_title(self, fps: float) -> None:
        speed = f" · {rate_words(fps)} with all methods" if fps else ""
        words = self._work or self._going or ("Running" if self.state.is_playing else self.state.value)
        name = f"{self.info.title} · " if self.info is not None else ""
        show_words(self._parts.title, f"{name}{words}{speed}")
