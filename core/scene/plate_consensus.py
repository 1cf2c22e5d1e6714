"""Which of the looks that a place has shown is the scene's: the one that comes back, with what is around it.

A sample is supported by the others that look like it, if they are still and no mask covers them, and by the support of
its neighbours. Whatever looks like the sample with most support shows the plate, as most around it does, though a mask
covers it. Where most of what masks let be seen looks otherwise, masks are doubted; and where they let one frame alone
be seen, while most show one look: who stands in the first of some photographs is what all others are masked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout, Values
from core.frames.packed_mask import PackedMask
from core.kernels import clean_plate
from core.runtime import bands, stopping
from core.scene.looks import LookGrid
from core.scene.plate_frame import FEWEST, PlateFrame
from core.scene.surroundings import MAJORITY, mean_around, mostly

VOTERS = 151
"""So many frames at most are held against each other to find the look that comes back. More are better and cost more:
with 75 of these, `foliage` is off by 5.9 levels instead of 1.4."""

ALIKE = 24 / 255
"""Samples that differ by no more, in all planes, show one look, and count though a mask covers them: a shadow mostly
differs by more. Units of the contrast.

With 16, plates of two drawn trees are off by 9.3 and 11.6 levels instead of 7.9 and 10.4, and that of `foliage` without
masks by 0.7 instead of 1.6; with 8, `foliage` is off by 2.6 instead of 1.1.
"""

STILL = 3.0
"""What changes from one frame to the next by so many times the noise counts half.

