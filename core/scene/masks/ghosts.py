"""What to make of foreground that stands still: a thing that was put there, or a place that something left.

A still region is a *ghost* where the frame, and not the background, goes on evenly across its edge: what the background
shows there has gone. It is background at once, even while it is connected to what moves: who has just left it.
Other still regions (a parked car, a person who waits) become background only after a stated time.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Coarse, Plane
from core.kernels import age, regions
from core.runtime import bands

REVEAL_FRAMES = 12
"""Frames that a region must have been still before it is judged."""

LOOK_EVERY = 2
"""Each n-th frame is looked at."""

JUDGE_EVERY = 6
"""Still regions are judged at each n-th frame, which is one that is looked at."""

STILL = (10 / 255, 5 / 255, 5 / 255)
"""How far luma and chroma may change and still count as still, units of the contrast."""

REACH = 15
"""Side of the neighbourhood in which a region is compared with what lies around it, pixels of the grid."""

EVENNESS = 0.4
"""A ghost's frame departs from its surroundings by at most this share of what the background does."""

AT_REST = 0.75
"""Share of what differs in a region that must be still."""

FEWEST = 12
"""Smaller regions are not judged, pixels of the grid."""

GAP = np.ones((3, 3), np.uint8)
"""Still pixels are connected across gaps as wide as this."""

MARGIN = np.ones((5, 5), np.uint8)
"""Between a region and its surroundings lie some pixels of both."""

REPAIR = np.ones((7, 7), np.uint8)
"""What is found is background with what is not marked around it: the rim of a ghost differs too little to be."""


class Ghosts:
    """Follows for how long each foreground pixel has been still.

    Parameters
    ----------
    shape : (int, int)
        Of the planes, h and w.
    n_planes : int
        1: luma; 3: luma and chroma.
    contrast : float
        Samples that the input spans (`Layout.contrast`).
    dtype : type
        Of samples.
    """

    def __init__(
        self, shape: tuple[int, int], n_planes: int, contrast: float, dtype: type[np.uint8] | type[np.uint16]
    ) -> None:
        self._seen: Plane = np.zeros((n_planes, *shape), dtype)
        self._age = np.zeros(shape, np.uint16)
        self._tolerance = np.array([round(share * contrast) for share in STILL[:n_planes]], np.int32)
        self._n = 0

    def follow(self, pictures: Coarse) -> list[Callable[[], object]]:
        """Return the tasks of counting for how long each pixel has been still; none at frames that are not looked at.

        Parameters
        ----------
        pictures : Coarse
            The frame, the background, and where they differ, before any clean-up.
        """
        if (self._n + 1) % LOOK_EVERY:
            return []
        marked = pictures.differs
        return bands.rows(
            age.age_band, marked.shape[0], marked.size, *pictures.now, pictures.step, self._seen, marked,
            self._tolerance, self._age,
        )  # fmt: skip

    def judge(self, pictures: Coarse, park_frames: int) -> NDArray[np.uint8] | None:
        """Return the pixels (h, w) that have turned out to be background, not 0, or None; once after each `follow`.

        Parameters
        ----------
        pictures : Coarse
            As it was followed.
        park_frames : int
            After so many still frames what differs becomes background whatever it is; 0: never.
        """
        self._n += 1
        if self._n % JUDGE_EVERY:
            return None
        still = (self._age >= REVEAL_FRAMES // LOOK_EVERY).view(np.uint8)
        if not still.any():
            return None
        found = self._judge(pictures, still)
        if park_frames:
            found |= (self._age >= max(1, park_frames // LOOK_EVERY)).view(np.uint8)
        if not found.any():
            return None
        self._age[found > 0] = 0
        return found

    def _judge(self, pictures: Coarse, still: NDArray[np.uint8]) -> NDArray[np.uint8]:
        found, marked = np.zeros_like(still), pictures.differs
        box = _around(still)
        resting = np.asarray(cv2.morphologyEx(still[box] * np.uint8(255), cv2.MORPH_CLOSE, GAP), np.uint8)
        asked = np.empty_like(resting)
        if not regions.keep_resting(resting, marked[box], still[box], FEWEST, AT_REST, asked):
            return found  # As mostly: what follows takes most of the time.
        count, numbered = cv2.connectedComponents(asked, connectivity=8)
        labels = np.asarray(numbered, np.int32)
        near = _around(asked)
        rows, columns = (slice(b.start + n.start, b.start + n.stop) for b, n in zip(box, near, strict=True))
        ghost = self._goes_on(pictures, (rows, columns), labels[near], count)
        if ghost.any():
            found[box] = cv2.dilate(ghost[labels].view(np.uint8), REPAIR)
            found[box][(asked == 0) & (marked[box] > 0)] = 0  # Who walks past a ghost is none.
        return found

    def _goes_on(
        self, pictures: Coarse, box: tuple[slice, slice], labels: NDArray[np.int32], count: int
    ) -> NDArray[np.bool_]:
        """Return for each region whether the frame, not the background, continues evenly across its edge."""
        outside = cv2.erode((pictures.differs[box] == 0).view(np.uint8), MARGIN).astype(np.float32)
        weight = cv2.blur(outside, (REACH, REACH))
        ring = (labels > 0) & (weight > 0.05)
        at = labels[ring]
        departs = np.zeros((2, count))
        for v, b in pictures.planes(box):
            around = cv2.blur(v * outside, (REACH, REACH))[ring] / weight[ring]
            departs[0] += np.bincount(at, np.abs(v[ring] - around), count)
            departs[1] += np.bincount(at, np.abs(b[ring] - around), count)
        goes_on: NDArray[np.bool_] = departs[0] < EVENNESS * departs[1]
        return goes_on


def _around(where: NDArray[np.uint8]) -> tuple[slice, slice]:
    """Return the box of what is not 0, with what it is compared with around it."""
    left, top, width, height = cv2.boundingRect(where)
    rows = slice(max(top - REACH, 0), min(top + height + REACH, where.shape[0]))
    return rows, slice(max(left - REACH, 0), min(left + width + REACH, where.shape[1]))
