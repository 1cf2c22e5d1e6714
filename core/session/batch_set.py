"""The set of a batch method and what is shown of it: gathered frame by frame, improved iteration by iteration."""

from __future__ import annotations

import time
from dataclasses import replace

from core.frames import metrics
from core.frames.frame import Frame
from core.methods.base import BatchMethod
from core.session.phase import Iteration, Phase
from core.session.preview_frames import PreviewFrames
from core.session.report import Report
from core.session.scene_parts import SceneParts


class BatchSet:
    """Keeps some frames of the set, and reports on one of them at each iteration.

    Parameters
    ----------
    method : BatchMethod
        Gathers by itself, as it steps.
    parts : SceneParts
        Make the masks, and say how frames are shown.
    """

    def __init__(self, method: BatchMethod, parts: SceneParts) -> None:
        self._method, self._foreground, self._areas = method, parts.foreground, parts.areas
        self._as_shown = parts.as_shown
        self._previews = PreviewFrames(method.capacity)
        self._is_complete = False

    @property
    def is_full(self) -> bool:
        """True where the set holds as many frames as it keeps."""
        return self._method.is_full

    @property
    def finished(self) -> bool:
        """True where the set was learnt from to the end, with the values in force."""
        return self._method.finished

    @property
    def is_complete(self) -> bool:
        """True where the set was learnt from to the end, with whatever values: nothing has to be gathered again."""
        return self._is_complete

    def offer(self, frame: Frame) -> None:
        """Take note of the next frame that is gathered, after the method's step."""
        self._previews.offer(frame)

    def improve(self, index: int | None) -> Report | None:
        """Do one iteration; report on one of the frames, as it is.

        Parameters
        ----------
        index : int or None
            The frame shown is the one nearest to this place in the source; None: in the middle.

        Returns
        -------
        Report or None
            None where no frame was gathered, and nothing was done.
        """
        started = time.perf_counter()
        near = self._previews.near(index)
        if near is None:
            return None
        number, frame = near
        found = self._method.improve(self._method.numbers.index(number))
        self._is_complete = self._is_complete or found.finished
        improved = time.perf_counter()
        detection = self._foreground.detect(frame, found.split.samples(frame.layout))
        marks = detection.marks.without(self._areas.never(frame))
        masked = time.perf_counter()
        report = Report(
            frame, found.split, marks.mask, 0, 2, found.iteration, found.n_iterations,
            stages_ms={"decode": 0.0, "step": 1e3 * (improved - started), "mask": 1e3 * (masked - improved)},
            phase=Phase.ITERATING, may_hide=marks.may_hide, logits=detection.logits,
            iteration=Iteration(found.iteration, found.n_iterations, len(self._method.numbers), found.objective),
            **self._as_shown(),
        )  # fmt: skip
        return replace(report, figures=metrics.RunningScore().update(frame, found.split, report.finished_mask))
