"""The scenes of an input, as a pass over it leaves them: where it was cut, or the camera has gone elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Shift, Values
from core.io.sources.base import SourceInfo

SCENES_BYTES, FEWEST_SCENES = 192 << 20, 2
"""Memory for the scenes that are remembered, 14 of 1080p; so many in any case. What comes after so many cuts is learnt
anew in each pass."""


class Scene(NamedTuple):
    """What a pass has learnt of a scene.

    Attributes
    ----------
    first : int
        Its first frame.
    plate : (F,) samples
    noise : (H, W) float32, or None
        Standard deviation from the plate, samples; None where the method makes its own masks.
    origin : Shift
        Where its coordinates lie in those of the first frame of the run, whole pixels.
    sure : (H, W) bool, or None
        Where the plate was to be seen for most of the time; None where the method makes its own masks.
    sways : (h, w) bool, or None
        Where the background sways, on a grid; None where it is not known.
    """

    first: int
    plate: Values
    noise: NDArray[np.float32] | None
    origin: Shift
    sure: NDArray[np.bool_] | None = None
    sways: NDArray[np.bool_] | None = None

    @property
    def n_bytes(self) -> int:
        """Memory that it takes."""
        return sum(each.nbytes for each in (self.plate, self.noise, self.sure, self.sways) if each is not None)


TOLD = 3
"""Cuts that a person is told of by their frames."""

MOST_CUTS = 1000
"""Cuts that are counted."""


class Cuts:
    """What a person should know of cuts; each counts once, however often its frames are read."""

    def __init__(self) -> None:
        self._firsts: set[int] = set()

    def add(self, first: int) -> None:
        """Take note that a scene begins at a frame, counted from 0."""
        if len(self._firsts) < MOST_CUTS:
            self._firsts.add(first)

    def notes(self, info: SourceInfo) -> list[str]:
        """Return a sentence, where there are any; ``info`` is of the source that was read."""
        n = len(self._firsts)
        if not n:
            return []
        told = ", ".join(str(info.n_before + first + 1) for first in sorted(self._firsts)[:TOLD])
        more = f" and {n - TOLD} more" if n > TOLD else ""
        where = f" at frame{'s' if n > 1 else ''} {told}{more}" if info.numbers_frames else ""
        return [
            f"Another scene begins{where}: each is compared with a background of its own, and the plate is that of the "
            "last; give a range of frames for the plate of another."
        ]


class Scenes:
    """Remembers the scenes of the last pass."""

    def __init__(self) -> None:
        self._scenes: dict[int, Scene] = {}

    def add(self, scene: Scene) -> None:
        """Remember a scene, instead of one that began at the same frame."""
        others = [one for first, one in self._scenes.items() if first != scene.first]
        if len(others) < FEWEST_SCENES or sum(one.n_bytes for one in others) + scene.n_bytes <= SCENES_BYTES:
            self._scenes[scene.first] = scene

    def at(self, index: int) -> Scene | None:
        """Return the scene that a frame shows; of frames before all of them the first one; None: none is known."""
        if not self._scenes:
            return None
        return self._scenes[max((first for first in self._scenes if first <= index), default=min(self._scenes))]
