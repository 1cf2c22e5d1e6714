"""What strokes teach the head of the mask."""

from __future__ import annotations

import numpy as np

from core.frames.frame import Frame
from core.frames.split import Split
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.lessons import Lesson
from core.scene.masks.strokes import Pixels
from core.scene.tuning import SETTLED_FRAMES
from core.session.last_frame import LastFrame
from core.session.phase import Phase


class StrokeLessons:
    """Makes lessons of strokes.

    Parameters
    ----------
    foreground : Foreground
        Has the head, and says what it sees.
    corrections : Corrections
        What was painted before: nothing else is learnt of these pixels.
    last : LastFrame
        Tells how far the run has come.
    """

    def __init__(self, foreground: Foreground, corrections: Corrections, last: LastFrame) -> None:
        self._foreground, self._corrections, self._last = foreground, corrections, last

    def of_strokes(
        self, frame: Frame, split: Split, background: Pixels | None, foreground: Pixels | None, stays: Pixels | None
    ) -> list[Lesson]:
        """Return what strokes on a frame teach: nothing before the head is asked, or where others make masks.

        Nor in the first frames, where not the head errs, but the background is hardly known; nor does what was painted
        as background and has stayed, which the background is taken from.

        Parameters
        ----------
        frame : Frame
            Aligned with the scene.
        split : Split
            What the method makes of it now.
        background, foreground : (H, W) bool, or None
            What was painted as either.
        stays : (H, W) bool, or None
            Where what was painted as background has stayed; None: it is not known.
        """
        report = self._last.report
        if report is None or report.phase is Phase.GATHERING or split.mask is not None:
            return []
        if self._foreground.n_learnt < SETTLED_FRAMES:
            return []
        is_shown = report.frame.index == frame.index
        is_alone = report.phase is Phase.LOOKING and is_shown
        unsaid = self._unsaid(frame, background, foreground)
        if background is not None and stays is not None:
            background = background & ~stays
        before = report.compared_with if is_shown else split.samples(frame.layout)
        there = self._last.foreground_of(frame.index)
        lessons = [
            there.lesson(
                frame, before, painted, unsaid, is_foreground=is_foreground, may_stay=stays is None,
                is_alone=is_alone,
            )
            for painted, is_foreground in ((background, False), (foreground, True))
            if painted is not None
        ]  # fmt: skip
        return [lesson for lesson in lessons if lesson is not None]

    def _unsaid(self, frame: Frame, background: Pixels | None, foreground: Pixels | None) -> Pixels:
        """Return the pixels (H, W) of a frame of which nobody has said anything, by these strokes or before."""
        unsaid = np.ones(frame.layout.shapes[0], np.bool_)
        for stroke in self._corrections.strokes:
            if stroke.index == frame.index:
                unsaid[stroke.part] &= ~stroke.where
        for painted in (background, foreground):
            if painted is not None:
                unsaid &= ~painted
        return unsaid
