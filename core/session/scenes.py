"""The scenes of an input, as a pass over it leaves them: where it was cut, or the camera has gone elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Shift, Values

MOST_SCENES = 16
"""Scenes that are remembered: 180 MB of 1080p. What comes after so many cuts is learnt anew in each pass."""


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
    """

    first: int
    plate: Values
    noise: NDArray[np.float32] | None
    origin: Shift
    sure: NDArray[np.bool_] | None = None


TOLD = 3
"""Cuts that a person is told of by their frames."""


class Cuts:
    """What a person should know of cuts; each counts once, however often its frames are read."""

    def __init__(self) -> None:
        self._told: list[int] = []
        self._n, self._last = 0, 0

    def add(self, first: int) -> None:
        """Take note that a scene begins at a frame, counted from 0."""
        if first > self._last:
            self._n, self._last = self._n + 1, first
            if len(self._told) < TOLD:
                self._told.append(first)

    @property
    def notes(self) -> list[str]:
        """A sentence, where there are any."""
        if not self._n:
            return []
        told = ", ".join(str(first + 1) for first in self._told)
        more = f" and {self._n - TOLD} more" if self._n > TOLD else ""
        return [
            f"Another scene begins at frame{'s' if self._n > 1 else ''} {told}{more}: each is compared with a "
            "background of its own, and the plate is that of the last; give a range of frames for the plate of another."
        ]


class Scenes:
    """Remembers the scenes of the last pass."""

    def __init__(self) -> None:
        self._scenes: dict[int, Scene] = {}

    def add(self, scene: Scene) -> None:
        """Remember a scene, instead of one that began at the same frame."""
        if len(self._scenes) < MOST_SCENES or scene.first in self._scenes:
            self._scenes[scene.first] = scene

    def at(self, index: int) -> Scene | None:
        """Return the scene that a frame shows; of frames before all of them the first one; None: none is known."""
        if not self._scenes:
            return None
        return self._scenes[max((first for first in self._scenes if first <= index), default=min(self._scenes))]
