"""What to make of foreground that stands still: a thing that was put there, or a place that something left.

A still region is a *ghost* where the frame, and not the background, goes on evenly across its edge: what the background
shows there has gone. It is background at once, even while it is connected to what moves: who has just left it.
Other still regions (a parked car, a person who waits) become background only after a stated time.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core.kernels import noise, regions
from core.runtime import bands
from core.scene.masks.cells import Cells, Map

REVEAL_FRAMES = 12
"""Frames that a region must have been still before it is judged."""

JUDGE_EVERY = 6
"""Still regions are judged at each n-th frame."""

STILL = np.array((10, 5, 5), np.float32)
"""How far luma and chroma may change and still count as still, grey levels."""

REACH = 11
"""Side of the neighbourhood in which a region is compared with what lies around it, cells."""

EVENNESS = 0.4
"""A ghost's frame departs from its surroundings by at most this share of what the background does."""

AT_REST = 0.75
"""Share of what differs in a region that must be still."""

FEWEST = 4
"""Smaller regions are not judged, cells."""

GAP = np.ones((3, 3), np.uint8)
"""Still cells are connected across gaps as wide as this, and between a region and its surroundings lie some of both."""

REPAIR = np.ones((5, 5), np.uint8)
"""What is found is background with what is not marked around it: the rim of a ghost differs too little to be."""


class Ghosts:
    """Follows for how long each cell that differs has been still.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns of cells.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._seen = np.zeros((3, *shape), np.float32)
        self._age = np.zeros(shape, np.uint16)
        self._n = 0

    @property
    def ages(self) -> NDArray[np.uint16]:
        """For how many frames each cell (h, w) has differed from the background and been still; written again later."""
        return self._age

    def follow(self, cells: Cells, differs: NDArray[np.uint8], static_frames: int) -> NDArray[np.uint8] | None:
        """Take note of a frame; return the cells (h, w) that have turned out to be background, not 0, or None.

        Parameters
        ----------
        cells : Cells
        differs : (h, w) uint8
            255 where the frame differs from the background, else 0.
        static_frames : int
            After so many still frames what differs becomes background whatever it is; 0: never.
        """
        bands.run_rows(
            noise.age_band, differs.shape[0], 4 * differs.size, cells.shown, differs, STILL, self._seen, self._age
        )
        self._n += 1
        if self._n % JUDGE_EVERY:
            return None
        still = (self._age >= REVEAL_FRAMES).view(np.uint8)
        if not still.any():
            return None
        found = self._judge(cells, differs, still)
        if static_frames:
            found |= (self._age >= static_frames).view(np.uint8)
        if not found.any():
            return None
        self._age[found > 0] = 0
        return found

    def _judge(self, cells: Cells, marked: NDArray[np.uint8], still: NDArray[np.uint8]) -> NDArray[np.uint8]:
        found = np.zeros_like(still)
        box = _around(still)
        resting = np.asarray(cv2.morphologyEx(still[box] * np.uint8(255), cv2.MORPH_CLOSE, GAP), np.uint8)
        asked = np.empty_like(resting)
        if not regions.keep_resting(resting, marked[box], still[box], FEWEST, AT_REST, asked):
            return found  # As mostly: what follows takes most of the time.
        count, numbered = cv2.connectedComponents(asked, connectivity=8)
        labels = np.asarray(numbered, np.int32)
        near = _around(asked)
        rows, columns = (slice(b.start + n.start, b.start + n.stop) for b, n in zip(box, near, strict=True))
        ghost = _goes_on(
            cells.shown[:, rows, columns], cells.expected[:, rows, columns], marked[rows, columns], labels[near], count
        )
        if ghost.any():
            found[box] = cv2.dilate(ghost[labels].view(np.uint8), REPAIR)
            found[box][(asked == 0) & (marked[box] > 0)] = 0  # Who walks past a ghost is none.
        return found


def _goes_on(
    shown: Map, expected: Map, marked: NDArray[np.uint8], labels: NDArray[np.int32], count: int
) -> NDArray[np.bool_]:
    """Return for each region whether the frame, not the background, continues evenly across its edge."""
    outside = cv2.erode((marked == 0).view(np.uint8), GAP).astype(np.float32)
    weight = cv2.blur(outside, (REACH, REACH))
    ring = (labels > 0) & (weight > 0.05)
    at = labels[ring]
    departs = np.zeros((2, count))
    for planes, sums in zip((shown, expected), departs, strict=True):
        for plane in planes:
            around = cv2.blur(plane * outside, (REACH, REACH))[ring] / weight[ring]
            sums[:] += np.bincount(at, np.abs(plane[ring] - around), count)
    goes_on: NDArray[np.bool_] = departs[0] < EVENNESS * departs[1]
    return goes_on


def _around(where: NDArray[np.uint8]) -> tuple[slice, slice]:
    """Return the box of what is not 0, with what it is compared with around it."""
    left, top, width, height = cv2.boundingRect(where)
    rows = slice(max(top - REACH, 0), min(top + height + REACH, where.shape[0]))
    return rows, slice(max(left - REACH, 0), min(left + width + REACH, where.shape[1]))
