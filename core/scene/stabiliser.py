"""A camera that shakes: by how much each frame has moved against the background that is known.

Each frame is looked at for a hint of movement, at a few points and on a small copy, which costs next to nothing. Where
there is one, the shift is searched for: coarsely on the small copy, then more finely on larger and larger ones. Before
anything moves, several frames have to agree that the camera shakes, each in most parts of the picture. From then on it
is followed from where it was, too: large things that pass, and the light that a camera sets by them, mislead a search.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid, Plane
from core.frames.frame import NO_SHIFT, Layout, Shift, Values
from core.frames.reduce import shrunk
from core.kernels import registration
from core.parameter import Parameter

STEADY = Parameter(
    "steady", "Largest shake", 10, 0, 20,
    "Frames of a camera that shakes are aligned, if they have moved by this much at most; 0: never.",
    "higher: copes with a rougher hand", "% of width", advanced=True,
)  # fmt: skip

POINTS = 1500
"""Points of a picture that are followed, about: one in each square of its area by this number."""

FEWEST_POINTS = 60
"""A picture with fewer that can be followed is taken to be still."""

LEAST_SLOPE = 8 / 255
"""A point can be followed where the picture changes by this much over two pixels, units of the contrast."""

LOOK_AGAIN = 64
"""Points are chosen anew every so many frames, and earlier in the beginning."""

COARSE_ROWS = 72
"""Rows, or columns, of the smallest copy, at most: the fewer of both."""

REST = 3
"""One of so many frames is looked at while the camera has never moved."""

HINT, COARSE_HINT = 0.25, 0.08
"""Hints of movement this large are looked into: pixels, and those of the smallest copy, where less is noise. What moved
by less than that is seen at full size."""

SHAKES, CONFIRM, FADE = 0.5, 3, 0.05
"""The camera counts as shaking after ``CONFIRM`` frames moved further than ``SHAKES`` (pixels); each other frame
subtracts the share ``FADE``."""

RESTS = 50
"""After so many frames in which it did not, hints are waited for again."""

ALIKE = 24 / 255
"""Differences count up to this much where shifts are compared, units of the contrast."""

ROUNDS = 8
"""Steps of the finer search on each copy, at most."""

REGIONS, POINTS_A_REGION = 6, 8
"""A picture is divided into so many rows and columns of regions; those with fewer points do not count."""

BETTER, AGREED, CERTAIN = 0.9, 0.5, 0.85
"""A shift is believed where it leaves no more than the first share of the differences, in more than the second share of
the regions. In more than the third, it needs no other frame to confirm it at the start: a scene that the first frames
blurred would hide the shake that blurred it."""

QUARTERS, NEAR = 3, 0.5
"""At least this many quarters must move like the whole picture, within this share of its shift: what sways or flutters
does not."""

START = 10
"""So many frames are the start."""

FEWEST_REGIONS = 12
"""Fewer regions with points may all belong to one thing that moves."""


LOST, LOST_FRAMES = 2.0, 10
"""A frame is lost where it differs by this many times what aligned frames usually do; after so many in a row, the scene
is another one, and no frame is lost."""

FOLLOW = 0.05
"""Weight of a frame in what is usual."""

DRIFT_FRAMES, DRIFT_SHARE = 5, 0.5
"""A camera drifts, and does not just shake, where so many frames in a row have moved the same way by more than this
share of the largest shake."""


class Stabiliser:
    """Finds by how much frames have moved, from one to the next.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    largest : float
        Largest shift, percent of the width; 0: none is looked for.
    """

    def __init__(self, layout: Layout, largest: float) -> None:
        self._layout = layout
        self._largest = largest
        self._plane = layout.luma_index
        self._stride = Grid(layout.height, layout.width).step
        self._n_halvings = 0
        while min(layout.height, layout.width) >> self._n_halvings > COARSE_ROWS:
            self._n_halvings += 1
        self._cell = max(4, round((layout.n_pixels / POINTS) ** 0.5))
        cells = (layout.height // self._cell + 1) * (layout.width // self._cell + 1)
        self._places = np.empty((2, cells), np.int32)
        self._rows, self._columns = self._places[:, :0]
        self._coarse: Plane = np.empty((0, 0), layout.dtype)
        self._unit = layout.contrast / 255
        self._n_seen = self._n_at_rest = 0
        self._evidence = 0.0
        self._usual, self._n_lost = 0.0, 0
        self._last: deque[Shift] = deque(maxlen=DRIFT_FRAMES)
        self._here = NO_SHIFT

    @property
    def largest(self) -> float:
        """Largest shift that is looked for, percent of the width; 0: none is."""
        return self._largest

    def set_largest(self, largest: float) -> None:
        """Look for shifts up to ``largest`` percent of the width from the next frame on; 0: for none."""
        self._largest = largest
        if _size(self._here) > self._reach:
            self._here = NO_SHIFT

    @property
    def shakes(self) -> bool:
        """True once the camera has been seen to shake."""
        return self._evidence >= CONFIRM

    @property
    def is_lost(self) -> bool:
        """True where the last frame is nowhere near the background, though the camera shakes: it teaches nothing.

        Never where no shift is looked for: nothing would find the scene again.
        """
        return self._largest > 0 and 0 < self._n_lost <= LOST_FRAMES

    def find(self, v: Values, background: Values) -> Shift:
        """Return by how much a frame has moved; nothing unless the camera is known to shake.

        Parameters
        ----------
        v, background : (F,) samples
        """
        if not self._largest:
            return NO_SHIFT
        now, known = (self._layout.plane(x, self._plane) for x in (v, background))
        if self._n_seen % LOOK_AGAIN == 0 or self._n_seen & (self._n_seen - 1) == 0:
            self._choose_points(known)
        self._n_seen += 1
        shift, belief = NO_SHIFT, 0.0
        if self._rows.size >= FEWEST_POINTS and (self._is_moving or self._may_have_moved(now, known)):
            shift, belief = self._search(now, known)
        moved = _size(shift) > SHAKES
        self._n_at_rest = 0 if moved else self._n_at_rest + 1
        if not self.shakes:
            self._evidence = self._evidence + belief if moved else max(self._evidence - FADE, 0)
            shift = shift if self.shakes else NO_SHIFT
        self._n_lost = self._n_lost + 1 if self._is_moving and self._misses(now, known, shift) else 0
        self._last.append(shift)
        return shift

    def _misses(self, now: Plane, known: Plane, shift: Shift) -> bool:
        """Return whether a frame differs much more than usual; what is usual follows those that do not."""
        if self._rows.size < FEWEST_POINTS:
            return False
        left = float(self._clipped(self._differences(now, known, shift)).mean())
        if self._usual and left > LOST * self._usual and self._n_lost < LOST_FRAMES:
            return True
        self._usual += (FOLLOW if self._usual and self._n_lost < LOST_FRAMES else 1) * (left - self._usual)
        return False

    def drift(self) -> Shift:
        """Return by how much the camera has moved for good, even whole pixels; the next shifts count from there."""
        if len(self._last) < DRIFT_FRAMES or self._last[-1] == NO_SHIFT:
            return NO_SHIFT
        shifts, far = np.array(self._last), DRIFT_SHARE * self._reach
        if not ((shifts > far).all(axis=0) | (shifts < -far).all(axis=0)).any():
            return NO_SHIFT
        down, right = (2 * round(float(x) / 2) for x in shifts[-1])
        self._here = Shift(self._here.down - down, self._here.right - right)
        self._last.clear()
        self._n_seen = 0  # Points are chosen anew.
        return Shift(down, right)

    @property
    def _reach(self) -> float:
        """Largest shift, pixels."""
        return self._largest / 100 * self._layout.width

    @property
    def _is_moving(self) -> bool:
        return self.shakes and self._n_at_rest < RESTS

    def _choose_points(self, known: Plane) -> None:
        least = round(LEAST_SLOPE * self._layout.contrast)
        count = registration.steepest(
            known, self._cell, max(1, self._cell // 8), least, self._places[0], self._places[1]
        )
        self._rows, self._columns = self._places[:, :count]
        self._coarse = self._small(known)

    def _small(self, picture: Plane) -> Plane:
        """Return a small copy of a picture, made of the points of the grid only: it is for hints."""
        size = (self._layout.height >> self._n_halvings, self._layout.width >> self._n_halvings)
        seen = np.ascontiguousarray(picture[:: self._stride, :: self._stride])
        return shrunk(seen, size)

    def _may_have_moved(self, now: Plane, known: Plane) -> bool:
        """Return whether there is a hint of movement: one step at full size, or on the small copy, is not small."""
        if not self._evidence and self._n_seen % REST != 1:
            return False  # Cameras that have never moved cost little.
        if _size(self._track(now, known, 0, NO_SHIFT, 1)) > HINT:
            return True
        least = max(HINT, COARSE_HINT * (1 << self._n_halvings))
        return _size(self._track(self._small(now), self._coarse, self._n_halvings, NO_SHIFT, 1)) > least

    def _track(self, now: Plane, known: Plane, n: int, near: Shift, n_rounds: int) -> Shift:
        """Return the shift near to another one, both in pixels of full size, of copies that were halved n times."""
        part, rows, columns = 1 << n, self._rows >> n, self._columns >> n
        at = (near.down / part, near.right / part)
        down, right = registration.track(now, known, rows, columns, at[0], at[1], self._unit, n_rounds)
        return Shift(part * down, part * right)

    def _search(self, now: Plane, known: Plane) -> tuple[Shift, float]:
        """Return the shift that makes two pictures most alike, where it is to be believed, and how far it is."""
        pairs = [(now, known)]
        for _ in range(self._n_halvings):
            larger = pairs[-1]
            size = (larger[0].shape[0] // 2, larger[0].shape[1] // 2)
            pairs.append((shrunk(larger[0], size), shrunk(larger[1], size)))
        shift = self._finely(pairs, self._coarsely(*pairs[-1]))
        if self.shakes:
            shift = self._likeliest(now, known, [shift, self._finely(pairs, NO_SHIFT)])
            return shift, float(shift != NO_SHIFT)
        belief = self._belief(now, known, shift) if _size(shift) <= self._reach else 0.0
        return (shift, belief) if belief else (NO_SHIFT, 0.0)

    def _finely(self, pairs: list[tuple[Plane, Plane]], shift: Shift) -> Shift:
        """Return the shift near to another one, followed from the smallest copies of two pictures to the largest."""
        for n in reversed(range(len(pairs))):
            shift = self._track(*pairs[n], n, shift, ROUNDS)
        return shift

    def _likeliest(self, now: Plane, known: Plane, found: list[Shift]) -> Shift:
        """Return where a camera that shakes has most likely moved.

        That is one of those found, or what goes on from the last one, which things that hide half of the scene
        mislead less; whichever makes the pictures most alike. Where none does, the camera is where it was, unless
        the picture clearly looks unmoved: no camera is home for a moment because something passes. A frame that is
        nowhere near the background, and no nearer than shifted far off, does not show it.
        """
        candidates = list(found)
        if self._here != NO_SHIFT:
            candidates.append(self._track(now, known, 0, self._here, ROUNDS))
        shifts = [self._here, NO_SHIFT, *(s for s in candidates if _size(s) <= self._reach)]
        differences = [self._differences(now, known, s) for s in shifts]
        # What lies beyond the picture, where the camera was last, says nothing of where it is.
        seen = np.isfinite(differences[0])
        n_seen = max(int(np.count_nonzero(seen)), 1)
        left = [float(self._clipped(x[seen]).sum()) / n_seen for x in differences]
        best = 1 + int(np.argmin(left[1:]))
        if best == 1 and left[1] > BETTER * left[0]:
            best = 0
        is_known = self._here != NO_SHIFT and left[best] <= LOST * self._usual
        is_scene = is_known or left[best] < BETTER * self._by_chance(now, known)
        self._here = shifts[best] if is_scene else NO_SHIFT
        return self._here

    def _by_chance(self, now: Plane, known: Plane) -> float:
        """Return by how much two pictures differ where they show different things: shifted as far as may be."""
        down, right = (min(self._reach, n / 4) for n in now.shape)
        far = [Shift(i * down, j * right) for i in (-1, 1) for j in (-1, 1)]
        differences = np.concatenate([self._differences(now, known, s) for s in far])
        return float(self._clipped(differences[np.isfinite(differences)]).mean())

    def _coarsely(self, now: Plane, known: Plane) -> Shift:
        """Return the shift, pixels of full size, that is best among all whole ones of small copies."""
        # Eighths of a step of 255, about the mean: other light on all of the picture does not count.
        small = [(8 / self._unit * x.astype(np.float32)) for x in (now, known)]
        whole = [np.rint(x - x.mean()).astype(np.int32) for x in small]
        reach = int(np.ceil(self._largest / 100 * now.shape[1]))
        rows, columns = (min(reach, n // 4) for n in now.shape)
        cost = np.empty((2 * rows + 1, 2 * columns + 1))
        registration.search(whole[0], whole[1], rows, columns, round(8 * 255 * ALIKE), cost)
        down, right = np.unravel_index(np.argmin(cost), cost.shape)
        part = 1 << self._n_halvings
        return Shift(float(part * (down - rows)), float(part * (right - columns)))

    def _belief(self, now: Plane, known: Plane, shift: Shift) -> float:
        """Return how far a shift is to be believed: by how many frames it counts."""
        before, after = (self._clipped(self._differences(now, known, s)) for s in (NO_SHIFT, shift))
        height, width = now.shape
        region = self._rows * REGIONS // height * REGIONS + self._columns * REGIONS // width
        counted = np.bincount(region, minlength=REGIONS**2) >= POINTS_A_REGION
        if np.count_nonzero(counted) < FEWEST_REGIONS:
            return 0.0
        left, all_of_it = (np.bincount(region, x, REGIONS**2)[counted] for x in (after, before))
        share = np.mean(left < BETTER * all_of_it)
        if share <= AGREED or self._n_quarters(now, known, shift) < QUARTERS:
            return 0.0
        return float(CONFIRM) if self._n_seen <= START and share > CERTAIN else 1.0

    def _n_quarters(self, now: Plane, known: Plane, shift: Shift) -> int:
        """Return how many quarters of the picture, each by itself, move about as the whole does."""
        quarter = 2 * (2 * self._rows >= now.shape[0]) + (2 * self._columns >= now.shape[1])
        n = 0
        for one in range(4):
            rows, columns = self._rows[quarter == one], self._columns[quarter == one]
            found = registration.track(now, known, rows, columns, shift.down, shift.right, self._unit, ROUNDS)
            n += _size((found[0] - shift.down, found[1] - shift.right)) < NEAR * _size(shift)
        return n

    def _differences(self, now: Plane, known: Plane, shift: Shift) -> NDArray[np.float32]:
        """Return by how much two pictures differ at each point (N,), but for other light on all of them.

        It is infinite where the frame does not show the point.
        """
        out = np.empty(self._rows.size, np.float32)
        registration.differences(now, known, self._rows, self._columns, shift.down, shift.right, out)
        seen = out[np.isfinite(out)]
        light = np.median(seen) if seen.size else 0
        differences: NDArray[np.float32] = np.abs(out - light)
        return differences

    def _clipped(self, differences: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return differences that count up to ``ALIKE``."""
        clipped: NDArray[np.float32] = np.minimum(differences, np.float32(ALIKE * self._layout.contrast))
        return clipped


def _size(shift: tuple[float, float]) -> float:
    return max(abs(shift[0]), abs(shift[1]))
