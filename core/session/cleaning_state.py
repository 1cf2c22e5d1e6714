"""What a session knows for cleaning frames: what people set, and the plate of the pass before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.frames.motion import Motion, Shift
from core.frames.moved import moved_within
from core.frames.planar import PlanarPicture
from core.parameter import Value
from core.scene.cleaning import CLEANING_PARAMETERS, Cleaning
from core.session.alignment import rebase


class CleaningState:
    """Keeps how the next frame is cleaned.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    values : mapping
        A value for each of `core.scene.cleaning.CLEANING_PARAMETERS`.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        self._layout = layout
        self._values = {p.name: values[p.name] for p in CLEANING_PARAMETERS}
        self.now = Cleaning.of(self._values)

    def set(self, name: str, value: Value) -> None:
        """Change a parameter from the next frame on."""
        self._values[name] = value
        self.now = replace(Cleaning.of(self._values), plate=self.now.plate, seen=self.now.seen)

    def take_plate(self, samples: Values, seen: NDArray[np.bool_] | None = None) -> None:
        """Use a plate (F,) from now on, which was ``seen`` where (H, W) that says so; None: everywhere."""
        seen = None if seen is None or seen.all() else seen
        self.now = replace(self.now, plate=PlanarPicture(samples, self._layout), seen=seen)

    def forget_plate(self) -> None:
        """Use no plate from now on: another scene is shown, of which none is known."""
        self.now = replace(self.now, plate=None, seen=None)

    def rebase(self, frame: Frame, by: Shift) -> None:
        """Go on in coordinates that have moved along with the camera: see `core.session.alignment.rebase`."""
        if self.now.plate is not None:
            seen = np.ones(self._layout.shapes[0], np.bool_) if self.now.seen is None else self.now.seen
            # What comes into the picture was seen once, and what hid it then is not known.
            self.take_plate(rebase(self.now.plate.samples, frame, by), moved_within(seen, Motion(by).back))
