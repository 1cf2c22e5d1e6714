"""Which basis images have not been used so far: they show what they began with, and not what was learnt. No Qt here."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from app.rendering.basis_thumbnails import brightness

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_PART = 0.03
"""Part of an equal share of the frame that an image has to make once to count as used; below, nobody sees it."""


class BasisUse:
    """Remembers the largest share of a frame that each basis image of a run has made, of all that are processed.

    Parameters
    ----------
    unused : collection of int, optional
        The images, from 0, that the run had not used before; all others of the rank that is asked for first it had.
    """

    def __init__(self, unused: Collection[int] | None = None) -> None:
        self._known = unused
        self._largest: NDArray[np.float64] = np.empty(0)
        self._seen: list[NDArray[np.float64]] = []

    def see(self, h: NDArray[np.float64]) -> None:
        """Take note of the coefficients (K,) of the next frame; they are kept until `unused` is asked."""
        if self._seen and self._seen[0].size != h.size:
            self._seen = []
        self._seen.append(h)

    def unused(self, W: NDArray[np.floating]) -> list[bool]:
        """Return which columns of a dictionary (F, K) were never used; none where no frame of its rank was seen."""
        seen, self._seen, rank = self._seen, [], W.shape[1]
        if self._largest.size != rank:
            self._largest = self._at_first(rank)
        if seen and seen[0].size == rank:
            light = np.abs(np.stack(seen)) * brightness(W)
            shares = light / np.maximum(light.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
            self._largest = np.maximum(self._largest, shares.max(axis=0))
        return [0 <= largest < LEAST_PART / rank for largest in self._largest.tolist()]

    def _at_first(self, rank: int) -> NDArray[np.float64]:
        known, self._known = self._known, None
        if known is None:
            return np.full(rank, -1.0)  # One was dropped or added: the numbers are of others now.
        return np.array([0.0 if number in known else 1.0 for number in range(rank)])
