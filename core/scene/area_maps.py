"""Areas as maps of pixels, in the sizes in which a run needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from core.scene.areas import CODES, Areas, Kind

FINE_BITS = 4
"""Bits of a pixel in which lines are drawn."""

STRAY = 0.5
"""Pixels by which a stroke may depart from the way of the pointer; it then has a tenth of the points."""

KINDS: tuple[Kind, ...] = ("never", "keep")

Picture = TypeVar("Picture", bound=NDArray[Any])


def draw_stroke(out: NDArray[np.uint8], points: Sequence[tuple[float, float]], thickness: float, value: int) -> None:
    """Draw what a round brush covers into ``out`` (H, W).

    Parameters
    ----------
    out : (H, W) uint8
    points : sequence of (x, y)
        Where the brush has been, pixels from the upper left corner of the picture; at least one.
    thickness : float
        Pixels.
    value : int
    """
    path = _fine(points)
    # OpenCV cannot draw lines of any thickness with round ends far outside.
    cv2.polylines(out, [path], False, value, max(1, round(thickness)), cv2.LINE_8, FINE_BITS)
    for x, y in path.tolist():
        cv2.circle(out, (x, y), round(thickness / 2 * (1 << FINE_BITS)), value, -1, cv2.LINE_8, FINE_BITS)


def draw_areas(areas: Areas, width: int, height: int, corner: tuple[int, int] = (0, 0)) -> NDArray[np.uint8]:
    """Return the codes of all pixels (H, W) of a part of the input, whose upper left pixel is at ``corner``."""
    x, y = corner
    out = np.zeros((height, width), np.uint8)
    if areas.codes and areas.size:
        whole = np.frombuffer(areas.codes, np.uint8).reshape(areas.size[::-1])
        part = whole[y : y + height, x : x + width]
        out[: part.shape[0], : part.shape[1]] = part
    for shape in areas.shapes:
        points = shape.moved(-x, -y).points
        if shape.is_polygon:
            cv2.fillPoly(out, [_fine(points)], CODES[shape.kind], cv2.LINE_8, FINE_BITS)
        else:
            draw_stroke(out, points, shape.thickness, CODES[shape.kind])
    return out


def _fine(points: Sequence[tuple[float, float]]) -> NDArray[np.int32]:
    # OpenCV counts from the middles of pixels.
    return np.rint((np.array(points, np.float64) - 0.5) * (1 << FINE_BITS)).astype(np.int32)


def simplified(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return the way of a brush with as few points as show it, to a tenth of a pixel."""
    kept = cv2.approxPolyDP(np.array(points, np.float32).reshape(-1, 1, 2), STRAY, False)[:, 0]
    return tuple((round(x, 1), round(y, 1)) for x, y in kept.astype(np.float64).tolist())


@dataclass(frozen=True)
class AreaMaps:
    """Where areas lie in the pictures of one input.

    Attributes
    ----------
    foreground : (H, W) uint8, or None
        0 where the original is never foreground, 255 elsewhere; None: nowhere.
    cleaned : (H, W) uint8, or None
        0 where cleaned frames keep the original, 255 elsewhere; None: nowhere.
    never : (h, w) bool, or None
        What is never foreground, at the working size.
    """

    foreground: NDArray[np.uint8] | None = None
    cleaned: NDArray[np.uint8] | None = None
    never: NDArray[np.bool_] | None = None

    @staticmethod
    def of(areas: Areas, full: tuple[int, int], small: tuple[int, int], corner: tuple[int, int]) -> AreaMaps:
        """Return the maps of areas.

        Parameters
        ----------
        areas : Areas
        full, small : (width, height)
            Of the original, or the region of it that is read, and of the working size.
        corner : (x, y)
            Upper left pixel of the region.
        """
        if areas.are_none:
            return AreaMaps()
        codes = draw_areas(areas, *full, corner)
        foreground, cleaned = (np.where(codes == CODES[kind], 0, 255).astype(np.uint8) for kind in KINDS)
        never = foreground == 0
        if small != full:
            never = cv2.resize(never.view(np.uint8), small, interpolation=cv2.INTER_AREA).view(np.bool_)
        return AreaMaps(
            None if foreground.all() else foreground, None if cleaned.all() else cleaned, never if never.any() else None
        )

    def only_foreground(self, found: Picture) -> Picture:
        """Return a mask or matte (H, W) of any size without what is never foreground; itself where nothing is."""
        return _within(found, self.foreground)

    def only_cleaned(self, alpha: Picture) -> Picture:
        """Return how much of each pixel (H, W) is replaced in a cleaned frame of any size, without what is kept."""
        return _within(alpha, self.cleaned)


def _within(values: Picture, allowed: NDArray[np.uint8] | None) -> Picture:
    if allowed is None:
        return values
    height, width = values.shape
    if allowed.shape != values.shape:
        allowed = np.asarray(cv2.resize(allowed, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    return cast("Picture", cv2.copyTo(values, allowed))
