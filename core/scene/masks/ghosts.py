"""What to make of foreground that stands still: a thing that was put there, or a place that something left.

A still region is a *ghost* where the frame, and not the background, goes on evenly across its edge: what the background
shows there has gone. It is background at once, even while it is connected to what moves, who has just left it, unless
it is but a small part of that.
Other still regions (a parked car, a person who waits) become background only after a stated time.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from core.kernels import noise, regions
from core.runtime import bands
from core.scene.masks.cells import COST, Cells, Map
from core.scene.tuning import FEW, LIKENESS, SETTLED_FRAMES

NEIGHBOURS = np.ones((3, 3), np.uint8)
"""Still cells are connected across gaps as wide as this, and between a region and its surroundings lie some of both."""

REACH = 11
"""Side of the neighbourhood in which a region is compared with what lies around it, cells. With 5, people who wait in
`caviar2` are taken for ghosts: F is 0.82, not 0.89."""

CHANGE = np.float32(255 * LIKENESS)
"""What changes by less is still, grey levels."""


class Ghosts:
    """Follows for how long each cell that differs has been still.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns of cells.
    side : int
        Rows and columns of pixels of a cell.
    """

    def __init__(self, shape: tuple[int, int], side: int) -> None:
        self._are_pixels = side == 1
        self._seen = np.zeros((3, *shape), np.float32)
        self._age = np.zeros(shape, np.uint16)
        self._n = 0

    @property
    def ages(self) -> NDArray[np.uint16]:
        """For how many frames each cell (h, w) has differed from the background and been still; written again later."""
        return self._age

    def ageing(self, cells: Cells, differs: NDArray[np.uint8]) -> Sequence[bands.Task]:
        """Return what takes note of a frame when it is done, by bands of rows; parameters as in `follow`."""
        shown = _departures(cells) if self._are_pixels else cells.shown
        return bands.rows(
            noise.age_band, differs.shape[0], COST * differs.size, shown, differs, CHANGE, self._seen, self._age
        )

    def follow(
        self, cells: Cells, differs: NDArray[np.uint8], static_frames: int, sure: NDArray[np.bool_] | None = None
    ) -> NDArray[np.uint8] | None:
        """Return the cells (h, w) that have turned out to be background, not 0, or None; after `ageing` was done.

        Parameters
        ----------
        cells : Cells
        differs : (h, w) uint8
            255 where the frame differs from the background, else 0.
        static_frames : int
            After so many still frames what differs becomes background whatever it is; 0: never.
        sure : (h, w) bool, optional
            Where the background is known to be there for most of the time: it has not gone.
        """
        self._n += 1
        if self._n % SETTLED_FRAMES:
            return None
        still = (self._age >= SETTLED_FRAMES).view(np.uint8)
        if not still.any():
            return None
        found = self._judge(cells, differs, still)
        if sure is not None:
            found[sure] = 0
        if static_frames:
            found |= (self._age >= static_frames).view(np.uint8)
        if not found.any():
            return None
        self._age[found > 0] = 0
        return found

    def _judge(self, cells: Cells, marked: NDArray[np.uint8], still: NDArray[np.uint8]) -> NDArray[np.uint8]:
        found = np.zeros_like(still)
        box = _around(still)
        resting = np.asarray(cv2.morphologyEx(still[box] * np.uint8(255), cv2.MORPH_CLOSE, NEIGHBOURS), np.uint8)
        asked = np.empty_like(resting)
        if not regions.keep_resting(resting, marked[box], still[box], 1 - FEW, asked):
            return found  # As mostly: what follows takes most of the time.
        count, numbered = cv2.connectedComponents(asked, connectivity=8)
        labels = np.asarray(numbered, np.int32)
        near = _around(asked)
        rows, columns = (slice(b.start + n.start, b.start + n.stop) for b, n in zip(box, near, strict=True))
        ghost = _goes_on(
            cells.shown[:, rows, columns], cells.expected[:, rows, columns], marked[rows, columns], labels[near], count
        )
        ghost &= _most_of_what_differs(labels, marked, box, count)
        if ghost.any():
            found[box] = cv2.dilate(ghost[labels].view(np.uint8), NEIGHBOURS)
            found[box][(asked == 0) & (marked[box] > 0)] = 0  # Who walks past a ghost is none.
        return found


def _departures(cells: Cells) -> Map:
    """Return by how much frame and background differ about each cell (P, h, w): what is still of cells of one pixel.

    A pixel alone has so much noise that it is hardly still for long, and fine cells are for stacks that bleach, where
    all of the frame changes and only this stays.
    """
    return np.stack([cv2.blur(plane, NEIGHBOURS.shape) for plane in cells.shown - cells.expected])


def _most_of_what_differs(
    labels: NDArray[np.int32], marked: NDArray[np.uint8], box: tuple[slice, slice], count: int
) -> NDArray[np.bool_]:
    """Return for each region in a box whether it is not just few of what differs about it: a leg that is at rest is."""
    _, whole = cv2.connectedComponents(marked, connectivity=8)
    sizes = np.bincount(whole.ravel())
    at = (labels > 0) & (marked[box] > 0)
    largest = np.zeros(count)
    np.maximum.at(largest, labels[at], sizes[whole[box][at]])
    enough: NDArray[np.bool_] = np.bincount(labels[at], minlength=count) >= FEW * largest
    return enough


def _goes_on(
    shown: Map, expected: Map, marked: NDArray[np.uint8], labels: NDArray[np.int32], count: int
) -> NDArray[np.bool_]:
    """Return for each region whether the frame, not the background, continues evenly across its edge."""
    outside = cv2.erode((marked == 0).view(np.uint8), NEIGHBOURS).astype(np.float32)
    weight = cv2.blur(outside, (REACH, REACH))
    ring = (labels > 0) & (weight > 0)
    at = labels[ring]
    departs = np.zeros((2, count))
    for planes, sums in zip((shown, expected), departs, strict=True):
        for plane in planes:
            around = cv2.blur(plane * outside, (REACH, REACH))[ring] / weight[ring]
            sums[:] += np.bincount(at, np.abs(plane[ring] - around), count)
    goes_on: NDArray[np.bool_] = departs[0] < departs[1]
    return goes_on


def _around(where: NDArray[np.uint8]) -> tuple[slice, slice]:
    """Return the box of what is not 0, with what it is compared with around it."""
    left, top, width, height = cv2.boundingRect(where)
    rows = slice(max(top - REACH, 0), min(top + height + REACH, where.shape[0]))
    return rows, slice(max(left - REACH, 0), min(left + width + REACH, where.shape[1]))
