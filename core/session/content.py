"""What an input shows, one scene or an image set: by its kind, and by how alike its first frames are."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from itertools import islice, pairwise

import numpy as np

from core.errors import CleanplateError
from core.frames.frame import Planes, Vector
from core.io.sources.base import Source
from core.methods.content import CONTENT, IMAGES, SCENE
from core.parameter import Value

N_FRAMES = 8
"""Frames that are compared, each with the next."""

ALIKE = 0.25
"""Median difference of two frames, in units of the frame's own spread, below which they show the same. Of
seven sequences of one scene, leaves and rain among them, the largest is 0.2; of five image sets, slices of a brain
among them, the smallest 0.3."""


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
    info = source.info
    is_film = info.live or info.fps is not None or info.layout.planes is Planes.YCC420
    return {CONTENT.name: SCENE if is_film or _alike(source) else IMAGES}


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
