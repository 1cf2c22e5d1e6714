"""What of a scene changes at once and stays: a slide, a screen, what was put elsewhere between two pictures.

Nobody walks into his place at once: what has been still ever since it differs, all of it since the same frame, may well
be the scene. The mask cannot tell; the person who can is told.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from core.scene.masks.ghosts import CHANGE
from core.scene.tuning import FEW, SETTLED_FRAMES

PART = 0.02
"""Part of the picture that has to change for somebody to be told: a slide is more, and what is put down is less."""


class SuddenChanges:
    """Looks for them in the frames of a scene, in their order."""

    def __init__(self) -> None:
        self._n = 0
        self._last: deque[int] = deque(maxlen=2 * SETTLED_FRAMES)
        self._as_known: NDArray[np.intp] | None = None
        self._before: NDArray[np.float32] | None = None

    def offer(self, ages: NDArray[np.uint16], luma: NDArray[np.float32], index: int) -> int | None:
        """Take note of the next frame; return the index of the one where a part changed that has stayed since, or None.

        Parameters
        ----------
        ages : (h, w) uint16
            For how many frames each cell has differed from the background and been still; 0: it does not differ.
        luma : (h, w) float32
            Of the cells, grey levels; not written to any more.
        index : int
            Of the frame.
        """
        if self._as_known is None or self._before is None:
            self._as_known, self._before = np.zeros(ages.shape, np.intp), luma
        self._n += 1
        self._last.append(index)
        np.copyto(self._as_known, self._n, where=ages == 0)
        # What differs though it looks as before does so since something else was learnt of the background.
        begins = np.nonzero(ages == 1)
        self._as_known[begins] *= np.abs(luma[begins] - self._before[begins]) > CHANGE
        self._before = luma
        if self._n % SETTLED_FRAMES:
            return None
        differs_for = self._n - self._as_known
        # Each is looked at once, and what has differed from the first frame on was never seen to change.
        new = (differs_for >= SETTLED_FRAMES) & (differs_for < 2 * SETTLED_FRAMES) & (self._as_known > 0)
        mostly_still = 2 * ages >= differs_for  # A film gets sharp again first.
        n_cells = np.bincount(differs_for[new & mostly_still], minlength=1)
        is_one = n_cells.max() > max(PART * ages.size, (1 - FEW) * n_cells.sum())
        return self._last[-int(n_cells.argmax())] if is_one else None
