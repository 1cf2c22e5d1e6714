"""Pictures and vectors of samples, moved by any part of a pixel, turned and zoomed."""

from __future__ import annotations

from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.frames.motion import Motion, Shift

Sample = TypeVar("Sample", bound=np.integer[Any] | np.floating[Any])

Part = tuple[slice, slice] | NDArray[np.bool_]
"""Rows or columns of a plane, or any of its pixels (h, w)."""

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
    if (down, right) == (whole_down, whole_right):
        return _window(picture, whole_down, whole_right, *picture.shape)
    # One pixel before and two behind have their part in the first and the last, where the picture goes on there.
    height, width = picture.shape
    out = _window(picture, whole_down - 1, whole_right - 1, height + 3, width + 3)
    along, across = _taps(right - whole_right), _taps(down - whole_down)
    # A third of the time of cv2.warpAffine, to the same samples.
    between = cv2.sepFilter2D(out, -1, along, across, anchor=(1, 1))[1:-2, 1:-2]
    return np.ascontiguousarray(between, picture.dtype)


def _window(picture: NDArray[Sample], top: int, left: int, height: int, width: int) -> NDArray[Sample]:
    """Return the part (height, width) of a picture that begins at its row ``top``, the border repeated beyond."""
    # Where it has nothing of the picture, it has nothing but its border.
    top, left = min(max(top, 1 - height), picture.shape[0] - 1), min(max(left, 1 - width), picture.shape[1] - 1)
    bottom, right = top + height, left + width
    part = picture[max(top, 0) : bottom, max(left, 0) : right]
    borders = (max(-top, 0), max(bottom - picture.shape[0], 0), max(-left, 0), max(right - picture.shape[1], 0))
    # As an array of its own: what lies around a part in memory would come in at its border.
    return np.asarray(cv2.copyMakeBorder(np.ascontiguousarray(part), *borders, cv2.BORDER_REPLICATE), picture.dtype)


def _taps(part: float) -> NDArray[np.float64]:
    """Return the weights of four pixels in a row for the point that lies ``part`` of a pixel behind the second."""
    x = np.array([1 + part, part, 1 - part, 2 - part])
    near = (CUBIC + 2) * x**3 - (CUBIC + 3) * x**2 + 1
    far = CUBIC * (x**3 - 5 * x**2 + 8 * x - 4)
    return np.where(x <= 1, near, far)


def moved_by(picture: NDArray[Sample], motion: Motion, part: float = 1) -> NDArray[Sample]:
    """Return a picture whose pixel p is the pixel of ``picture`` where the motion brings p, the border repeated beyond.

    Parameters
    ----------
    picture : (H, W) uint8, uint16 or float32
    motion : Motion
        Of pixels of the whole frame.
    part : float
        So many of these, each way, are one of the picture.
    """
    if not motion.turns:
        return moved(picture, motion.shift.down / part, motion.shift.right / part)
    return _turned(picture, motion, part, cv2.INTER_CUBIC)


def _turned(picture: NDArray[Sample], motion: Motion, part: float, interpolation: int) -> NDArray[Sample]:
    """Return a picture moved by a motion that is more than a shift."""
    height, width = picture.shape
    of_picture = motion.shifted_to(Shift(motion.shift.down / part, motion.shift.right / part))
    matrix = np.array(
        of_picture.matrix((height - 1) / 2, (width - 1) / 2)
    )  # As OpenCV has it: whence each pixel comes.
    flags = interpolation | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(picture, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, picture.dtype)


def moved_labels(labels: NDArray[np.uint8], motion: Motion, beyond: int) -> NDArray[np.uint8]:
    """Return labels (H, W), moved to the nearest pixel, and what they are ``beyond`` the picture."""
    if motion.turns:
        out = _turned(labels, motion, 1, cv2.INTER_NEAREST)
    else:
        motion = Motion(Shift(round(motion.shift.down), round(motion.shift.right)))
        out = moved(labels, *motion.shift)
    for part in parts_beyond(labels.shape, motion):
        out[part] = beyond
    return out


def moved_within(where: NDArray[np.bool_], motion: Motion) -> NDArray[np.bool_]:
    """Return marked pixels (H, W), moved to the nearest pixel; none are marked beyond."""
    return moved_labels(where.view(np.uint8), motion, 0).view(np.bool_)


def moved_values(layout: Layout, v: NDArray[Sample], motion: Motion) -> NDArray[Sample]:
    """Return a vector (F,) each of whose planes is moved as `moved_by` does."""
    out = np.empty_like(v)
    for index in range(len(layout.shapes)):
        layout.plane(out, index)[...] = moved_by(layout.plane(v, index), motion, layout.step(index))
    return out


def fill_beyond(layout: Layout, v: NDArray[Sample], motion: Motion, known: NDArray[Sample]) -> None:
    """Write what is known (F,) where ``moved_values(layout, ., motion)``, which is ``v``, had nothing to show."""
    for index, shape in enumerate(layout.shapes):
        for part in parts_beyond(shape, motion, layout.step(index)):
            layout.plane(v, index)[part] = layout.plane(known, index)[part]


def parts_beyond(shape: tuple[int, int], motion: Motion, part: int = 1) -> list[Part]:
    """Return which parts of a plane a moved picture does not show; ``part`` as in `moved_by`."""
    if motion.turns:
        return [_beyond_turned(shape, motion, part)]
    parts: list[Part] = []
    for axis, by in enumerate(motion.shift):
        n = int(np.ceil(abs(by) / part))
        if n:
            strip = slice(max(shape[axis] - n, 0), None) if by > 0 else slice(0, n)
            parts.append((strip, slice(None)) if axis == 0 else (slice(None), strip))
    return parts


def _beyond_turned(shape: tuple[int, int], motion: Motion, part: int) -> NDArray[np.bool_]:
    """Return which pixels (H, W) come from beyond: of each row those before a first column and behind a last one."""
    height, width = shape
    down, right, grow, turn = motion.numbers
    y, x = (height - 1) / 2, (width - 1) / 2
    rows = np.arange(height) - y
    first, last = np.zeros(height), np.full(height, width - 1.0)
    # Where the pixel of the first column comes from, how that goes on along the row, and how far it may.
    for start, step, end in (
        (y + down / part + (1 + grow) * rows + turn * x, -turn, height - 1),
        (x + right / part + turn * rows - (1 + grow) * x, 1 + grow, width - 1),
    ):
        if step:
            bounds = np.sort([-start / step, (end - start) / step], axis=0)
            first, last = np.maximum(first, bounds[0]), np.minimum(last, bounds[1])
        else:
            last[(start < 0) | (start > end)] = -1
    columns = np.arange(width, dtype=np.float32)
    outside: NDArray[np.bool_] = columns < first[:, None].astype(np.float32)
    outside |= columns > last[:, None].astype(np.float32)
    return outside
