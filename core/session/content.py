"""What an input shows, one scene or an image set: by its kind, and by how alike its first frames are."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from itertools import islice, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.coarse_grid import Plane
from core.frames.frame import Frame, Planes, Vector
from core.io.sources.base import Source, SourceInfo
from core.methods.content import CONTENT, IMAGES, SCENE
from core.parameter import Value

N_FRAMES = 8
"""Frames that are compared, each with the next."""

ALIKE = 0.25
"""Median difference of two frames, in units of the frame's own spread, below which they show the same. Of
seven sequences of one scene, leaves and rain among them, the largest is 0.2; of five image sets, slices of a brain
among them, the smallest 0.3."""

BLOCK = 8
"""Side of the blocks over which `SeenContent` averages, pixels: white noise falls to an eighth."""

CORRELATED = 0.5
"""Part of the difference of two frames that averaging has to leave. Of faces and slices of a brain it leaves most, of
a sky full of stars in the noise of a camera, which is one scene, an eighth."""


def decided(values: Mapping[str, Value], source: Source) -> dict[str, Value]:
    """Return what an input shows, by the name of its parameter; nothing where that is set, or not asked for.

    What has a rate or is a camera is one scene; it is not read. Of anything else the first frames are.

    Parameters
    ----------
    values : mapping
        Those of the method's own parameters.
    source : Source
    """
    if values.get(CONTENT.name, SCENE) is not None:
        return {}
    return {CONTENT.name: SCENE if _is_film(source.info) or _alike(source) else IMAGES}


class SeenContent:
    """Whether the first frames of a run show different things, found as they pass: many methods do not ask before.

    Parameters
    ----------
    info : SourceInfo
        Of what is read.
    """

    def __init__(self, info: SourceInfo) -> None:
        self._is_film = _is_film(info)
        self._before: tuple[Plane, Plane] | None = None
        self._differ: list[bool] = []

    def see(self, frame: Frame) -> None:
        """Take note of the next frame."""
        if self._is_film or len(self._differ) >= N_FRAMES - 1:
            return
        plane = frame.layout.plane(frame.values, frame.layout.luma_index)
        height, width = (max(1, side // BLOCK) for side in plane.shape)
        blocks: Plane = np.asarray(cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA), plane.dtype)
        pixels = plane[BLOCK // 2 :: BLOCK, BLOCK // 2 :: BLOCK] if min(plane.shape) > BLOCK else plane
        if self._before is not None:
            fine, coarse = (_distances(*pair) for pair in zip(self._before, (pixels, blocks), strict=True))
            self._differ.append(fine[0] >= ALIKE * fine[1] and coarse[0] >= CORRELATED * fine[0])
        self._before = pixels, blocks

    def are_images(self, chosen: Value) -> bool:
        """Return whether the input is an image set: by the value of `CONTENT`, or (automatic) as seen."""
        return chosen == IMAGES if chosen is not None else 2 * sum(self._differ) > len(self._differ)


def _is_film(info: SourceInfo) -> bool:
    return info.live or info.fps is not None or info.layout.planes is Planes.YCC420


def _alike(source: Source) -> bool:
    frames: list[Vector] = []
    with contextlib.suppress(CleanplateError), contextlib.closing(source.frames()) as coming:
        frames = [frame.values for frame in islice(coming, N_FRAMES)]
    return len(frames) > 1 and float(np.median([_difference(*pair) for pair in pairwise(frames)])) < ALIKE


def _difference(one: Vector, other: Vector) -> float:
    """Return the median difference of two vectors, over the median distance of the first one's values from theirs."""
    difference, spread = _distances(one, other)
    return difference / max(spread, 1e-6)


def _distances(one: NDArray[np.generic], other: NDArray[np.generic]) -> tuple[float, float]:
    """Return the median difference of two arrays, and the robust deviation of the first one's values."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    return float(np.median(np.abs(a - b))), 1.4826 * float(np.median(np.abs(a - np.median(a))))
