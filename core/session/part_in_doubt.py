"""What somebody hid when a part of a scene changed: how it looks now is seen when he has gone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.scene.tuning import SETTLED_FRAMES


class PartInDoubt:
    """Finds how the scene now looks where it was hidden when it changed: the look that stays longest is taken for it.

    Parameters
    ----------
    cells : (h, w) bool
        Those whose look from now on is not known: what was known of them is of before.
    """

    def __init__(self, cells: NDArray[np.bool_]) -> None:
        self._at = np.nonzero(cells)
        self._cells = np.zeros_like(cells)
        self._n_held = np.full(len(self._at[0]), SETTLED_FRAMES - 1)

    def offer(self, ages: NDArray[np.uint16]) -> NDArray[np.bool_] | None:
        """Return the cells (h, w) to be taken for the scene as the next frame shows them, or None.

        Parameters
        ----------
        ages : (h, w) uint16
            For how many frames each cell has differed from the background and been still; 0: it does not differ.
        """
        still_for = ages[self._at]
        self._n_held += still_for == 0
        taken = still_for > self._n_held
        if not taken.any():
            return None
        self._n_held[taken] = still_for[taken]
        self._cells[self._at] = taken
        return self._cells
