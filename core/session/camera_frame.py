"""What was found of an aligned frame, brought back to the frame as it came."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.frames.motion import AT_REST
from core.frames.moved import moved_by, moved_values
from core.frames.split import Split
from core.runtime.cached import cached
from core.session.report import Report


def to_camera_frame(report: Report, frame: Frame) -> Report:
    """Return a report of an aligned frame as one of the frame as it came; itself, where that is the same."""
    if frame.motion == AT_REST:  # In one that is blank another was looked for.
        return report if report.frame.values is frame.values else replace(report, frame=frame)
    back = frame.motion.back
    may_hide = None if report.may_hide is None else moved_by(report.may_hide, back)
    mask = _moved_mask(report.mask, frame)
    logits = None if report.logits is None else report.logits.moved(back)
    painted = None if report.painted is None else _moved_mask(report.painted, frame)
    split = MovedSplit(report.split, frame)
    lit = None if report.lit is None else moved_values(frame.layout, report.lit, back)
    return replace(
        report, frame=frame, split=split, mask=mask, may_hide=may_hide, logits=logits, painted=painted, lit=lit
    )


def _moved_mask(mask: NDArray[np.uint8], frame: Frame) -> NDArray[np.uint8]:
    soft = moved_by(mask, frame.motion.back)
    return np.asarray(cv2.threshold(soft, 127, 255, cv2.THRESH_BINARY)[1], np.uint8)


@dataclass(frozen=True)
class MovedSplit:
    """A split of an aligned frame, moved back to the camera frame; see `core.frames.split.Split` for what it gives.

    Attributes
    ----------
    of_scene : Split
        In the coordinates of the scene.
    frame : Frame
        As it came.
    """

    of_scene: Split
    frame: Frame

    @cached
    def _rounded(self) -> Values:
        return moved_values(self.frame.layout, self.of_scene.samples(self.frame.layout), self.frame.motion.back)

    @cached
    def background(self) -> NDArray[np.float32]:
        """``W h``, to the nearest sample, the border repeated beyond."""
        return self.frame.layout.in_white(self._rounded)

    @cached
    def residual(self) -> NDArray[np.float32]:
        """``v − W h``."""
        return self.frame.layout.in_white(self.frame.values) - self.background

    @cached
    def outliers(self) -> NDArray[np.float32] | None:
        """``r``, the border repeated beyond."""
        found = self.of_scene.outliers
        if found is None:
            return None
        return moved_values(self.frame.layout, found, self.frame.motion.back)

    @property
    def h(self) -> NDArray[np.float64]:
        """Coefficients (K,)."""
        return self.of_scene.h

    @property
    def objective(self) -> float:
        """Of the aligned frame."""
        return self.of_scene.objective

    @cached
    def mask(self) -> NDArray[np.uint8] | None:
        """The method's own mask; None where it makes none."""
        return None if self.of_scene.mask is None else _moved_mask(self.of_scene.mask, self.frame)

    def samples(self, layout: Layout) -> Values:
        """Return the background rounded to samples."""
        return self._rounded
