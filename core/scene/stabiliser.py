"""A camera that shakes: by how much each frame has moved against the background that is known.

Each frame is looked at for a hint of movement, at a few points and on a small copy, which costs next to nothing. Where
there is one, the shift is searched for: coarsely on the small copy, then more finely on larger and larger ones. Before
anything moves, several frames have to agree that the camera shakes, each in most parts of the picture. From then on it
is followed from where it was, too: large things that pass, and the light that a camera sets by them, mislead a search.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from core.frames.coarse_grid import Plane
from core.frames.frame import NO_SHIFT, Layout, Shift, Values
from core.parameter import Parameter
from core.scene.registration import Registration, extent

STEADY = Parameter(
    "steady", "Largest shake", 10, 0, 20,
    "Frames of a camera that shakes are aligned, if they have moved by this much at most; 0: never.",
    "higher: copes with a rougher hand", "% of width", advanced=True,
)  # fmt: skip

LOOK_AGAIN = 64
"""Points are chosen anew every so many frames, and earlier in the beginning."""

REST = 3
"""One of so many frames is looked at while the camera has never moved."""

SHAKES, CONFIRM, FADE = 0.5, 3, 0.05
"""The camera counts as shaking after ``CONFIRM`` frames moved further than ``SHAKES`` (pixels); each other frame
subtracts the share ``FADE``."""

RESTS = 50
"""After so many frames in which it did not, hints are waited for again."""

BETTER, AGREED, CERTAIN = 0.9, 0.5, 0.85
"""A shift is believed where it leaves no more than the first share of the differences, in more than the second share of
the regions. In more than the third, it needs no other frame to confirm it at the start: a scene that the first frames
blurred would hide the shake that blurred it."""

QUARTERS = 3
"""At least this many quarters must move like the whole picture: what sways or flutters does not."""

START = 10
"""So many frames are the start."""

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
        self._registration = Registration(layout)
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
        if extent(self._here) > self._reach:
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
            self._registration.choose_points(known)
        self._n_seen += 1
        shift, belief = NO_SHIFT, 0.0
        if self._registration.has_points and (self._is_moving or self._may_have_moved(now, known)):
            shift, belief = self._search(now, known)
        moved = extent(shift) > SHAKES
        self._n_at_rest = 0 if moved else self._n_at_rest + 1
        if not self.shakes:
            self._evidence = self._evidence + belief if moved else max(self._evidence - FADE, 0)
            shift = shift if self.shakes else NO_SHIFT
        self._n_lost = self._n_lost + 1 if self._is_moving and self._misses(now, known, shift) else 0
        self._last.append(shift)
        return shift

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

    def _may_have_moved(self, now: Plane, known: Plane) -> bool:
        if not self._evidence and self._n_seen % REST != 1:
            return False  # Cameras that have never moved cost little.
        return self._registration.may_have_moved(now, known)

    def _search(self, now: Plane, known: Plane) -> tuple[Shift, float]:
        """Return the shift that makes two pictures most alike, where it is to be believed, and how far it is."""
        copies = self._registration.copies(now, known)
        shift = self._registration.finely(copies, self._registration.coarsely(copies, self._largest))
        if self.shakes:
            shift = self._likeliest(now, known, [shift, self._registration.finely(copies, NO_SHIFT)])
            return shift, float(shift != NO_SHIFT)
        belief = self._belief(now, known, shift) if extent(shift) <= self._reach else 0.0
        return (shift, belief) if belief else (NO_SHIFT, 0.0)

    def _belief(self, now: Plane, known: Plane, shift: Shift) -> float:
        """Return how far a shift is to be believed: by how many frames it counts."""
        share = self._registration.share_explained(now, known, shift, BETTER)
        if share <= AGREED or self._registration.n_quarters(now, known, shift) < QUARTERS:
            return 0.0
        return float(CONFIRM) if self._n_seen <= START and share > CERTAIN else 1.0

    def _likeliest(self, now: Plane, known: Plane, found: list[Shift]) -> Shift:
        """Return where a camera that shakes has most likely moved.

        That is one of those found, or what goes on from the last one, which things that hide half of the scene
        mislead less; whichever makes the pictures most alike. Where none does, the camera is where it was, unless
        the picture clearly looks unmoved: no camera is home for a moment because something passes. A frame that is
        nowhere near the background, and no nearer than shifted far off, does not show it.
        """
        registration, candidates = self._registration, list(found)
        if self._here != NO_SHIFT:
            candidates.append(registration.finely([(now, known)], self._here))
        shifts = [self._here, NO_SHIFT, *(s for s in candidates if extent(s) <= self._reach)]
        differences = [registration.differences(now, known, s) for s in shifts]
        # What lies beyond the picture, where the camera was last, says nothing of where it is.
        seen = np.isfinite(differences[0])
        n_seen = max(int(np.count_nonzero(seen)), 1)
        left = [float(registration.clipped(x[seen]).sum()) / n_seen for x in differences]
        best = 1 + int(np.argmin(left[1:]))
        if best == 1 and left[1] > BETTER * left[0]:
            best = 0
        is_known = self._here != NO_SHIFT and left[best] <= LOST * self._usual
        is_scene = is_known or left[best] < BETTER * registration.by_chance(now, known, self._reach)
        self._here = shifts[best] if is_scene else NO_SHIFT
        return self._here

    def _misses(self, now: Plane, known: Plane, shift: Shift) -> bool:
        """Return whether a frame differs much more than usual; what is usual follows those that do not."""
        registration = self._registration
        if not registration.has_points:
            return False
        left = float(registration.clipped(registration.differences(now, known, shift)).mean())
        if self._usual and left > LOST * self._usual and self._n_lost < LOST_FRAMES:
            return True
        self._usual += (FOLLOW if self._usual and self._n_lost < LOST_FRAMES else 1) * (left - self._usual)
        return False
