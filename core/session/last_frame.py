"""The last frame that went down the path: held, it is looked at again as parameters and strokes change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Values
from core.frames.split import Split
from core.methods.base import Method
from core.scene.cleaning import Cleaning
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.marks import Marks
from core.session.area_state import AreaState
from core.session.camera_frame import to_camera_frame
from core.session.other_scene import OtherScene
from core.session.phase import Phase
from core.session.report import Report


class LastFrame:
    """Keeps the report of the last frame in the coordinates of the scene, and hands it out as the frame came.

    Parameters
    ----------
    method : Method
    foreground : Foreground
    corrections : Corrections
        What people painted.
    areas : AreaState
        What they exclude.
    """

    def __init__(self, method: Method, foreground: Foreground, corrections: Corrections, areas: AreaState) -> None:
        self._method, self._foreground, self._corrections, self._areas = method, foreground, corrections, areas
        self._split: Split | None = None
        self._held: tuple[Report, Frame] | None = None
        self._of_run: tuple[Report, Frame] | None = None
        self._other: OtherScene | None = None

    @property
    def of_run(self) -> tuple[Report, Frame] | None:
        """The last report that `put` took, as it is now, with its frame as it came; others may be looked at since."""
        return self._of_run

    @property
    def split(self) -> Split | None:
        """What the method made of the last frame when it came; None before the first one."""
        return self._split

    @property
    def background(self) -> Values | None:
        """The background (F,) as it was last recovered; None before the first frame."""
        return None if self._split is None or self._held is None else self._split.samples(self._held[0].frame.layout)

    @property
    def report(self) -> Report | None:
        """The last report, in the coordinates of the scene; None before the first one."""
        return None if self._held is None else self._held[0]

    @property
    def never(self) -> NDArray[np.bool_] | None:
        """Where (H, W) people let nothing be foreground, in the coordinates of the scene; None: nowhere."""
        return None if self._held is None else self._areas.never(self._held[1])

    def put(self, report: Report, frame: Frame) -> Report:
        """Hold the report of another frame; return it as one of the frame as it came.

        Parameters
        ----------
        report : Report
            In the coordinates of the scene.
        frame : Frame
            As it came, with its motion.
        """
        self._split, self._other = report.split, None
        self._held = self._of_run = report, frame
        return to_camera_frame(report, frame)

    def hold(self, report: Report, frame: Frame, other: OtherScene | None = None) -> None:
        """Hold the report of a frame that is shown out of its turn: later ones go on from the last that `put` took.

        Parameters are those of `put`; ``other`` is the scene that the frame shows, where the run shows another one.
        """
        self._held, self._other = (report, frame), other

    def other_scene(self, index: int) -> OtherScene | None:
        """Return the scene that a frame shows, where it is the last one and the run shows another; else None."""
        return self._other if self._held is not None and self._held[0].frame.index == index else None

    def split_anew(self, frame: Frame) -> Split:
        """Return what is made of a frame, aligned with the scene, by what is known now."""
        other = self.other_scene(frame.index)
        if other is None or self._split is None:
            return self._method.transform(frame.values)
        return other.split(frame, self._split)

    def foreground_of(self, index: int) -> Foreground:
        """Return what finds foreground in a frame."""
        other = self.other_scene(index)
        return self._foreground if other is None else other.foreground(self._foreground)

    def show(self, report: Report) -> Report:
        """Replace the held report by a corrected one; return it in camera coordinates.

        What the method made of the frame when it came stays: later frames go on from there.
        """
        assert self._held is not None  # There was a report to be corrected.
        self._held = report, self._held[1]
        if report.phase is not Phase.LOOKING:
            self._of_run = self._held
        return to_camera_frame(*self._held)

    def look_again(
        self, *, split_anew: bool = False, cleaning: Cleaning | None = None, is_alone: bool = False
    ) -> Report | None:
        """Hold what `found_again` finds instead of the report; return it in camera coordinates."""
        found = self.found_again(split_anew=split_anew, cleaning=cleaning, is_alone=is_alone)
        return None if found is None else self.show(found)

    def found_again(
        self, *, split_anew: bool = False, cleaning: Cleaning | None = None, is_alone: bool = False
    ) -> Report | None:
        """Return the report with the mask that parameters and strokes make of it now; nothing is learnt.

        Parameters
        ----------
        split_anew : bool
            Let the method split the frame with what it knows now.
        cleaning : Cleaning, optional
            Clean it so.
        is_alone : bool
            The frames before it are not those that were seen last. Frames that are looked at in any order would each be
            compared with that which the run has reached: they are alone in any case.

        Returns
        -------
        Report or None
            In the coordinates of the scene. None where no frame has come, or nothing is known of it yet.
        """
        if self._held is None or self._held[0].phase is Phase.GATHERING:
            return None
        report, frame = self._held
        mask = report.split.mask
        if mask is not None:
            marks = Marks.of_mask(mask)
        else:
            if split_anew and report.iteration is None:
                report = replace(report, split=self.split_anew(report.frame))
            is_alone = is_alone or report.phase is Phase.LOOKING
            foreground = self.foreground_of(report.frame.index)
            found = foreground.detect(report.frame, report.compared_with, is_alone=is_alone)
            marks = found.marks
            report = replace(report, logits=found.logits)
        if report.iteration is None:
            marks = self._corrections.preview(report.frame, marks, self._foreground.noise)
        marks = marks.without(self._areas.never(frame))
        if cleaning is not None and self._other is not None:
            cleaning = self._other.cleaning(cleaning, report.frame)
        return replace(
            report, mask=marks.mask, may_hide=marks.may_hide, painted=marks.painted,
            cleaning=cleaning or report.cleaning, finish=self._foreground.finish, areas=self._areas.maps,
        )  # fmt: skip
