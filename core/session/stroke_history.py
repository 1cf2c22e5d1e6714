"""Strokes that people paint on frames while a session runs: taken for true at once, and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Values
from core.frames.split import Split
from core.methods.base import Method
from core.scene.clean_plate import Hidden
from core.scene.masks.corrections import Corrections
from core.scene.masks.strokes import Pixels, Stroke
from core.session.alignment import Aligner, to_scene
from core.session.feedback import MaskFeedback
from core.session.iterating_thread import IteratingThread
from core.session.last_frame import LastFrame
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
    scene : (F,) samples
        What was taken for the background in the frame that was painted on.
    background : (H, W) bool, or None
        Where the stroke says what the background is.
    where : (H, W) bool
        All that was painted.
    hidden : Hidden
        What the plate knew of it.
    report : Report or None
        What was shown.
    """

    strokes: tuple[Stroke, ...]
    scene: Values
    background: Pixels | None
    where: Pixels
    hidden: Hidden
    report: Report | None


class StrokeHistory:
    """Takes strokes for true, shows them on the last report, and takes them back.

    Any thread may read `painted`; the rest is for the thread that iterates, between two frames, and checked.

    Parameters
    ----------
    thread : IteratingThread
    method : Method
        Splits frames with what is learnt so far.
    feedback : MaskFeedback
        Passes on what strokes say of the background.
    corrections : Corrections
        What is remembered.
    aligner : Aligner
        Brings the frame that was painted on into line with the scene.
    last : LastFrame
        Where strokes are shown.
    """

    def __init__(
        self, thread: IteratingThread, method: Method, feedback: MaskFeedback, corrections: Corrections,
        aligner: Aligner, last: LastFrame,
    ) -> None:  # fmt: skip
        self._thread, self._method, self._feedback = thread, method, feedback
        self._corrections, self._aligner, self._last = corrections, aligner, last
        self._done: list[Painted] = []

    @property
    def painted(self) -> Mapping[str, NDArray[np.generic]]:
        """What was painted by hand and is remembered, as arrays for `core.session.settings.Settings.painted`."""
        return self._corrections.state()

    def paint(self, frame: Frame, background: Pixels | None = None, foreground: Pixels | None = None) -> Report | None:
        """Take what a person painted on a frame for true, and remember it (`core.scene.masks.corrections`).

        Parameters
        ----------
        frame : Frame
            As a report had it.
        background, foreground : (H, W) bool, optional
            What was painted as either, at the working size.

        Returns
        -------
        Report or None
            The last report corrected, where it is of this frame.
        """
        self._thread.check()
        seen = self._aligner.aligned(frame, self._last.split)
        background, foreground = (to_scene(where, frame) for where in (background, foreground))
        before, report = self._corrections.strokes, self._report
        scene, hidden = self._split(seen).samples(seen.layout), self._feedback.hidden()
        where = np.zeros(seen.layout.shapes[0], np.bool_)
        for painted, is_background in ((background, True), (foreground, False)):
            if painted is not None:
                self._corrections.add(painted, seen, is_background=is_background)
                where |= painted
        if background is not None:
            self._feedback.overwrite_background(seen.values, background)
        done = Painted(before, scene, background, where, hidden, report)
        self._done = [*self._done[1 - MOST_UNDOABLE :], done]
        shown = None
        if report is not None and report.frame.index == frame.index and report.phase is not Phase.GATHERING:
            mask, covered = report.mask.copy(), report.hidden.copy()
            for painted, marks in ((background, 0), (foreground, 255)):
                if painted is not None:
                    mask[painted] = covered[painted] = marks
            shown = self._last.show(replace(report, split=self._split(seen), mask=mask, covered=covered))
        if foreground is not None:
            self._feedback.hide_painted()
        return shown

    def undo(self) -> Report | None:
        """Forget what was painted last.

        Returns
        -------
        Report or None
            As it was, where its frame is still the last one; else the last one, looked at again. None where there was
            nothing to take back, or nothing to show.
        """
        self._thread.check()
        if not self._done:
            return None
        painted = self._done.pop()
        self._corrections.restore(painted.strokes)
        since = self._feedback.hidden()
        if painted.background is not None:
            self._feedback.overwrite_background(painted.scene, painted.background)
        for hidden in (since, painted.hidden):  # Frames from after the stroke count as they do; those before as before.
            self._feedback.restore(hidden, painted.where)
        then, now = painted.report, self._report
        if then is None or now is None or now.frame.index != then.frame.index:
            return self._last.look_again(split_anew=True)
        return self._last.show(replace(then, split=self._split(then.frame)))

    def forget(self) -> Report | None:
        """Remember nothing of what was painted any more; what was learnt from it stays.

        Returns
        -------
        Report or None
            The last one, looked at again.
        """
        self._thread.check()
        self._corrections.restore(())
        self._done = []
        return self._last.look_again()

    def move(self, down: int, right: int) -> None:
        """Remember all strokes so many pixels (even) lower and further right; what was done so far stays done."""
        self._thread.check()
        self._corrections.move(down, right)
        self._done = []

    @property
    def _report(self) -> Report | None:
        """The last report; None where it is of an iteration, which shows a frame of some time ago."""
        report = self._last.report
        return None if report is None or report.iteration is not None else report

    def _split(self, frame: Frame) -> Split:
        return self._method.transform(frame.values)
