"""One of the frames that a plate is made of."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Values
from core.frames.packed_mask import PackedMask
from core.scene.relighting import Relighting

FEWEST = 9
"""Frames that a plate is made of, whatever the budget; fewer tell little."""


@dataclass(frozen=True, eq=False)
class PlateFrame:
    """A frame, what hides the scene in it, and what tells how far it is to be believed.

    Attributes
    ----------
    index : int
        Of the frame.
    values : (F,) samples
    hidden : PackedMask
        Pixels that do not show the scene, as far as it is known.
    unseen : PackedMask, or None
        Those of which the frame shows nothing.
    gone : PackedMask, or None
        Those that show what was there before a part of the scene has changed.
    change : (h, w) uint8
        How much the surroundings of each point of a grid had changed since the frame before, grey levels.
    back : Relighting, or None
        What brings it into the light of the first frame; None: it is hardly other.
    """

    index: int
    values: Values
    hidden: PackedMask
    unseen: PackedMask | None
    change: NDArray[np.uint8]
    back: Relighting | None
    gone: PackedMask | None = None

    def without(self, part: PackedMask) -> PlateFrame:
        """Return the frame without what it shows of a part of the scene that has changed since."""
        return replace(self, hidden=self.hidden | part, gone=part if self.gone is None else self.gone | part)

    def hidden_by(self, found: PackedMask) -> PlateFrame:
        """Return the frame hidden where a mask says so and where it shows nothing of the scene, and nowhere else."""
        for mask in (self.unseen, self.gone):
            found = found if mask is None else found | mask
        return replace(self, hidden=found)

    def seen(self, grid: Grid) -> NDArray[np.bool_]:
        """Return where on a grid (h, w) nothing hides the scene."""
        return _clear_of(self.hidden, grid)

    def shown(self, grid: Grid) -> NDArray[np.bool_]:
        """Return where on a grid (h, w) there is anything of the scene in the frame, whatever hides it."""
        shown = np.ones(grid.shape, np.bool_)
        for mask in (self.unseen, self.gone):
            shown = shown if mask is None else shown & _clear_of(mask, grid)
        return shown


def _clear_of(mask: PackedMask, grid: Grid) -> NDArray[np.bool_]:
    return np.asarray(mask.rows(slice(None, None, grid.step))[:, :: grid.step] == 0)
