"""What of a scene changes at once and stays: a slide, a screen, what was put elsewhere between two pictures.

Nobody walks into his place at once: what has been still ever since it differs, all of it since the same frame, may well
be the scene.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.motion import Motion, Shift
from core.frames.moved import moved_labels
from core.scene.masks.cells import Cells, Map
from core.scene.masks.ghosts import CHANGE, NEIGHBOURS
from core.scene.surroundings import MAJORITY
from core.scene.tuning import FEW, SETTLED_FRAMES

SINCE = SETTLED_FRAMES - 1
"""Frames after which it is told: before what stands still is judged, and may be taken for what something has left."""

ACROSS = 5
"""Side of the neighbourhoods that are compared across an outline, cells."""

BESIDE = 8
"""A person who leans over moves by so many pixels at most."""

SIDE = 64
"""Of what is compared to tell it, so many pixels down and across, evenly spread: all of 1080p would take 80 ms."""

RESTED = 3 * SINCE // 2
"""Frames in which a cell has to rest before it may change: it does not in a picture that is faded in. Until then, what
changes about it is held against it."""

RESIDUE = 0.1
"""A part has changed back, once it looks as it first did in all but this share of its cells.

A thing that leaves the place it came to leaves a smaller share that differs; two slides that share a template differ by
their text in a larger one."""

PART = 0.02
"""Part of the picture that has to change for this to be seen: a slide is more, and what is put down is less."""

SAME = 0.75
"""Correlation of the luma of a part before and since, from which on it shows the same.

