"""What a frame that is shown out of its turn is compared with, where it shows another scene than the run does now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.frames.frame import Frame, Values
from core.frames.planar import PlanarPicture
from core.frames.split import DenseSplit, Split
from core.scene.cleaning import Cleaning
from core.scene.masks.foreground import Foreground
from core.session.scenes import Scene


@dataclass(frozen=True)
class OtherScene:
    """Another scene than that which the run shows now.

    Attributes
    ----------
    known : Scene or None
        As it is remembered. None: nothing is known of it, and each frame is its own background, in which nothing is
        foreground.
    """

    known: Scene | None

    def background(self, frame: Frame) -> Values:
        """Return the background (F,) of a frame, samples."""
        return frame.values if self.known is None else self.known.plate

    def split(self, frame: Frame, like: Split) -> Split:
        """Return a frame, aligned with the scene, split by its plate; coefficients stay those of another split."""
        background = frame.layout.in_white(self.background(frame))
        return DenseSplit(background, frame.layout.in_white(frame.values) - background, None, like.h, like.objective)

    def foreground(self, foreground: Foreground) -> Foreground:
        """Return what finds foreground in the scene; what is given stays as it is."""
        return foreground.in_scene(*(None, None) if self.known is None else (self.known.noise, self.known.sways))

    def cleaning(self, cleaning: Cleaning, frame: Frame) -> Cleaning:
        """Return how a frame of the scene is cleaned, as all frames are but with the plate of the scene."""
        if self.known is None:
            return replace(cleaning, plate=None, seen=None)
        seen = self.known.seen
        plate = PlanarPicture(self.known.plate, frame.layout)
        return replace(cleaning, plate=plate, seen=None if seen is None or seen.all() else seen)
