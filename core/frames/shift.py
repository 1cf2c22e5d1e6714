"""Pictures and vectors of samples, moved by any part of a pixel."""

from __future__ import annotations

from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Shift

Sample = TypeVar("Sample", bound=np.integer[Any] | np.floating[Any])

CUBIC = -0.75
"""Slope of the interpolating curve at its first zero, as OpenCV's own cubic interpolation has it (Keys 1981)."""


def moved(picture: NDArray[Sample], down: float, right: float) -> NDArray[Sample]:
    """Return a picture whose pixel p is the pixel p + (down, right) of ``picture``, the border repeated beyond.

    Parameters
    ----------
    picture : (H, W) uint8, uint16 or float32
    down, right : float
        Pixels; between them it is interpolated, by cubic curves, which keep it sharper than lines do.
    """
    whole_down, whole_right = int(np.floor(down)), int(np.floor(right))
    out = _moved_whole(picture, whole_down, whole_right)
    if (down, right) == (whole_down, whole_right):
        return out
    along, across = _taps(right - whole_right), _taps(down - whole_down)
    # A third of the time of cv2.warpAffine, to the same samples.
    between = cv2.sepFilter2D(out, -1, along, across, anchor=(1, 1), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(between, picture.dtype)


def _moved_whole(picture: NDArray[Sample], down: int, right: int) -> NDArray[Sample]:
    height, width = picture.shape
    down, right = min(max(down, 1 - height), height - 1), min(max(right, 1 - width), width - 1)
    part = picture[max(down, 0) : height + min(down, 0), max(right, 0) : width + min(right, 0)]
    borders = (max(-down, 0), max(down, 0), max(-right, 0), max(right, 0))
    # As an array of its own: what lies around a part in memory would come in at its border.
    return np.asarray(cv2.copyMakeBorder(np.ascontiguousarray(part), *borders, cv2.BORDER_REPLICATE), picture.dtype)


def _taps(part: float) -> NDArray[np.float64]:
    """Return the weights of four pixels in a row for the point that lies ``part`` of a pixel behind the second."""
    x = np.array([1 + part, part, 1 - part, 2 - part])
    near = (CUBIC + 2) * x**3 - (CUBIC + 3) * x**2 + 1
    far = CUBIC * (x**3 - 5 * x**2 + 8 * x - 4)
    return np.where(x <= 1, near, far)


def moved_within(where: NDArray[np.bool_], shift: Shift) -> NDArray[np.bool_]:
    """Return marked pixels (H, W), moved by a shift to the nearest pixel; none are marked beyond."""
    down, right = round(shift.down), round(shift.right)
    inside = _moved_whole(where.view(np.uint8), down, right)
    for strip in strips_beyond(where.shape, Shift(down, right)):
        inside[strip] = 0
    return inside.view(np.bool_)


def moved_values(layout: Layout, v: NDArray[Sample], shift: Shift) -> NDArray[Sample]:
    """Return a vector (F,) whose pixel p is the pixel p + shift of ``v``, the border repeated beyond."""
    out = np.empty_like(v)
    for index in range(len(layout.shapes)):
        part = layout.step(index)
        layout.plane(out, index)[...] = moved(layout.plane(v, index), shift.down / part, shift.right / part)
    return out


def fill_beyond(layout: Layout, v: NDArray[Sample], shift: Shift, known: NDArray[Sample]) -> None:
    """Write what is known (F,) where ``moved_values(layout, ., shift)``, which is ``v``, had nothing to show."""
    for index, shape in enumerate(layout.shapes):
        for strip in strips_beyond(shape, shift, layout.step(index)):
            layout.plane(v, index)[strip] = layout.plane(known, index)[strip]


def strips_beyond(shape: tuple[int, int], shift: Shift, part: int = 1) -> list[tuple[slice, slice]]:
    """Return the rows, and the columns, of a plane that a picture moved by ``shift / part`` does not show."""
    strips = []
    for axis, by in enumerate(shift):
        n = int(np.ceil(abs(by) / part))
        if n:
            strip = slice(max(shape[axis] - n, 0), None) if by > 0 else slice(0, n)
            strips.append((strip, slice(None)) if axis == 0 else (slice(None), strip))
    return strips
