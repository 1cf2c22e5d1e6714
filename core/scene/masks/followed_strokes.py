"""Strokes that are known by their look, followed from frame to frame: what is painted comes, stays and leaves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.scene.masks.strokes import Pixels, Stroke
from core.scene.surroundings import MAJORITY
from core.scene.tuning import SETTLED_FRAMES


@dataclass(frozen=True, eq=False)
class FollowedStroke:
    """A stroke, and what the frames since have shown of it.

    Attributes
    ----------
    stroke : Stroke
    held : (h, w) bool
        Of painted foreground, the pixels that have not left.
    count : (h, w) uint8
        Frames in a row, 255 at most, for which foreground has been away, or background has shown its look.
    """

    stroke: Stroke
    held: Pixels
    count: NDArray[np.uint8]

    @staticmethod
    def begun(stroke: Stroke, *, is_held: bool, count: NDArray[np.uint8] | None = None) -> FollowedStroke:
        """Return a stroke as it is before the next frame, with its counts if they are known: there already, or not."""
        held = stroke.where if is_held else np.zeros_like(stroke.where)
        return FollowedStroke(stroke, held, np.zeros(held.shape, np.uint8) if count is None else count)

    def without(self, later: Stroke) -> FollowedStroke:
        """Return what a later stroke leaves of it."""
        stroke = self.stroke.without(later)
        if stroke is self.stroke:
            return self
        return replace(self, stroke=stroke, held=self.held & stroke.where)

    def moved(self, down: int, right: int, layout: Layout) -> FollowedStroke:
        """Return it so many pixels (even) lower and further right, without what is beyond the border then."""
        way = down, right, layout
        kept_of = self.stroke.kept_of
        return FollowedStroke(self.stroke.moved(*way), kept_of(self.held, *way), kept_of(self.count, *way))

    def shown(self, alike: Pixels) -> Pixels:
        """Return the pixels (h, w) of a frame that show the stroke: those that are alike where most of it is."""
        whole = self.stroke.where if self.stroke.is_background or not self.held.any() else self.held
        is_there = np.count_nonzero(alike & whole) >= MAJORITY * np.count_nonzero(whole)
        return alike & is_there

    def after_seen(self, shown: Pixels) -> FollowedStroke:
        """Return painted background after a frame that shows it at these pixels (h, w)."""
        return replace(self, count=_counted(self.count, shown))

    def after_gone(self, gone: Pixels) -> FollowedStroke:
        """Return painted foreground after a frame in which these pixels (h, w) are without it."""
        count = _counted(self.count, gone)
        held = self.held & (count < SETTLED_FRAMES)
        if np.count_nonzero(held) < MAJORITY * np.count_nonzero(self.stroke.where):
            held = np.zeros_like(held)  # What is left is the scene, which looks like it.
        return replace(self, held=held, count=count)


def _counted(count: NDArray[np.uint8], where: Pixels) -> NDArray[np.uint8]:
    """Return counts of frames in a row after one more, which has it or not."""
    return np.where(where, np.minimum(count, 254) + 1, 0).astype(np.uint8)
