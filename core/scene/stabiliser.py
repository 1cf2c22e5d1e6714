"""A camera that shakes: how each frame has moved against the background that is known.

Each frame is looked at for a hint of movement, at a few points and on a small copy, which costs next to nothing. Where
there is one, the shift is searched for: coarsely on the small copy, then more finely on larger and larger ones. Before
anything moves, several frames have to agree that the camera shakes, each in most parts of the picture. From then on it
is followed from where it was, too: large things that pass, and the light that a camera sets by them, mislead a search.
The first frames are compared with the first of them: the background is a blend of those that nothing has moved yet.

A camera in somebody's hand turns and zooms, too. That is looked for beside the shift in the same way, and has to leave
less of the differences than the best shift alone, in most parts of the picture and in several frames: frames of a
camera that only shifts are only shifted.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from core.frames.coarse_grid import Plane
from core.frames.frame import Layout, Values
from core.frames.motion import AT_REST, NO_SHIFT, Motion, Shift
from core.parameter import Parameter
from core.scene.evidence import CONFIRM, Evidence
from core.scene.registration import Copies, Registration

STEADY = Parameter(
    "steady", "Largest shake", 10, 0, 20,
    "Frames of a camera that shakes, turns or zooms a bit are aligned, if they moved by this much at most; 0: never.",
    "higher: copes with a rougher hand", "% of width", advanced=True,
)  # fmt: skip

LOOK_AGAIN = 64
"""Points are chosen anew every so many frames, and earlier in the beginning."""

REST = 3
"""One of so many frames is looked at while the camera has never moved."""

SHAKES = 0.5
"""A frame that has moved further than this, pixels, shows that the camera shakes."""

BETTER, AGREED, CERTAIN = 0.9, 0.5, 0.85
"""A shift is believed where it leaves no more than the first share of the differences, in more than the second share of
the regions. In more than the third, it needs no other frame to confirm it at the start: a scene that the first frames
blurred would hide the shake that blurred it."""

QUARTERS = 3
"""At least this many quarters must move like the whole picture: what sways or flutters does not."""

START = 10
"""So many frames are the start. They are compared with the first one, and each is looked at, for a turn and a zoom too:
few photographs of one place may be all there are, each from another spot."""

LOST, LOST_FRAMES = 2.0, 10
"""A frame is lost where it differs by this many times what aligned frames usually do; after so many in a row, the scene
is another one, and no frame is lost."""

FOLLOW = 0.05
"""Weight of a frame in what is usual."""

DRIFT_FRAMES, DRIFT_SHARE = 5, 0.5
"""A camera drifts, and does not just shake, where so many frames in a row have moved the same way by more than this
share of the largest shake."""


class Stabiliser:
    """Finds how frames have moved, from one to the next.

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
        self._n_seen = self._n_here = 0
        self._first: Plane | None = None
        self._of_shake, self._of_turn = Evidence(), Evidence()
        self._usual, self._n_lost = 0.0, 0
        self._last: deque[Shift] = deque(maxlen=DRIFT_FRAMES)
        self._here = AT_REST

    @property
    def largest(self) -> float:
        """Largest shift that is looked for, percent of the width; 0: none is."""
        return self._largest

    def set_largest(self, largest: float) -> None:
        """Look for shifts up to ``largest`` percent of the width from the next frame on; 0: for none."""
        self._largest = largest
        if not self._is_within(self._here):
            self._here = AT_REST

    @property
    def shakes(self) -> bool:
        """True once the camera has been seen to shake."""
        return self._of_shake.is_sure

    @property
    def turns(self) -> bool:
        """True once the camera has been seen to turn or zoom, too."""
        return self._of_turn.is_sure

    @property
    def is_lost(self) -> bool:
        """True where the last frame is nowhere near the background, though the camera shakes: it teaches nothing.

        Never where no shift is looked for: nothing would find the scene again.
        """
        return self._largest > 0 and 0 < self._n_lost <= LOST_FRAMES

    def find(self, v: Values, background: Values) -> Motion:
        """Return how a frame has moved; not at all unless the camera is known to shake.

        Parameters
        ----------
        v, background : (F,) samples
        """
        if not self._largest:
            return AT_REST
        now, known = (self._layout.plane(x, self._plane) for x in (v, background))
        known = self._sharpest(known)
        if self._n_here % LOOK_AGAIN == 0 or self._n_here & (self._n_here - 1) == 0:
            self._registration.choose_points(known)
        self._n_seen += 1
        self._n_here += 1
        motion, belief = AT_REST, 0.0
        if self._registration.has_points and (self._of_shake.is_active or self._may_have_moved(now, known)):
            motion, belief = self._search(now, known)
        self._of_shake.take(seen=motion.extent(*now.shape) > SHAKES, belief=belief)
        motion = motion if self.shakes else AT_REST
        self._n_lost = self._n_lost + 1 if self._of_shake.is_active and self._misses(now, known, motion) else 0
        self._last.append(motion.shift)
        return motion

    def drift(self) -> Shift:
        """Return by how much the camera has moved for good, even whole pixels; the next motions count from there."""
        if len(self._last) < DRIFT_FRAMES or self._last[-1] == NO_SHIFT:
            return NO_SHIFT
        shifts, far = np.array(self._last), DRIFT_SHARE * self._reach
        if not ((shifts > far).all(axis=0) | (shifts < -far).all(axis=0)).any():
            return NO_SHIFT
        down, right = (2 * round(float(x) / 2) for x in shifts[-1])
        by = Shift(down, right)
        self._here = self._here.rebased(by)
        self._last.clear()
        self._n_here = 0  # Points are chosen anew.
        return by

    def _sharpest(self, known: Plane) -> Plane:
        """Return what the next frame is compared with: the background; at the start that of the first frame alone.

        The background is a blend of few frames by then, blurred by a shake that is not sure yet.
        """
        if self._n_here == self._n_seen < START:
            if self._first is None or not self._registration.has_points:  # A film may begin in the dark.
                self._first = known.copy()
            return self._first
        if self._first is not None:
            self._first, self._n_here = None, 0
        return known

    @property
    def _reach(self) -> float:
        """Largest shift, pixels."""
        return self._largest / 100 * self._layout.width

    def _is_within(self, motion: Motion) -> bool:
        """Tell whether nothing in the picture has moved by more than the largest shift."""
        return motion.extent(self._layout.height, self._layout.width) <= self._reach

    def _may_have_moved(self, now: Plane, known: Plane) -> bool:
        if self._n_seen > START and not self._of_shake.is_there and self._n_seen % REST != 1:
            return False  # Cameras that have never moved cost little.
        return self._registration.may_have_moved(now, known)

    def _search(self, now: Plane, known: Plane) -> tuple[Motion, float]:
        """Return the motion that makes two pictures most alike, where it is to be believed, and how far it is."""
        registration, copies = self._registration, self._registration.copies(now, known)
        motion = Motion(registration.finely(copies, registration.coarsely(copies, self._largest)))
        if not self.shakes:
            belief, turned = self._belief(now, known, motion), self._or_turned(copies, motion)
            if turned.turns:  # Enough frames have shown it.
                motion, belief = turned, float(CONFIRM)
            return (motion, belief) if belief else (AT_REST, 0.0)
        found = [motion, Motion(registration.finely(copies, NO_SHIFT))]
        if self._of_turn.is_active:
            found = [registration.turned(copies, self._here.shifted_to(x.shift)) for x in found]
            self._here = self._likeliest(now, known, found)
            self._of_turn.take(seen=self._here.turn.extent(*now.shape) > SHAKES, belief=0)
        else:
            self._here = self._or_turned(copies, self._likeliest(now, known, found))
        return self._here, float(self._here != AT_REST)

    def _or_turned(self, copies: Copies, motion: Motion) -> Motion:
        """Return a motion that turns or zooms instead of a shift, where that is to be believed and it is sure to."""
        (now, known), registration = copies[0], self._registration
        turned, belief = motion, 0.0
        if self._n_seen <= START or registration.may_have_turned(now, known, motion.shift):
            turned = registration.turned(copies, motion)
            if turned.turn.extent(*now.shape) > SHAKES:
                belief = self._belief(now, known, turned, than=motion)
        self._of_turn.take(seen=belief > 0, belief=belief)
        return turned if belief and self.turns else motion

    def _belief(self, now: Plane, known: Plane, motion: Motion, than: Motion = AT_REST) -> float:
        """Return how far a motion is to be believed rather than another one: by how many frames it counts."""
        if not self._is_within(motion):
            return 0.0
        share = self._registration.share_explained(now, known, motion, BETTER, than)
        if share <= AGREED or self._registration.n_quarters(now, known, motion, than) < QUARTERS:
            return 0.0
        return float(CONFIRM) if self._n_seen <= START and share > CERTAIN else 1.0

    def _likeliest(self, now: Plane, known: Plane, found: list[Motion]) -> Motion:
        """Return where a camera that shakes has most likely moved.

        That is one of those found, or what goes on from the last one, which things that hide half of the scene
        mislead less; whichever makes the pictures most alike. Where none does, the camera is where it was, unless
        the picture clearly looks unmoved: no camera is home for a moment because something passes. A frame that is
        nowhere near the background, and no nearer than shifted far off, does not show it.
        """
        registration, candidates = self._registration, list(found)
        if self._here != AT_REST:
            candidates.append(self._followed(now, known))
        motions = [self._here, AT_REST, *(x for x in candidates if self._is_within(x))]
        differences = [registration.differences(now, known, x) for x in motions]
        # What lies beyond the picture, where the camera was last, says nothing of where it is.
        seen = np.isfinite(differences[0])
        n_seen = max(int(np.count_nonzero(seen)), 1)
        left = [float(registration.clipped(x[seen]).sum()) / n_seen for x in differences]
        best = 1 + int(np.argmin(left[1:]))
        if best == 1 and left[1] > BETTER * left[0]:
            best = 0
        is_known = self._here != AT_REST and left[best] <= LOST * self._usual
        is_scene = is_known or left[best] < BETTER * registration.by_chance(now, known, self._reach)
        return motions[best] if is_scene else AT_REST

    def _followed(self, now: Plane, known: Plane) -> Motion:
        """Return what goes on from the last motion."""
        if self._of_turn.is_active:
            return self._registration.turned([(now, known)], self._here)
        return Motion(self._registration.finely([(now, known)], self._here.shift))

    def _misses(self, now: Plane, known: Plane, motion: Motion) -> bool:
        """Return whether a frame differs much more than usual; what is usual follows those that do not."""
        registration = self._registration
        if not registration.has_points:
            return False
        left = float(registration.clipped(registration.differences(now, known, motion)).mean())
        if self._usual and left > LOST * self._usual and self._n_lost < LOST_FRAMES:
            return True
        self._usual += (FOLLOW if self._usual and self._n_lost < LOST_FRAMES else 1) * (left - self._usual)
        return False
