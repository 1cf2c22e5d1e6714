"""Moving things cut out of real clips, and the plates that they were cut out of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAX_BYTES = 60_000_000
"""Memory of all patches together."""


@dataclass(frozen=True)
class Cutout:
    """One thing as it moves, cut out frame by frame.

    Attributes
    ----------
    patches : sequence of (h, w, 4) uint8
        RGB, not premultiplied, and alpha, one for each frame; black where nothing is covered.
    feet : (N, 2) float32
        Where the middle of each patch's lower edge lay, x and y, pixels of the patches.
    source : int
        Which plate it was cut out of.
    """

    patches: Sequence[NDArray[np.uint8]]
    feet: NDArray[np.float32]
    source: int

    @property
    def height(self) -> int:
        """Rows of its tallest patch."""
        return max(int(patch.shape[0]) for patch in self.patches)

    @property
    def n_bytes(self) -> int:
        """Memory of its patches."""
        return sum(patch.nbytes for patch in self.patches)


@dataclass(frozen=True)
class Cutouts:
    """All that was cut out of some clips.

    Attributes
    ----------
    tracks : sequence of Cutout
    plates : sequence of (H, W, 3) uint8
        The clips without anything that moves, RGB.
    """

    tracks: Sequence[Cutout]
    plates: Sequence[NDArray[np.uint8]]

    def bounded(self, most: int = MAX_BYTES) -> Cutouts:
        """Return as many tracks as ``most`` bytes hold, from each source in turn, in the order they have."""
        chosen: list[Cutout] = []
        queues = [[t for t in self.tracks if t.source == source] for source in range(len(self.plates))]
        room = most
        while any(queues):
            for queue in filter(None, queues):
                track = queue.pop(0)
                if track.n_bytes <= room:
                    room -= track.n_bytes
                    chosen.append(track)
        return Cutouts(chosen, self.plates)
