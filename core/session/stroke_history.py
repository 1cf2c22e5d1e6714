"""Strokes that people paint on frames while a session runs: taken for true at once, and taken back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.frames.frame import Frame, Layout, Values
from core.frames.split import Split
from core.methods.base import Method
from core.scene.clean_plate import Hidden
from core.scene.masks.corrections import Corrections
from core.scene.masks.strokes import Pixels, Stroke
from core.session.feedback import MaskFeedback
from core.session.phase import Phase
from core.session.report import Report

MOST_UNDOABLE = 5
"""Strokes that can be taken back; each holds the report that was shown."""


@dataclass(frozen=True)
class Painted:
    """One stroke, and how things were before it.

    Attributes
    ----------
    strokes : tuple of Stroke
        What was remembered.
    frame : Frame
        That it was painted on.
    scene : (F,) samples
        What was taken for the background there.
    background : (H, W) bool, or None
        Where it says what the background is.
    where : (H, W) bool
        All that was painted.
    hidden : Hidden
        What the plate knew of it.
    report : Report or None
        What was shown.
    """

    strokes: tuple[Stroke, ...]
    frame: Frame
    scene: Values
    background: Pixels | None
    where: Pixels
    hidden: Hidden
    report: Report | None


class ByHand:
    """Takes strokes for true, shows them on the last report, and takes them back.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    method : Method
        Splits frames with what is learnt so far.
    feedback : MaskFeedback
        Passes on what was painted.
    corrections : Corrections
        What is remembered.

    Attributes
    ----------
    report : Report or None
        The last report, which its owner sets.
    """

    def __init__(
        self,
        layout: Layout,
        method: Method,
        feedback: MaskFeedback,
        corrections: Corrections,
    ) -> None:
        self._layout, self._method, self._feedback, self.corrections = layout, method, feedback, corrections
        self.report: Report | None = None
        self._done: list[Painted] = []

    def paint(self, frame: Frame, background: Pixels | None, foreground: Pixels | None) -> Report | None:
        """Take what was painted as either for true (see `core.session.session.Session.correct`)."""
        before, report, scene = self.corrections.strokes, self.report, self._split(frame).samples(self._layout)
        hidden = self._feedback.hidden()
        painted = np.zeros((self._layout.height, self._layout.width), np.bool_)
        for where, is_background in ((background, True), (foreground, False)):
            if where is not None:
                self.corrections.add(where, frame, is_background=is_background)
                painted |= where
        if background is not None:
            self._feedback.overwrite_background(frame.values, background)
        done = Painted(before, frame, scene, background, painted, hidden, report)
        self._done = [*self._done[1 - MOST_UNDOABLE :], done]
        if report is None or report.frame.index != frame.index or report.phase is Phase.GATHERING:
            return None
        mask = report.mask.copy()
        if background is not None:
            mask[background] = 0
        if foreground is not None:
            mask[foreground] = 255
        self.report = replace(report, split=self._split(frame), mask=mask)
        return self.report

    @property
    def can_undo(self) -> bool:
        """Whether there is a stroke to take back."""
        return bool(self._done)

    def forget(self) -> None:
        """Remember nothing of what was painted."""
        self.corrections.restore(())
        self._done = []

    def move(self, down: int, right: int) -> None:
        """Remember all strokes so many pixels (even) lower and further right; what was done so far stays done."""
        self.corrections.move(down, right)
        self._done = []

    def undo(self) -> Report | None:
        """Forget what was painted last; return its report as it was, where that frame is still the last one."""
        painted = self._done.pop()
        self.corrections.restore(painted.strokes)
        since = self._feedback.hidden()
        if painted.background is not None:
            self._feedback.overwrite_background(painted.scene, painted.background)
        for hidden in (since, painted.hidden):  # Frames from after the stroke count as they do; those before as before.
            self._feedback.restore(hidden, painted.where)
        if painted.report is None or self.report is None or self.report.frame.index != painted.report.frame.index:
            return None
        self.report = replace(painted.report, split=self._split(painted.report.frame))
        return self.report

    def _split(self, frame: Frame) -> Split:
        return self._method.transform(frame.values)
