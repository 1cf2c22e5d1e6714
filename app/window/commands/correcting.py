"""Correction by hand: the brush, its bar, and what it tells the worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtWidgets import QAbstractButton

    from app.engine.worker import Worker
    from app.panels.brush import BrushBar
    from app.views.panes import PanesView
    from core.session.report import Report

SPAN_FRAMES = 25
"""Frames of the span that is suggested, from the one that is shown on: a second."""


class CorrectCommands(QObject):
    """Takes the brush up and puts it away, and hands strokes to the worker.

    Parameters
    ----------
    worker : Worker
    bar : BrushBar
    switch : QAbstractButton
        On while the brush is taken up.
    parent : QObject

    Signals
    -------
    asked() : the worker is about to be given a stroke, or told to forget all; `PaintedEngine.done_by_hand` answers
    """

    asked = Signal()

    def __init__(self, worker: Worker, bar: BrushBar, switch: QAbstractButton, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker, self._bar, self._switch = worker, bar, switch
        self._panes: PanesView | None = None
        switch.toggled.connect(self._on_switch)
        bar.changed.connect(self._apply_brush)
        bar.closed.connect(self._put_away)
        bar.span_chosen.connect(self._suggest_span)
        bar.forget_requested.connect(self.forget)

    def attach(self, panes: PanesView) -> None:
        """Let people paint on the panes, which are there now."""
        self._panes = panes
        panes.stroke_painted.connect(self._on_stroke)
        panes.brush_left.connect(self._put_away)
        panes.brush_thickened.connect(self._bar.slider.thicken)
        self._apply_brush()

    def forget(self) -> None:
        """Remember nothing of what was painted."""
        self.asked.emit()
        self._worker.forget_painted()

    def toggle_learning(self) -> None:
        """Let strokes teach, or correct their frame only; nothing while the brush is put away."""
        if self._switch.isChecked():
            self._bar.toggle_learning()

    def _on_stroke(self, report: Report, where: NDArray[np.bool_], is_background: bool) -> None:
        self.asked.emit()
        self._worker.correct(report, where, is_background, self._bar.frames_for(report.frame.index))

    def _suggest_span(self) -> None:
        shown = self._shown_frame
        if shown is not None:
            self._bar.show_span(shown, shown + SPAN_FRAMES - 1)

    @property
    def _shown_frame(self) -> int | None:
        """Number of the frame that is shown, from 0."""
        report = None if self._panes is None else self._panes.report
        return None if report is None else report.frame.index

    def _put_away(self) -> None:
        self._switch.setChecked(False)

    def _on_switch(self, on: bool) -> None:
        if self._panes is not None:
            # So that Esc reaches it, and that no button of the bar hands the keys on to a list as it goes.
            self._panes.setFocus()
        if on and not self._bar.holds_on(self._shown_frame):
            self._suggest_span()  # It is of another place or clip: what is painted would change nothing here.
        self._bar.setVisible(on)
        self._apply_brush()

    def _apply_brush(self) -> None:
        from app.views.tools.brush import Brush  # noqa: PLC0415 - needs OpenCV

        if self._panes is not None:
            on = self._switch.isChecked()
            self._panes.set_brush(Brush(self._bar.paints_background, self._bar.slider.value()) if on else None)