With 2, the plate of `highway1`, half as bright for every other 150 frames, is off by 15.0 levels, with 5 by 1.3,
instead of 3.6; with 4, that of `foliage` without masks by 2.7 instead of 1.5.
"""

ROUNDING = 1.0
"""No noise is less, grey levels."""


class Consensus(NamedTuple):
    """What frames agree on.

    Attributes
    ----------
    frames : sequence of PlateFrame
        In one light.
    shows : list of PackedMask
        Where on the grid (h, w) each of them shows the plate whatever its mask says.
    look : (F,) samples
        Of the scene, in the frame that has most support at each point.
    reach : int
        Samples that are within so many of it show the same.
    doubted : (h, w) bool
        Where masks are doubted: nothing else shows the plate.
    """

    frames: Sequence[PlateFrame]
    shows: list[PackedMask]
    look: Values
    reach: int
    doubted: NDArray[np.bool_]

    def is_alike(self, v: Values, at: slice) -> NDArray[np.bool_]:
        """Return where part of a frame (F,) looks like the scene.

        Where a frame shows the plate though a mask covers it, this is asked of each pixel: beside a point of the grid
        that does there may lie the edge of what hides the scene.
        """
        look, seen = self.look[at], v[at]
        return np.asarray(np.maximum(look, seen) - np.minimum(look, seen) <= self.reach)


def consensus(frames: Sequence[PlateFrame], layout: Layout, grid: Grid) -> Consensus:
    """Return what frames in one light agree on, at least one."""
    against = np.zeros(grid.shape, np.float32)
    vote = _Vote(frames, layout, grid)
    for frame, alike in zip(frames, vote.likeness, strict=True):
        against += frame.seen(grid) * (np.float32(MAJORITY) - alike)
    doubted, shows = mean_around(against) > 0, []
    for frame, alike in zip(frames, vote.likeness, strict=True):
        # A point that a mask lets be seen tells nothing of covered pixels beside it.
        shows.append(PackedMask.of(alike & mostly(alike) & frame.shown(grid) & (doubted | ~frame.seen(grid))))
    return Consensus(frames, shows, vote.look(), vote.reach, doubted)


class _Vote:
    """Finds the look that comes back at each point, a row of the grid at a time: looks of all frames are large.

    A sample counts as that look where it differs by no more than ``reach`` samples in any plane.

    Parameters
    ----------
    frames : sequence of PlateFrame
        In one light.
    layout : Layout
        Of the frames.
    grid : Grid
        Over them.
    """

    def __init__(self, frames: Sequence[PlateFrame], layout: Layout, grid: Grid) -> None:
        self._frames, self._grid, self._looks = frames, grid, LookGrid(layout, grid)
        self._places = np.unique(np.arange(VOTERS) * len(frames) // VOTERS)
        self._voters = [frames[t] for t in self._places]
        self._layout, self.reach = layout, round(ALIKE * layout.contrast)
        self._cost = bands.HEAVY * layout.n_values
        seen = np.stack([voter.seen(grid) for voter in self._voters])
        self._best, is_seen = self._supported(seen)
        self.likeness = self._like(self._best, is_seen)
        """Where each frame (N, h, w) looks like the voter with most support."""
        n_seen = np.zeros(grid.shape, np.intp)
        for frame in frames:
            n_seen += frame.seen(grid)
        once = n_seen == 1
        if once.any():
            self._trust_most(once)

    def _trust_most(self, once: NDArray[np.bool_]) -> None:
        """Let the look that most frames share win at points (h, w) that were seen once, whatever masks say of it."""
        best, is_seen = self._supported(np.stack([voter.shown(self._grid) for voter in self._voters]))
        likeness = self._like(best, is_seen & once)
        agreed = mostly(likeness.mean(axis=0) > MAJORITY) & once
        self._best = np.where(agreed, best, self._best)
        np.copyto(self.likeness, likeness, where=agreed)

    def _supported(self, seen: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return which frame has most support at each point (h, w), and where any has; ``seen`` as in `_support`."""
        support = self._support(seen)
        return self._places[support.argmax(axis=0)], support.max(axis=0) > 0

    def _like(self, best: NDArray[np.intp], is_seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return where each frame (N, h, w) looks like the best one at a point (h, w) that was seen at all."""
        values = [frame.values for frame in self._frames]
        likeness = np.zeros((len(values), *best.shape), np.bool_)
        for i in np.flatnonzero(is_seen.any(axis=1)).tolist():
            stopping.check()
            looks = self._looks.row(i, values)
            chosen = np.take_along_axis(looks, best[i][None, None], axis=1)
            apart = np.where(looks > chosen, looks - chosen, chosen - looks).max(axis=0)
            likeness[:, i] = (apart <= self.reach) & is_seen[i]
        return likeness

    def look(self) -> Values:
        """Return what all pixels (F,) show in the frame of the voter with most support at their point of the grid."""
        layout, look = self._layout, self._layout.empty()
        for index, shape in enumerate(layout.shapes):
            rows, columns = (np.arange(n) * layout.step(index) // self._grid.step for n in shape)
            best, plane = self._best[rows][:, columns], layout.plane(look, index)
            for t in np.unique(self._best):
                stopping.check()
                np.copyto(plane, layout.plane(self._frames[t].values, index), where=best == t)
        return look

    def _support(self, seen: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return how well each voter (V, h, w) is supported by the others, and its neighbours at that time; or 0.

        ``seen`` is where (V, h, w) each counts.
        """
        halving, values = self._halving_change(), [voter.values for voter in self._voters]
        support = np.empty(seen.shape, np.float32)

        def weights(changes: NDArray[np.uint8], seen: NDArray[np.bool_]) -> NDArray[np.float32]:
            # What changes just then is hardly the scene. Those of all points and voters are 20 MB at 1080p.
            return np.asarray(1 / (1 + (changes.astype(np.float32) / halving) ** 2) * seen, np.float32)

        def some_rows(start: int, stop: int) -> None:
            for i in range(start, stop):
                stopping.check()  # On the thread that was asked for the plate; others end with their band.
                at_row = weights(np.stack([voter.change[i] for voter in self._voters]), seen[:, i])
                clean_plate.support_row(self._looks.row(i, values), at_row, self.reach, support[:, i])

        bands.run_rows(some_rows, self._grid.shape[0], self._cost)
        for one, voter, its_seen in zip(support, self._voters, seen, strict=True):
            np.multiply(one, mean_around(one) * weights(voter.change, its_seen), out=one)
        return support

    def _halving_change(self) -> np.float32:
        """Return the change of its surroundings by which a sample counts half, grey levels."""
        changes = np.stack([frame.change for frame in self._frames])
        middle = min(FEWEST, len(changes)) // 2  # The median of the stillest: a plate is made of no fewer.
        changes.partition(middle, axis=0)
        return np.float32(max(ROUNDING, float(np.median(changes[middle]))) * STILL)
