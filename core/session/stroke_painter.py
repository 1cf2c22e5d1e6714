"""A stroke that a person paints on a frame: taken for true, taught, and shown on the last report."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.frames.frame import Frame
from core.frames.split import Split
from core.scene.masks.agreement import agrees, frames_agreed
from core.scene.masks.marks import Marks
from core.scene.masks.strokes import Pixels, Span
from core.session.alignment import to_scene
from core.session.painted import Painted
from core.session.phase import Phase
from core.session.remembered_strokes import RememberedStrokes
from core.session.report import Report
from core.session.scene_parts import SceneParts
from core.session.stroke_feedback import StrokeFeedback
from core.session.stroke_lessons import StrokeLessons


@dataclass(frozen=True)
class FrameStroke:
    """What a person painted on a frame.

    Attributes
    ----------
    frame : Frame
        As a report had it.
    seen : Frame
        The same, aligned with the scene.
    background, foreground : (H, W) bool, or None
        What was painted as either, in the coordinates of the scene, at the working size.
    frames : Span or None
        These are corrected and no others, and nothing is learnt from it.
    """

    frame: Frame
    seen: Frame
    background: Pixels | None
    foreground: Pixels | None
    frames: Span | None

    @property
    def learns(self) -> bool:
        """Whether it says something of frames like this one, too."""
        return self.frames is None

    @property
    def is_here(self) -> bool:
        """Whether it corrects the frame that it was painted on."""
        return self.frames is None or self.frames[0] <= self.frame.index <= self.frames[1]

    @property
    def where(self) -> Pixels:
        """All that was painted (H, W)."""
        where = np.zeros(self.seen.layout.shapes[0], np.bool_)
        for painted in (self.background, self.foreground):
            if painted is not None:
                where |= painted
        return where


class StrokePainter:
    """Lets all that knows the scene know what is painted, and shows it.

    Parameters
    ----------
    parts : SceneParts
    feedback : StrokeFeedback
        Passes on what strokes say of the scene.
    remembered : RememberedStrokes
        Is told once they are remembered and taught.
    """

    def __init__(self, parts: SceneParts, feedback: StrokeFeedback, remembered: RememberedStrokes) -> None:
        self._foreground, self._corrections = parts.foreground, parts.corrections
        self._aligner, self._scenes, self._last, self._areas = parts.aligner, parts.scenes, parts.last, parts.areas
        self._feedback, self._remembered = feedback, remembered
        self._lessons = StrokeLessons(parts.foreground, parts.corrections, parts.last)

    def on_frame(
        self, frame: Frame, background: Pixels | None, foreground: Pixels | None, frames: Span | None
    ) -> FrameStroke:
        """Return what was painted on a frame as a report had it, brought into line with the scene."""
        other = self._last.other_scene(frame.index)
        begun = None if other is None else other.background(frame)
        seen = self._aligner.aligned(frame, self._last.split, begun)
        return FrameStroke(frame, seen, to_scene(background, frame), to_scene(foreground, frame), frames)

    def take(self, stroke: FrameStroke) -> Painted:
        """Take a stroke for true, and remember it; raises CleanplateError, and changes nothing, where there is no room.

        After the first frames it also teaches what is like it, in all frames from now on (`core.scene.masks.lessons`).
        The background is taken from the frame where that agrees (`core.scene.masks.agreement`), else stays as it is.
        """
        seen, background, foreground = stroke.seen, stroke.background, stroke.foreground
        before, report = self._remembered.now, self.report
        split, scene = self._split(seen), self._scenes.now
        hidden = scene.plate.hidden()
        teaches_scene = stroke.learns and self._last.other_scene(seen.index) is None  # The one that the run shows.
        agreed, stays, told = None, None, None
        if background is not None:
            still = self._foreground.frames_still(seen.index)
            agreed = frames_agreed(background, still)
            stays = None if still is None else agrees(agreed) & (still > 0)
        lessons = self._lessons.of_strokes(seen, split, background, foreground, stays) if stroke.learns else []
        with self._corrections.all_or_none():
            for painted, is_background in ((background, True), (foreground, False)):
                if painted is not None:
                    self._corrections.add(
                        painted, seen, is_background=is_background, frames=stroke.frames, agreed=agreed
                    )
        if background is not None and agreed is not None and teaches_scene:
            told = background & agrees(agreed)
            self._feedback.overwrite_background(seen.values, told)
        if lessons:
            self._foreground.teach([*before.lessons, *lessons])
        self._remembered.note()
        if foreground is not None and stroke.learns:
            self._feedback.hide_painted()
        return Painted(
            before, self._remembered.now, scene.first, seen.values, split.samples(seen.layout),
            background if teaches_scene else None, told, stroke.where, hidden, report, taught=bool(lessons),
        )  # fmt: skip

    def show(self, stroke: FrameStroke, *, taught: bool) -> Report | None:
        """Return the last report with what was just painted; None where it is of another frame, or not corrected.

        ``taught``: it has taught the head, and the same mistake elsewhere in the frame goes, too.
        """
        report = self.report
        if report is None or not stroke.is_here:
            return None
        if report.frame.index != stroke.frame.index or report.phase is Phase.GATHERING:
            return None
        if taught:
            report = self._last.found_again(split_anew=True) or report
        found = _corrected(report, stroke.background, stroke.foreground).without(self._areas.never(stroke.frame))
        report = replace(report, split=self._split(stroke.seen), mask=found.mask, may_hide=found.may_hide)
        return self._last.show(replace(report, painted=found.painted))

    def show_as(self, then: Report | None) -> Report | None:
        """Return the last report as it was before a stroke; where that was of another frame, looked at again."""
        now = self.report
        if then is None or now is None or now.frame.index != then.frame.index:
            return self._last.look_again(split_anew=True)
        return self._last.show(replace(then, split=self._split(then.frame)))

    @property
    def report(self) -> Report | None:
        """The last report; None where it is of an iteration, which shows a frame of some time ago."""
        report = self._last.report
        return None if report is None or report.iteration is not None else report

    def _split(self, frame: Frame) -> Split:
        return self._last.split_anew(frame)


def _corrected(report: Report, background: Pixels | None, foreground: Pixels | None) -> Marks:
    """Return what is marked of the frame of a report once pixels (H, W) of it were painted."""
    mask, may_hide = report.mask.copy(), report.hidden.copy()
    painted = np.zeros_like(mask) if report.painted is None else report.painted.copy()
    if background is not None:
        mask[background] = may_hide[background] = painted[background] = 0
    if foreground is not None:
        mask[foreground] = may_hide[foreground] = painted[foreground] = 255
    return Marks(mask, may_hide, may_hide, painted=painted)
