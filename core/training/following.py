"""Things followed from frame to frame, by where they overlap themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.training.cutouts import Cutout
from core.training.silhouettes import Silhouette

LEAST_FRAMES = 7
"""A shorter track shows no step of a person; a car that crosses a low picture is whole in no more than a dozen."""

MOST_FRAMES = 60
"""A longer one shows nothing new: a person takes a step in about ten frames."""

LEAST_OVERLAP = 0.3
"""Of the boxes of a thing in two frames."""

MOST_GROWTH = 1.3
"""Area of a thing over its area in the frame before: beyond, two have met, or one was torn."""

LEAST_WAY = 0.25
"""What moves by less than this part of its height in all its frames may be a ghost."""


class Follower:
    """Gathers the tracks of one clip, frame by frame.

    Parameters
    ----------
    source : int
        Which clip.

    Attributes
    ----------
    tracks : list of Cutout
        Those that ended and were long enough.
    """

    def __init__(self, source: int) -> None:
        self._source = source
        self._open: list[list[Silhouette]] = []
        self.tracks: list[Cutout] = []

    def take(self, silhouettes: Sequence[Silhouette]) -> None:
        """Go on by a frame: each track takes the thing that overlaps its last one, where both have no other choice."""
        tracks, self._open = self._open, []
        pairs = [
            (i, j)
            for i, track in enumerate(tracks)
            for j, thing in enumerate(silhouettes)
            if thing.overlap(track[-1]) >= LEAST_OVERLAP
        ]
        taken = {}
        for i, j in pairs:
            alone = sum(i == a or j == b for a, b in pairs) == 1
            growth = silhouettes[j].area / tracks[i][-1].area
            if alone and 1 / MOST_GROWTH <= growth <= MOST_GROWTH and len(tracks[i]) < MOST_FRAMES:
                taken[j] = tracks[i]
        for track in tracks:
            if not any(track is other for other in taken.values()):
                self._end(track)
        self._open = [[*taken.get(j, []), thing] for j, thing in enumerate(silhouettes)]

    def finish(self) -> None:
        """End all that is still followed."""
        for track in self._open:
            self._end(track)
        self._open = []

    def _end(self, track: Sequence[Silhouette]) -> None:
        if len(track) < LEAST_FRAMES:
            return
        feet = [(s.left + s.patch.shape[1] / 2, s.top + s.patch.shape[0]) for s in track]
        cutout = Cutout([s.patch for s in track], np.array(feet, np.float32), self._source)
        if np.ptp(cutout.feet, axis=0).max() >= LEAST_WAY * cutout.height:
            self.tracks.append(cutout)
