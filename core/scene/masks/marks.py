"""What the mask stage marks in a frame, and how strokes change it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.scene.masks.strokes import Pixels, Stroke


@dataclass(frozen=True)
class Marks:
    """What the mask stage found of a frame.

    Attributes
    ----------
    mask, covered, may_hide : (H, W) uint8
        See `core.scene.masks.detection.Detection`.
    revealed : (H, W) bool, or None
        See `core.scene.masks.foreground.Foreground.update`.
    painted : (H, W) uint8, or None
        255 where the mask is set because people painted foreground there; None: nowhere.
    """

    mask: NDArray[np.uint8]
    covered: NDArray[np.uint8]
    may_hide: NDArray[np.uint8]
    revealed: Pixels | None = None
    painted: NDArray[np.uint8] | None = None

    @classmethod
    def of_mask(cls, mask: NDArray[np.uint8]) -> Marks:
        """Return those of a method that makes masks (H, W) itself: nothing else is known of what hides the scene."""
        return cls(mask, mask, mask)

    def without(self, never: Pixels | None) -> Marks:
        """Return them with background where (H, W) nothing is ever foreground; themselves where that is nowhere."""
        if never is None:
            return self
        mask, covered, may_hide = self.copies()
        mask[never] = covered[never] = may_hide[never] = 0
        painted = None if self.painted is None else np.where(never, np.uint8(0), self.painted)
        return Marks(mask, covered, may_hide, self.revealed, painted)

    def copies(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
        """Return copies of what is marked, to be changed."""
        return self.mask.copy(), self.covered.copy(), self.may_hide.copy()


class MarksDraft:
    """Marks that are written to.

    Parameters
    ----------
    marks : Marks
        To begin with; left as they are.

    Attributes
    ----------
    mask : (H, W) uint8
        As it is so far.
    """

    def __init__(self, marks: Marks) -> None:
        self.mask, self._covered, self._may_hide = marks.copies()
        self._painted = np.zeros_like(self.mask)
        self._revealed = np.zeros(self.mask.shape, bool) if marks.revealed is None else marks.revealed.copy()

    def show_background(self, part: tuple[slice, slice], shown: Pixels, is_scene: Pixels) -> None:
        """Take pixels (h, w) of a part out of the mask; of those ``is_scene`` says which are to be learnt from."""
        self._revealed[part] |= is_scene & (self.mask[part] > 0)
        for plane in (self.mask, self._may_hide, self._painted):  # It is shown, learnt or not.
            np.copyto(plane[part], 0, where=shown)
        np.copyto(self._covered[part], 0, where=is_scene)

    def show_foreground(self, part: tuple[slice, slice], shown: Pixels, held: Pixels) -> None:
        """Let nobody learn from pixels (h, w) of a part; those of them that are held are in the mask."""
        for plane in (self.mask, self._painted):
            np.copyto(plane[part], 255, where=shown & held)
        for plane in (self._covered, self._may_hide):
            np.copyto(plane[part], 255, where=shown)
        self._revealed[part] &= ~shown

    def set(self, stroke: Stroke) -> None:
        """Mark all pixels of a stroke as it says, whatever they show."""
        for plane in (self.mask, self._covered, self._may_hide, self._painted):
            np.copyto(plane[stroke.part], 0 if stroke.is_background else 255, where=stroke.where)

    def marks(self) -> Marks:
        """Return them as they are now; no more is written."""
        revealed = self._revealed if self._revealed.any() else None
        painted = self._painted if self._painted.any() else None
        return Marks(self.mask, self._covered, self._may_hide, revealed, painted)
