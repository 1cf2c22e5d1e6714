"""Frames that have moved against the scene: brought into line with it, and what is found brought back to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import NO_SHIFT, Frame, Layout, Shift, Values
from core.frames.shift import fill_beyond, moved, moved_values, strips_beyond
from core.frames.split import Split
from core.session.report import Report


def aligned(frame: Frame, background: Values | None) -> Frame:
    """Return a frame as it would be if the camera had not moved; itself, where it has not.

    Parameters
    ----------
    frame : Frame
        Shows the scene moved by ``frame.shift``.
    background : (F,) samples, or None
        Shown where the frame shows nothing of the scene; its border is repeated where there is none.
    """
    if frame.shift == NO_SHIFT:
        return frame
    layout = frame.layout
    values = moved_values(layout, frame.values, frame.shift)
    if background is not None:
        fill_beyond(layout, values, frame.shift, background)
    return replace(frame, values=values, shift=NO_SHIFT)


def unseen(frame: Frame, *, all_of_it: bool = False) -> NDArray[np.uint8] | None:
    """Return where (H, W) a frame shows nothing of the scene, in the coordinates of the scene: 255; None: nowhere.

    With ``all_of_it`` it shows none of it.
    """
    if all_of_it:
        return np.full(frame.layout.shapes[0], 255, np.uint8)
    if frame.shift == NO_SHIFT:
        return None
    shape = frame.layout.shapes[0]
    out = np.zeros(shape, np.uint8)
    for strip in strips_beyond(shape, frame.shift):
        out[strip] = 255
    return out


def in_line(where: NDArray[np.bool_] | None, frame: Frame) -> NDArray[np.bool_] | None:
    """Return pixels (H, W) of a frame as pixels of the scene."""
    if where is None or frame.shift == NO_SHIFT:
        return where
    whole = Shift(round(frame.shift.down), round(frame.shift.right))
    inside = moved(where.view(np.uint8), whole.down, whole.right)
    for strip in strips_beyond(where.shape, whole):
        inside[strip] = 0
    return inside.view(np.bool_)


def put_back(report: Report, frame: Frame) -> Report:
    """Return a report of an aligned frame as one of the frame as it came; itself, where that has not moved."""
    if frame.shift == NO_SHIFT:
        return report
    mask = moved(report.mask, -frame.shift.down, -frame.shift.right)
    mask = np.asarray(cv2.threshold(mask, 127, 255, cv2.THRESH_BINARY)[1], np.uint8)
    return replace(report, frame=frame, split=MovedSplit(report.split, frame), mask=mask)


def told_anew(background: Values, frame: Frame, by: Shift) -> Values:
    """Return a background (F,) told from elsewhere, so that what had moved by ``by`` has not.

    Parameters
    ----------
    background : (F,) samples
    frame : Frame
        Its shift already counts from there; it shows what comes into the picture.
    by : Shift
        Whole pixels, even.
    """
    back = Shift(-by.down, -by.right)
    out = moved_values(frame.layout, background, back)
    fill_beyond(frame.layout, out, back, aligned(frame, None).values)
    return out


@dataclass(frozen=True)
class MovedSplit:
    """A split of an aligned frame, as one of the frame as it came; see `core.frames.split.Split` for what it gives.

    Attributes
    ----------
    of_scene : Split
        In the coordinates of the scene.
    frame : Frame
        As it came.
    """

    of_scene: Split
    frame: Frame

    @cached_property
    def _rounded(self) -> Values:
        down, right = self.frame.shift
        return moved_values(self.frame.layout, self.of_scene.samples(self.frame.layout), Shift(-down, -right))

    @cached_property
    def background(self) -> NDArray[np.float32]:
        """``W h``, to the nearest sample, the border repeated beyond."""
        return self._rounded.astype(np.float32) * np.float32(1 / self.frame.layout.white)

    @cached_property
    def residual(self) -> NDArray[np.float32]:
        """``v − W h``."""
        return self.frame.values * np.float32(1 / self.frame.layout.white) - self.background

    @cached_property
    def outliers(self) -> NDArray[np.float32] | None:
        """``r``, the border repeated beyond."""
        found = self.of_scene.outliers
        if found is None:
            return None
        return moved_values(self.frame.layout, found, Shift(-self.frame.shift.down, -self.frame.shift.right))

    @property
    def h(self) -> NDArray[np.float64]:
        """Coefficients (K,)."""
        return self.of_scene.h

    @property
    def objective(self) -> float:
        """Of the aligned frame."""
        return self.of_scene.objective

    @property
    def iterations(self) -> int:
        """Inner iterations spent."""
        return self.of_scene.iterations

    def samples(self, layout: Layout) -> Values:
        """Return the background rounded to samples."""
        return self._rounded
