"""What of a scene changes at once and stays: a slide, a screen, what was put elsewhere between two pictures.

Nobody walks into his place at once: what has been still ever since it differs, all of it since the same frame, may well
be the scene. The mask cannot tell; the person who can is told.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.scene.masks.cells import Cells, Map
from core.scene.masks.ghosts import CHANGE, NEIGHBOURS
from core.scene.tuning import FEW, SETTLED_FRAMES

SINCE = SETTLED_FRAMES - 1
"""Frames after which it is told: before what stands still is judged, and may be taken for what something has left."""

ACROSS = 5
"""Side of the neighbourhoods that are compared across an outline, cells."""

PART = 0.02
"""Part of the picture that has to change for somebody to be told: a slide is more, and what is put down is less."""


class Change(NamedTuple):
    """A part that has changed at once, and stayed.

    Attributes
    ----------
    first : int
        Index of the first frame that shows it so.
    cells : (h, w) bool
        Which have changed then, and mostly been still since.
    box : (h, w) bool
        About them: somebody may have stood before some of what has changed, and of a slide some looks as before.
    edges : (float, float)
        How much the picture changes across their outline, grey levels, as it was before and as it is now.
    """

    first: int
    cells: NDArray[np.bool_]
    box: NDArray[np.bool_]
    edges: tuple[float, float]


class SuddenChanges:
    """Looks for them in the frames of a scene, in their order."""

    def __init__(self) -> None:
        self._n = 0
        self._last: deque[int] = deque(maxlen=SINCE)
        self._as_known: NDArray[np.intp] | None = None
        self._before: NDArray[np.float32] | None = None

    def offer(self, ages: NDArray[np.uint16], cells: Cells, index: int) -> Change | None:
        """Take note of the next frame; return what has changed and stayed since, or None.

        Parameters
        ----------
        ages : (h, w) uint16
            For how many frames each cell has differed from the background and been still; 0: it does not differ.
        cells : Cells
            Of the frame; not written to any more.
        index : int
            Of the frame.
        """
        luma = cells.shown[0]
        if self._as_known is None or self._before is None:
            self._as_known, self._before = np.zeros(ages.shape, np.intp), luma
        self._n += 1
        self._last.append(index)
        np.copyto(self._as_known, self._n, where=ages == 0)
        # What differs though it looks as before does so since something else was learnt of the background.
        begins = np.nonzero(ages == 1)
        self._as_known[begins] *= np.abs(luma[begins] - self._before[begins]) > CHANGE
        self._before = luma
        differs_for = self._n - self._as_known
        # What has differed from the first frame on was never seen to change; a film gets sharp again first.
        changed = (self._as_known > 0) & (2 * ages >= differs_for)
        at_once = changed & (differs_for == SINCE)
        if np.count_nonzero(at_once) <= PART * ages.size:
            return None
        box = _box_of_most(at_once)
        n_cells, about = np.count_nonzero(at_once & box), abs(differs_for - SINCE) < SINCE / 2
        if n_cells <= max(PART * ages.size, (1 - FEW) * np.count_nonzero(changed & about)):
            return None
        at_once &= box
        part, known = at_once.view(np.uint8), (ages == 0).view(np.uint8)
        edges = (_edge(cells.expected, part, known), _edge(cells.shown, part, known))
        return Change(self._last[-SINCE], at_once, box, edges)


def _edge(planes: Map, part: NDArray[np.uint8], still_known: NDArray[np.uint8]) -> float:
    """Return how much planes (P, h, w) change across the outline of a part (h, w), where all beyond it is known."""
    inside, outside = part.astype(np.float32), cv2.erode(still_known, NEIGHBOURS).astype(np.float32)
    within, beyond = (cv2.blur(where, (ACROSS, ACROSS)) for where in (inside, outside))
    at = (within > 0) & (beyond > 0)
    steps = [
        cv2.blur(plane * inside, (ACROSS, ACROSS))[at] / within[at]
        - cv2.blur(plane * outside, (ACROSS, ACROSS))[at] / beyond[at]
        for plane in planes
    ]
    return float(np.abs(steps).sum(axis=0).mean()) if at.any() else 0.0


def _box_of_most(changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the box (h, w) of what has changed, and one cell more, without little that did so elsewhere by chance."""
    _, _, found, _ = cv2.connectedComponentsWithStats(cv2.dilate(changed.view(np.uint8), NEIGHBOURS))
    left, top, width, height = found[1:][found[1:, cv2.CC_STAT_AREA] >= FEW * found[1:, cv2.CC_STAT_AREA].max(), :4].T
    box = np.zeros_like(changed)
    box[top.min() : (top + height).max(), left.min() : (left + width).max()] = True
    return box
