"""What to make of foreground that stands still: a thing that was put there, or a place that something left.

A still region is a *ghost* where the frame, and not the background, goes on evenly across its edge: what the background
shows there has gone. It is background at once. Other still regions (a parked car, a person who waits) become background
only after a stated time.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core import bands
from core.frame import Values
from core.kernels import masks

REVEAL_FRAMES = 12
"""Frames that a region must have been still before it is judged."""

JUDGE_EVERY = 4
"""Still regions are judged at each n-th frame."""

STILL = (10 / 255, 5 / 255, 5 / 255)
"""How far luma and chroma may wander and still count as still, units of white."""

REACH = 15
"""Side of the neighbourhood in which a region is compared with what lies around it, pixels."""

EVENNESS = 0.5
"""A ghost's frame departs from its surroundings by at most this share of what the background does."""

GAP = np.ones((7, 7), np.uint8)
"""Still pixels closer than this hang together."""

MARGIN = np.ones((5, 5), np.uint8)
"""Between a region and its surroundings lie some pixels of both; what is found reaches as far."""


class Ghosts:
    """Follows for how long each foreground pixel has been still.

    Parameters
    ----------
    shapes : list of (int, int)
        Of luma, and of the chroma planes if any.
    white : int
        Sample of white.
    dtype : type
        Of samples.
    """

    def __init__(self, shapes: list[tuple[int, int]], white: int, dtype: type) -> None:
        self._seen: list[Values] = [np.zeros(shape, dtype) for shape in shapes]
        self._age = np.zeros(shapes[0], np.uint16)
        self._tolerance = [round(share * white) for share in STILL]
        self._n = 0

    def update(
        self, frame: list[Values], background: list[Values], mask: NDArray[np.uint8], park_frames: int
    ) -> NDArray[np.bool_] | None:
        """Return the pixels (H, W) that have turned out to be background, or None.

        Parameters
        ----------
        frame, background : list of planes
            Luma, and half-size chroma if any; samples.
        mask : (H, W) uint8
            Foreground of this frame.
        park_frames : int
            After so many still frames foreground becomes background whatever it is; 0: never.
        """
        seen = self._seen if len(self._seen) == 3 else [self._seen[0]] + 2 * [np.empty((0, 0), self._seen[0].dtype)]
        now = frame if len(frame) == 3 else [frame[0]] + 2 * [np.empty((0, 0), frame[0].dtype)]
        bands.run_rows(
            masks.age_band, (mask.shape[0] + 1) // 2, mask.size, *now, *seen, mask, *self._tolerance, self._age
        )
        self._n += 1
        if self._n % JUDGE_EVERY:
            return None
        still = (self._age >= REVEAL_FRAMES).view(np.uint8)
        if not still.any():
            return None
        found = self._judge(frame, background, mask, still)
        if park_frames:
            found |= self._age >= park_frames
        if not found.any():
            return None
        self._age[found] = 0
        return found

    def _judge(
        self, frame: list[Values], background: list[Values], mask: NDArray[np.uint8], still: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        regions = cv2.morphologyEx(still, cv2.MORPH_CLOSE, GAP)
        count, labels = cv2.connectedComponents(regions, connectivity=8)
        outside = cv2.erode((mask == 0).astype(np.float32), MARGIN)
        weight = cv2.blur(outside, (REACH, REACH))
        ring = (labels > 0) & (weight > 0.05)
        at = labels[ring]
        departs = np.zeros((2, count))
        size = mask.shape
        for now, before in zip(frame, background, strict=True):
            v, b = _full(now, size), _full(before, size)
            around = cv2.blur(v * outside, (REACH, REACH))[ring] / weight[ring]
            departs[0] += np.bincount(at, np.abs(v[ring] - around), count)
            departs[1] += np.bincount(at, np.abs(b[ring] - around), count)
        ghost = departs[0] < EVENNESS * departs[1]
        ghost[0] = False
        return cv2.dilate(ghost.astype(np.uint8)[labels], MARGIN) > 0


def _full(plane: NDArray[Any], size: tuple[int, int]) -> NDArray[np.float32]:
    if plane.shape != size:
        doubled = (2 * plane.shape[1], 2 * plane.shape[0])
        plane = cv2.resize(plane, doubled, interpolation=cv2.INTER_NEAREST)[: size[0], : size[1]]
    return plane.astype(np.float32)
