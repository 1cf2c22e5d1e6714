"""The scenes of an input, as a pass over it leaves them: where it was cut, changed, or the camera gone elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values
from core.frames.motion import Shift
from core.session.sudden_changes import Change

SCENES_BYTES, FEWEST_SCENES = 512 << 20, 2
"""Memory for the scenes that are remembered, 30 of 1080p, as a talk has slides; so many in any case. What comes after
so many cuts is learnt anew in each pass, and slides after so many are foreground."""


class Scene(NamedTuple):
    """What a pass has learnt of a scene.

    Attributes
    ----------
    first : int
        Its first frame.
    plate : (F,) samples
    noise : (H, W) float32, or None
        Standard deviation from the plate, samples; None where the plate is the background that the method has learnt.
    origin : Shift
        Where its coordinates lie in those of the first frame of the run, whole pixels.
    sure : (H, W) bool, or None
        Where the plate was to be seen for most of the time; None as ``noise``.
    n_frames : int
        That the plate is made of.
    sways : (h, w) bool, or None
        Where the background sways, on a grid; None where it is not known.
    seen : (H, W) bool, or None
        Where the plate was to be seen at all, elsewhere it is a guess; None as ``noise``.
    change : Change, or None
        What alone has changed since the scene before; None: all may have.
    """

    first: int
    plate: Values
    noise: NDArray[np.float32] | None
    origin: Shift
    sure: NDArray[np.bool_] | None = None
    n_frames: int = 0
    sways: NDArray[np.bool_] | None = None
    seen: NDArray[np.bool_] | None = None
    change: Change | None = None


class Scenes:
    """Remembers the scenes of the last pass.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        noise, sure, sways, seen = np.dtype(np.float32).itemsize, 1, 1, 1
        each = layout.n_bytes + layout.n_pixels * (noise + sure + sways + seen)
        self._most = max(FEWEST_SCENES, SCENES_BYTES // each)
        self._scenes: dict[int, Scene] = {}

    def __len__(self) -> int:
        return len(self._scenes)

    def has_room(self, first: int) -> bool:
        """Tell whether a scene that begins at a frame can be remembered: working it out takes long."""
        return first in self._scenes or len(self._scenes) < self._most

    def add(self, scene: Scene) -> None:
        """Remember a scene, instead of one that began at the same frame; there has to be room."""
        self._scenes[scene.first] = scene

    def of(self, first: int) -> Scene | None:
        """Return the scene that begins at a frame; None: it is not remembered."""
        return self._scenes.get(first)

    def firsts(self) -> list[int]:
        """Return the first frame of each, in no order."""
        return list(self._scenes)

    def in_order(self) -> list[Scene]:
        """Return all of them, in the order of their frames."""
        return [self._scenes[first] for first in sorted(self._scenes)]

    def cut_before(self, scene: Scene) -> int:
        """Return the first frame of the last scene up to one of which all may have changed."""
        cuts = (one.first for one in self._scenes.values() if one.change is None and one.first <= scene.first)
        return max(cuts, default=scene.first)

    def replace_all(self, scenes: Iterable[Scene]) -> None:
        """Remember these instead, which are no more than there were."""
        self._scenes = {scene.first: scene for scene in scenes}

    def at(self, index: int) -> Scene | None:
        """Return the scene that a frame shows; of frames before all of them the first one; None: none is known."""
        if not self._scenes:
            return None
        return self._scenes[max((first for first in self._scenes if first <= index), default=min(self._scenes))]
