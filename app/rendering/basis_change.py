"""By how much basis images change while they are learnt: what is still uncertain of them. No Qt here."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPAN = 50
"""Frames over which a change is told: two seconds of film, some learning steps of every online method."""

KEPT = 8
"""States of the basis that are kept within `SPAN`: asked about at each frame, a change is told over 45 to 50 frames."""

MOST_VALUES = 200_000
"""Of a basis that are kept, spread over it: an error of some thousandths of the change, and 7 MB in all."""


class BasisChange:
    """Compares the basis with what it was some frames ago, whatever the scale of its images."""

    def __init__(self) -> None:
        self._states: deque[tuple[int, NDArray[np.float32]]] = deque(maxlen=KEPT + 1)

    def changes(self, W: NDArray[np.floating], n: int) -> list[float | None]:
        """Return by how much each image has changed within the last `SPAN` frames, and take note of how it is now.

        Parameters
        ----------
        W : (F, K) float
        n : int
            Frames learnt so far.

        Returns
        -------
        list of float, or None where not known yet
            ``‖u − u′‖`` of the images, each scaled to norm 1: 0 as it was, 0.01 a hundredth of it is another, 1.4 all.
        """
        step = max(1, W.size // MOST_VALUES)
        thin = np.array(W[::step], np.float32)
        thin /= np.maximum(np.linalg.norm(thin, axis=0), np.float32(1e-20))
        if self._states and (self._states[-1][0] > n or self._states[-1][1].shape != thin.shape):
            self._states.clear()
        while len(self._states) > 1 and self._states[0][0] < n - SPAN:
            self._states.popleft()
        if not self._states or n - self._states[-1][0] >= SPAN // KEPT:
            self._states.append((n, thin))
        then, before = self._states[0]
        if then == n:
            return [None] * W.shape[1]
        return [float(distance) for distance in np.linalg.norm(thin - before, axis=0)]
