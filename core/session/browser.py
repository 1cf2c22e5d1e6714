"""Frames that are shown in any order beside the run, which they change nothing in: nothing is learnt from them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from core.frames.frame import Frame
from core.session.control import Control
from core.session.live_values import LiveValues
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
        found = self._aligner.look(frame, self._last.split)
        split = self._method.look(found.scene.values)
        nothing = np.zeros(frame.layout.shapes[0], np.uint8)
        report = replace(
            report, frame=found.scene, split=split, mask=nothing, may_hide=None, painted=None, lit=None,
            figures={}, phase=Phase.LOOKING, iteration=None, warming=None,
        )  # fmt: skip
        self._last.hold(report, found.camera)
        return self._last.look_again()
