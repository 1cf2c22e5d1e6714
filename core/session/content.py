"""What an input shows, one scene or an image set: by its kind, and by how alike its first frames are."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from itertools import islice, pairwise

import numpy as np

from core.errors import CleanplateError
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

MOST_VALUES = 1 << 18
"""Of a frame, evenly spread, that `SeenContent` compares: of large photos all would take seconds."""


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
    """What the first frames of a run show, found as they pass: many methods do not ask before it.

    Parameters
    ----------
    info : SourceInfo
        Of what is read.
    """

    def __init__(self, info: SourceInfo) -> None:
        self._is_film = _is_film(info)
        self._before: Vector | None = None
        self._differences: list[float] = []

    def see(self, frame: Frame) -> None:
        """Take note of the next frame."""
        if self._is_film or len(self._differences) >= N_FRAMES - 1:
            return
        values = frame.values[:: -(-len(frame.values) // MOST_VALUES)]
        if self._before is not None:
            self._differences.append(_difference(self._before, values))
        self._before = values

    def of(self, values: Mapping[str, Value]) -> str:
        """Return what the input shows, ``"scene"`` or ``"images"``: as the values of a run have it, else as seen."""
        chosen = values.get(CONTENT.name)
        if chosen is not None:
            return str(chosen)
        return SCENE if not self._differences or float(np.median(self._differences)) < ALIKE else IMAGES


def _is_film(info: SourceInfo) -> bool:
    return info.live or info.fps is not None or info.layout.planes is Planes.YCC420


def _alike(source: Source) -> bool:
    frames: list[Vector] = []
    with contextlib.suppress(CleanplateError), contextlib.closing(source.frames()) as coming:
        frames = [frame.values for frame in islice(coming, N_FRAMES)]
    return len(frames) > 1 and float(np.median([_difference(*pair) for pair in pairwise(frames)])) < ALIKE


def _difference(one: Vector, other: Vector) -> float:
    """Return the median difference of two vectors, over the median distance of the first one's values from theirs."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    spread = 1.4826 * float(np.median(np.abs(a - np.median(a))))
    return float(np.median(np.abs(a - b))) / max(spread, 1e-6)
