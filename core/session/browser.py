"""Frames that are shown in any order beside the run, which they change nothing in: nothing is learnt from them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from core.frames.frame import Frame
from core.scene.surroundings import MAJORITY
from core.session.control import Control
from core.session.live_values import LiveValues
from core.session.other_scene import OtherScene
from core.session.phase import Phase
from core.session.reader import Reader
from core.session.report import Report
from core.session.scene_parts import SceneParts


class Browser:
    """Splits frames by what the session has learnt so far.

    Parameters
    ----------
    control : Control
        Its `Control.stop` ends the browsing too.
    live : LiveValues
    parts : SceneParts
    """

    def __init__(self, control: Control, live: LiveValues, parts: SceneParts) -> None:
        self._control, self._live, self._source = control, live, parts.source
        self._method, self._aligner, self._last = parts.method, parts.aligner, parts.last
        self._scenes, self._cleaning = parts.scenes, parts.cleaning

    def reports(self, first: int) -> Generator[Report, None, None]:
        """Yield a report for each frame from frame ``first`` on; none before the run has given one.

        Raises
        ------
        CleanplateError
            The input is a camera.
        """
        self._control.check_seekable()
        return self._reports(max(0, first))

    def _reports(self, first: int) -> Generator[Report, None, None]:
        reader = Reader(self._source)
        try:
            reader.start(first)
            while not self._control.is_stopped:
                frame = self._control.unless_stopped(reader.next_frame)
                self._live.take()
                report = None if frame is None else self._control.unless_stopped(self._look_at, frame)
                if report is None:
                    return
                yield report
        finally:
            reader.close()

    def _look_at(self, frame: Frame) -> Report | None:
        report = self._last.report
        if report is None:
            return None
        if report.phase is Phase.GATHERING:  # Nothing is known yet.
            report = replace(report, frame=frame)
            self._last.hold(report, frame)
            return report
        other = self._scenes.looked_at(frame.index)
        shown = self._compare(report, frame, other)
        # Of a frame that a run has not come to nobody can say where its scene began.
        if other is not None or shown is None or not self._scenes.may_be_new(frame.index):
            return shown
        is_unlike = np.count_nonzero(shown.mask) > MAJORITY * shown.mask.size
        return self._compare(report, frame, OtherScene(None)) if is_unlike else shown

    def _compare(self, report: Report, frame: Frame, other: OtherScene | None) -> Report | None:
        """Return what is found in a frame that shows another scene, or that which the run shows."""
        last, cleaning = self._last.split, self._cleaning.now
        if other is None or last is None:
            found = self._aligner.look(frame, last)
            split = self._method.look(found.scene.values)
        else:
            found = self._aligner.look(frame, last, other.background(frame))
            split, cleaning = other.split(found.scene, last), other.cleaning(cleaning, frame)
        nothing = np.zeros(frame.layout.shapes[0], np.uint8)
        report = replace(
            report, frame=found.scene, split=split, mask=nothing, may_hide=None, painted=None, lit=None,
            figures={}, phase=Phase.LOOKING, iteration=None, warming=None, cleaning=cleaning,
            is_scene_known=other is None or other.known is not None,
        )  # fmt: skip
        self._last.hold(report, found.camera, other)
        return self._last.look_again()
