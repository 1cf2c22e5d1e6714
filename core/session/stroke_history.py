"""Strokes that people paint on frames while a session runs: taken for true at once, taught, and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout
from core.frames.split import Split
from core.methods.base import Method
from core.scene.areas import Areas
from core.scene.masks.agreement import agrees, frames_agreed
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.marks import Marks
from core.scene.masks.recoloured_strokes import can_recolour, recoloured
from core.scene.masks.strokes import Pixels, Span
from core.session.alignment import Aligner, to_scene
from core.session.area_state import AreaState
from core.session.iterating_thread import IteratingThread
from core.session.last_frame import LastFrame
from core.session.painted import Painted
from core.session.phase import Phase
from core.session.report import Report
from core.session.stroke_feedback import StrokeFeedback
from core.session.stroke_lessons import StrokeLessons
from core.session.strokes import Strokes

MOST_UNDOABLE = 5
"""Strokes that can be taken back; each holds the report that was shown."""


class StrokeHistory:
    """Takes strokes for true, shows them on the last report, and takes them back.

    Any thread may read `painted` and `now`; the rest is for the thread that iterates, between two frames, and checked.

    Parameters
    ----------
    thread : IteratingThread
    method : Method
        Splits frames with what is learnt so far.
    feedback : StrokeFeedback
        Passes on what strokes say of the scene.
    corrections : Corrections
        What is remembered.
    foreground : Foreground
        Is taught.
    aligner : Aligner
        Brings the frame that was painted on into line with the scene.
    last : LastFrame
        Where strokes are shown.
    layout : Layout
        Of the frames.
    areas : AreaState
        They go before strokes.
    """

    def __init__(
        self, thread: IteratingThread, method: Method, feedback: StrokeFeedback, corrections: Corrections,
        foreground: Foreground, aligner: Aligner, last: LastFrame, areas: AreaState, layout: Layout,
    ) -> None:  # fmt: skip
        self._thread, self._method, self._feedback = thread, method, feedback
        self._corrections, self._foreground, self._aligner, self._last = corrections, foreground, aligner, last
        self._areas, self._layout = areas, layout
        self._lessons = StrokeLessons(foreground, corrections, last)
        self._done: list[Painted] = []
        self._undone: list[Painted] = []
        self._note()

    @property
    def now(self) -> Strokes:
        """What was painted by hand and is remembered: as it was before what is painted this moment, or after it."""
        return self._now

    def _note(self) -> None:
        """Let others know, in one assignment: no stroke is seen without what it teaches."""
        self._now = Strokes(self._layout, self._corrections.strokes, self._foreground.lessons)

    @property
    def painted(self) -> Mapping[str, NDArray[np.generic]]:
        """What was painted by hand and is remembered, as arrays for `core.session.settings.Settings.painted`."""
        return self.now.arrays

    def paint(
        self,
        frame: Frame,
        background: Pixels | None = None,
        foreground: Pixels | None = None,
        *,
        frames: Span | None = None,
    ) -> Report | None:
        """Take what a person painted on a frame for true, and remember it (`core.scene.masks.corrections`).

        After the first frames it also teaches what is like it, in all frames from now on (`core.scene.masks.lessons`).
        The background is taken from the frame where that agrees (`core.scene.masks.agreement`), else stays as it is.

        Parameters
        ----------
        frame : Frame
            As a report had it.
        background, foreground : (H, W) bool, optional
            What was painted as either, at the working size.
        frames : Span, optional
            These are corrected and no others, and nothing is learnt from it.

        Returns
        -------
        Report or None
            The last report corrected, where it is of this frame.

        Raises
        ------
        CleanplateError
            As much is painted as can be remembered: the stroke is left out, and all else stays as it was.
        """
        self._thread.check()
        learns = frames is None
        seen = self._aligner.aligned(frame, self._last.split)
        background, foreground = (to_scene(where, frame) for where in (background, foreground))
        before, report = self.now, self._report
        split, hidden = self._split(seen), self._feedback.hidden()
        where, told = np.zeros(seen.layout.shapes[0], np.bool_), None
        agreed, stays = None, None
        if background is not None:
            still = self._foreground.frames_still(frame.index)
            agreed = frames_agreed(background, still)
            stays = None if still is None else agrees(agreed) & (still > 0)
        lessons = self._lessons.of_strokes(seen, split, background, foreground, stays) if learns else []
        with self._corrections.all_or_none():
            for painted, is_background in ((background, True), (foreground, False)):
                if painted is not None:
                    self._corrections.add(painted, seen, is_background=is_background, frames=frames, agreed=agreed)
                    where |= painted
        if background is not None and agreed is not None and learns:
            told = background & agrees(agreed)
            self._feedback.overwrite_background(seen.values, told)
        if lessons:
            self._foreground.teach([*before.lessons, *lessons])
        self._note()
        said, scene = background if learns else None, split.samples(seen.layout)
        began = self._feedback.scene_began
        done = Painted(before, self.now, began, seen.values, scene, said, told, where, hidden, report)
        self._done, self._undone = [*self._done[1 - MOST_UNDOABLE :], done], []
        here = frames is None or frames[0] <= frame.index <= frames[1]
        shown = self._shown(frame, seen, background, foreground, teaches=bool(lessons)) if here else None
        if foreground is not None and learns:
            self._feedback.hide_painted()
        return shown

    def _shown(
        self, frame: Frame, seen: Frame, background: Pixels | None, foreground: Pixels | None, *, teaches: bool
    ) -> Report | None:
        """Return the last report with what was just painted on its frame; None where it is of another frame.

        Parameters
        ----------
        frame : Frame
            That was painted on, as a report had it.
        seen : Frame
            The same, aligned with the scene.
        background, foreground : (H, W) bool, optional
            What was painted, in the coordinates of the scene.
        teaches : bool
            The same mistake elsewhere in the frame goes, too.
        """
        report = self._report
        if report is None or report.frame.index != frame.index or report.phase is Phase.GATHERING:
            return None
        if teaches:
            self._last.look_again(split_anew=True)
            report = self._last.report or report
        found = _corrected(report, background, foreground).without(self._areas.never(frame))
        report = replace(report, split=self._split(seen), mask=found.mask, may_hide=found.may_hide)
        return self._last.show(replace(report, painted=found.painted))

    def undo(self) -> Report | None:
        """Forget what was painted last; what it said of the background stays where another scene is shown by now.

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
        self._undone.append(painted)
        self._remember(painted.before)
        since = self._feedback.hidden()
        if painted.background is not None and self._is_of_scene(painted):
            self._feedback.overwrite_background(painted.scene, painted.background)
        for hidden in (since, painted.hidden):  # Frames from after the stroke count as they do; those before as before.
            self._feedback.restore(hidden, painted.where)
        then, now = painted.report, self._report
        if then is None or now is None or now.frame.index != then.frame.index:
            return self._last.look_again(split_anew=True)
        return self._last.show(replace(then, split=self._split(then.frame)))

    def restore(self, strokes: Strokes) -> Report | None:
        """Remember what was painted at another time, and nothing else.

        One stroke less or more is taken back, or painted again, with what it said of the background, while that is
        still known (`MOST_UNDOABLE`) and its scene is shown. Strokes on frames of another size are left alone; of
        those in other planes only the strokes are remembered, not what they taught.

        Returns
        -------
        Report or None
            The last one, looked at again.
        """
        self._thread.check()
        if strokes.layout.shapes != self._layout.shapes:
            if not can_recolour(strokes.layout, self._layout):
                return None
            carried = tuple(recoloured(one, strokes.layout, self._layout) for one in strokes.strokes)
            strokes = Strokes(self._layout, carried)
        if self._done and self._done[-1].before.is_same(strokes):
            return self.undo()
        again = self._undone.pop() if self._undone and self._undone[-1].after.is_same(strokes) else None
        self._remember(strokes)
        if again is None:
            self._done, self._undone = [], []
            return self._last.look_again(split_anew=True)
        self._done.append(again)
        if again.told is not None and self._is_of_scene(again):
            self._feedback.overwrite_background(again.seen, again.told)
        self._feedback.hide_painted()
        return self._last.look_again(split_anew=True)

    def _is_of_scene(self, painted: Painted) -> bool:
        """Tell whether it was painted on the scene that is shown now."""
        return painted.scene_began == self._feedback.scene_began

    def _remember(self, strokes: Strokes) -> None:
        self._corrections.restore(strokes.strokes)
        self._foreground.teach(strokes.lessons)
        self._note()

    def forget(self) -> Report | None:
        """Remember nothing of what was painted any more; what the background learnt from it stays.

        Returns
        -------
        Report or None
            The last one, looked at again.
        """
        self._thread.check()
        self._remember(Strokes(self._layout))
        self._done, self._undone = [], []
        return self._last.look_again()

    @property
    def areas(self) -> Areas:
        """What is excluded from the next frame on."""
        self._thread.check()
        return self._areas.areas

    def set_areas(self, areas: Areas) -> Report | None:
        """Exclude these areas and no others from the next frame on; nothing that was learnt changes.

        Returns
        -------
        Report or None
            The last one, looked at again.

        Raises
        ------
        CleanplateError
            They are for an input of another size.
        """
        self._thread.check()
        self._areas.set(areas)
        return self._last.look_again()

    def move(self, down: int, right: int) -> None:
        """Remember all strokes so many pixels (even) lower and further right; what was done so far stays done."""
        self._thread.check()
        self._corrections.move(down, right)
        self._note()
        self._done, self._undone = [], []

    @property
    def _report(self) -> Report | None:
        """The last report; None where it is of an iteration, which shows a frame of some time ago."""
        report = self._last.report
        return None if report is None or report.iteration is not None else report

    def _split(self, frame: Frame) -> Split:
        return self._method.transform(frame.values)


def _corrected(report: Report, background: Pixels | None, foreground: Pixels | None) -> Marks:
    """Return what is marked of the frame of a report once pixels (H, W) of it were painted."""
    mask, may_hide = report.mask.copy(), report.hidden.copy()
    painted = np.zeros_like(mask) if report.painted is None else report.painted.copy()
    if background is not None:
        mask[background] = may_hide[background] = painted[background] = 0
    if foreground is not None:
        mask[foreground] = may_hide[foreground] = painted[foreground] = 255
    return Marks(mask, may_hide, may_hide, painted=painted)
