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
from core.frames.frame import Frame, Planes
from core.io.sources.base import Source, SourceInfo
from core.methods.content import CONTENT, IMAGES, SCENE
from core.parameter import Value

N_FRAMES = 8
"""First frames that are compared, each with the next."""

ALIKE = 0.25
"""Median difference of two frames, in units of the frame's own spread, below which they show the same; of means over
blocks too, where averaging takes most of the difference away (`CORRELATED`), as of a noisy camera's. Of the
beginnings of seven sequences of one scene, leaves and rain among them, the largest is 0.2, and 0.45 where all leaves
move; of five image sets, slices of a brain among them, the smallest 0.3."""

BLOCK = 8
"""Side of the blocks over which is averaged, pixels: white noise falls to an eighth."""

CORRELATED = 0.5
"""Part of the difference of two frames that averaging has to leave. Of faces and slices of a brain it leaves most, of
a sky full of stars in the noise of a camera, which is one scene, an eighth."""

LEAST_PIXELS = 16
"""Along a side that `SeenContent` compares, where there are as many: of small pictures it takes more than one of each
block."""

STILL_PART, STILL = 0.1, 0.08
"""Part of the pixels that hardly changes from frame to frame in a scene, in units of the frame's spread. Of leaves
that move all over the picture it is 0.06 at most, of faces 0.11 at least, of values by chance 0.18."""

GREY_LEVELS = 255
"""What differs by less than one of so many steps of the contrast shows the same, however little else there is."""


FOR_IMAGES = "These look like different pictures, not one scene: the preset “Faces, denoise” (faces) is for image sets."
"""Said where a scene is learnt of them."""

Difference = tuple[float, float, float]
"""The median one of two frames, and that of the pixels that differ least (`STILL_PART`), both in units of the spread;
and the part of the first that averaging leaves. All are 0 where it is less than a grey level."""


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
    """Whether the frames of a run seem to show different things, found as they pass: many methods do not ask before.

    Frames are compared with those before them, the first ones all and later ones ever more seldom, and with the first
    one, ever further apart: in one scene the same look returns. In doubt it is a scene.

    Parameters
    ----------
    info : SourceInfo
        Of what is read.
    """

    def __init__(self, info: SourceInfo) -> None:
        self._is_film = _is_film(info)
        self._n_seen = 0
        self._first: _Look | None = None
        self._before: _Look | None = None
        self._near: list[Difference] = []
        self._far: list[Difference] = []

    def see(self, frame: Frame) -> None:
        """Take note of the next frame."""
        number = self._n_seen
        self._n_seen += 1
        if self._is_film or not (number < N_FRAMES or _is_far(number) or _is_far(number + 1)):
            return
        look = _Look(frame)
        self._first = self._first or look
        if self._before is not None and (number < N_FRAMES or _is_far(number)):
            self._near.append(look.difference(self._before))
        if _is_far(number):
            self._far.append(look.difference(self._first))
        self._before = look

    def are_images(self, chosen: Value) -> bool:
        """Return whether the input is an image set: by the value of `CONTENT`, or (automatic) as seen."""
        if chosen is not None:
            return chosen == IMAGES
        if not self._near:
            return False
        near = np.median(self._near, axis=0) >= (ALIKE, STILL, CORRELATED)
        return bool(near.all() and np.median([apart for apart, _, _ in self._far]) >= ALIKE)

    @property
    def notes(self) -> list[str]:
        """A sentence for who learns a scene of it, where the first frames show none."""
        return [FOR_IMAGES] if self._n_seen >= N_FRAMES and self.are_images(None) else []


class _Look:
    """What is kept of a frame: pixels of it, and means of blocks."""

    def __init__(self, frame: Frame) -> None:
        plane = frame.layout.plane(frame.values, frame.layout.luma_index)
        height, width = (max(1, side // BLOCK) for side in plane.shape)
        step = min(BLOCK, max(1, min(plane.shape) // LEAST_PIXELS))
        self._blocks: Plane = np.asarray(cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA), plane.dtype)
        self._pixels: Plane = plane[step // 2 :: step, step // 2 :: step].copy()
        self._level = frame.layout.contrast / GREY_LEVELS

    def difference(self, before: _Look) -> Difference:
        """Return by how much it differs from an earlier one."""
        apart, spread = _distances(before._pixels, self._pixels)
        if apart < self._level:
            return 0.0, 0.0, 0.0
        still = float(np.quantile(_apart(before._pixels, self._pixels), STILL_PART))
        return (
            apart / max(spread, self._level),
            still / max(spread, self._level),
            _distances(before._blocks, self._blocks)[0] / apart,
        )

    def averaged(self, before: _Look) -> tuple[float, float]:
        """Return what averaging leaves of the difference from an earlier one, and that in units of the means' spread.

        White noise loses most and leaves the means alike; what a picture is spoiled with loses most too, but leaves
        different pictures apart.
        """
        apart = _distances(before._pixels, self._pixels)[0]
        left, spread = _distances(before._blocks, self._blocks)
        return left / max(apart, self._level), left / max(spread, self._level)


def _is_far(number: int) -> bool:
    """Whether a frame, counted from 0, is compared with the first one: the numbers are powers of 2."""
    return number > 0 and number & (number - 1) == 0


def _is_film(info: SourceInfo) -> bool:
    return info.live or info.fps is not None or info.layout.planes is Planes.YCC420


def _alike(source: Source) -> bool:
    frames: list[Frame] = []
    with contextlib.suppress(CleanplateError), contextlib.closing(source.frames()) as coming:
        frames = list(islice(coming, N_FRAMES))
    if len(frames) < 2:
        return False
    if float(np.median([_difference(*pair) for pair in pairwise(frames)])) < ALIKE:
        return True
    looks = [_Look(frame) for frame in frames]
    left, apart = np.median([now.averaged(before) for before, now in pairwise(looks)], axis=0)
    return bool(left < CORRELATED and apart < ALIKE)


def _difference(one: Frame, other: Frame) -> float:
    """Return the median difference of two frames, over the median distance of the first one's values from theirs."""
    difference, spread = _distances(one.values, other.values)
    return difference / max(spread, 1e-6)


def _distances(one: NDArray[np.generic], other: NDArray[np.generic]) -> tuple[float, float]:
    """Return the median difference of two arrays, and the robust deviation of the first one's values."""
    a = one.astype(np.float32)
    return float(np.median(_apart(one, other))), 1.4826 * float(np.median(np.abs(a - np.median(a))))


def _apart(one: NDArray[np.generic], other: NDArray[np.generic]) -> NDArray[np.float32]:
    return np.abs(one.astype(np.float32) - other.astype(np.float32))