It is 0.88 at least in twelve changes of five films of few bits, each of which gets coarser or finer at a key frame, and
0.38 at most where a slide, or anything else, has taken the place of what was there.
"""


class Change(NamedTuple):
    """A part that has changed at once, and stayed.

    Attributes
    ----------
    first : int
        Index of the first frame that shows it so.
    cells : (h, w) bool
        Those that changed in that frame and have been still for most of the time since.
    box : (h, w) bool
        About them: somebody may have stood before some of what has changed, and of a slide some looks as before.
    hidden : (h, w) bool
        What else of the box differed from the background then: what is behind it may have changed.
    looks : (2, h, w) float32
        Luma of all cells before and after, grey levels; NaN before where they were not still.
    edges : (float, float)
        By how much more the picture changes across their outline than the scene does elsewhere, grey levels, as it was
        before and as it is now.
    differs : bool
        Most of it differs from the background.
    has_moved : bool
        It looks as the background does beside it: somebody who was taken for the scene has leant over.
    """

    first: int
    cells: NDArray[np.bool_]
    box: NDArray[np.bool_]
    hidden: NDArray[np.bool_]
    looks: NDArray[np.float32]
    edges: tuple[float, float]
    differs: bool
    has_moved: bool

    @property
    def keeps_outline(self) -> bool:
        """True where much the same outline was there before: nothing has come, left, or moved."""
        return not self.has_moved and min(self.edges) > MAJORITY * max(self.edges)

    @property
    def loses_outline(self) -> bool:
        """True where something may have left."""
        return not self.keeps_outline and self.edges[1] < self.edges[0]

    def goes_on_in(self, other: Change) -> bool:
        """Tell whether much the same part has changed once more, and not back."""
        both, either = self.box & other.box, self.box | other.box
        if np.count_nonzero(both) <= MAJORITY * np.count_nonzero(either):
            return False
        apart = np.abs(other.looks[1] - self.looks[0])[self.cells | other.cells]
        return bool(np.count_nonzero(apart > CHANGE) > RESIDUE * np.count_nonzero(~np.isnan(apart)))


class SuddenChanges:
    """Looks for them in the frames of a scene, in their order."""

    def __init__(self) -> None:
        self._n = 0
        self._last: deque[int] = deque(maxlen=SINCE)
        self._before: NDArray[np.float32]
        self._then: Map
        self._was_still: NDArray[np.bool_]
        self._is_still: NDArray[np.bool_]
        self._jumped: NDArray[np.int32]
        self._restless: NDArray[np.int32]

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
        shown, luma = cells.shown, cells.shown[0]
        if self._n == 0:
            self._begin(shown)
        self._n += 1
        self._last.append(index)
        # What jumps back at once, as by a flash, has not changed, and a film gets sharp again first.
        rested = self._restless <= self._n - RESTED
        moves = cv2.absdiff(luma, self._before) > CHANGE
        if np.count_nonzero(moves) > MAJORITY * moves.size:  # All of it changes: it is cut, or in other light.
            self._begin(shown)
            return None
        jumps = rested & moves
        np.copyto(self._jumped, self._n, where=jumps)
        np.copyto(self._restless, self._n, where=moves)
        follows = (rested & ~jumps).view(np.uint8)
        for now, then in zip(shown, self._then, strict=True):
            cv2.copyTo(now, follows, then)
        np.copyto(self._was_still, self._is_still, where=rested)
        self._before, self._is_still = luma, (ages == 0) | (ages > SINCE // 2)
        due = self._jumped == self._n - (SINCE - 1)
        if np.count_nonzero(due) <= PART * ages.size:
            return None
        changed = (cv2.absdiff(luma, self._then[0]) > CHANGE) & self._is_still
        rests = self._restless <= self._n - SINCE // 2
        at_once, ago = changed & due & rests, self._n - self._jumped - (SINCE - 1)
        if not at_once.any():
            return None  # Nothing is left to draw a box about.
        box = _box_of_most(at_once)
        others = np.count_nonzero(changed & (np.abs(ago) < RESTED - SINCE + 1)) - np.count_nonzero(at_once)
        at_once &= box
        n_cells = np.count_nonzero(at_once)
        if n_cells <= max(PART * ages.size, (1 - FEW) * (n_cells + others)):
            return None
        if _is_coded_anew(self._then[0][at_once], luma[at_once]):
            return None
        part, known = at_once.view(np.uint8), ((ages == 0) & ~box).view(np.uint8)
        edges = _edges(self._then, shown, part, known)
        differs = bool(np.count_nonzero(ages[at_once]) > MAJORITY * n_cells)
        then = np.where(self._was_still, self._then[0], np.float32(np.nan))
        return Change(
            self._last[-SINCE], at_once, box, hidden=box & ~at_once & (ages > 0), looks=np.stack([then, luma]),
            edges=edges, differs=differs, has_moved=_has_moved(cells, box),
        )  # fmt: skip

    def _begin(self, shown: Map) -> None:
        """Begin with what a frame shows: nothing is known of what was before."""
        shape = shown.shape[1:]
        self._jumped, self._restless = (np.full(shape, self._n - RESTED, np.int32) for _ in range(2))
        self._then, self._before = shown.copy(), shown[0]
        self._was_still, self._is_still = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)


def _is_coded_anew(then: NDArray[np.float32], now: NDArray[np.float32]) -> bool:
    """Tell whether luma (n,) before and now shows the same in the same light, and only lost or gained detail."""
    step = now - then
    if abs(float(step.mean())) > MAJORITY * float(np.abs(step).mean()):
        return False  # It got lighter or darker.
    together = float(((then - then.mean()) * (now - now.mean())).mean())
    return together > SAME * float(then.std() * now.std())


def _edges(then: Map, now: Map, part: NDArray[np.uint8], known: NDArray[np.uint8]) -> tuple[float, float]:
    """Return how much planes (P, h, w), before and now, change across the outline of a part (h, w), grey levels.

    Less what they change where no such outline is: across the same one beside it, where all (h, w) is known; 0 where it
    is not twice as much. On a texture any outline has an edge, which tells nothing of what lies within it.
    """
    rows, columns = (int(np.ptp(np.flatnonzero(part.any(axis)))) + 1 + ACROSS for axis in (1, 0))
    by = Shift(rows, 0), Shift(-rows, 0), Shift(0, columns), Shift(0, -columns)
    beside = [moved_labels(part, Motion(shift), 0) for shift in by]
    usual = [
        _edge(now, other & known, known & (1 - other)) for other in beside
        if np.count_nonzero(other & known) > MAJORITY * np.count_nonzero(part)
    ]  # fmt: skip
    texture = float(np.mean(usual)) if usual else 0.0
    before, since = (_edge(planes, part, known) - texture for planes in (then, now))
    return before if before > texture else 0.0, since if since > texture else 0.0


def _edge(planes: Map, part: NDArray[np.uint8], known: NDArray[np.uint8]) -> float:
    """Return how much planes (P, h, w) change across the outline of a part (h, w), where what is beyond is known."""
    inside, outside = part.astype(np.float32), known.astype(np.float32)
    within, beyond = (cv2.blur(where, (ACROSS, ACROSS)) for where in (inside, outside))
    at = (within > 0) & (beyond > 0)
    steps = [
        cv2.blur(plane * inside, (ACROSS, ACROSS))[at] / within[at]
        - cv2.blur(plane * outside, (ACROSS, ACROSS))[at] / beyond[at]
        for plane in planes
    ]
    return float(np.abs(steps).sum(axis=0).mean()) if at.any() else 0.0


def _has_moved(cells: Cells, box: NDArray[np.bool_]) -> bool:
    """Tell whether a box (h, w) of the cells of a frame shows what the background has beside it."""
    rows, columns = (np.flatnonzero(box.any(axis)) for axis in (1, 0))
    top, bottom, left, right = (cells.side * n for n in (rows[0], rows[-1] + 1, columns[0], columns[-1] + 1))
    now, then = (np.asarray(plane[top:bottom, left:right], np.float32) for plane in cells.luma)
    if min(now.shape) <= 2 * BESIDE:
        return False
    height, width = (n - 2 * BESIDE for n in now.shape)
    down, across = max(1, height // SIDE), max(1, width // SIDE)
    middle, around = now[BESIDE : BESIDE + height : down, BESIDE : BESIDE + width : across], range(2 * BESIDE + 1)
    apart = [
        [np.square(then[y : y + height : down, x : x + width : across] - middle).sum() for x in around] for y in around
    ]
    return bool(np.min(apart) < FEW * apart[BESIDE][BESIDE])


def _box_of_most(changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the box (h, w) of what has changed, and one cell more, without little that did so elsewhere by chance."""
    _, _, found, _ = cv2.connectedComponentsWithStats(cv2.dilate(changed.view(np.uint8), NEIGHBOURS))
    left, top, width, height = found[1:][found[1:, cv2.CC_STAT_AREA] >= FEW * found[1:, cv2.CC_STAT_AREA].max(), :4].T
    box = np.zeros_like(changed)
    box[top.min() : (top + height).max(), left.min() : (left + width).max()] = True
    return box
