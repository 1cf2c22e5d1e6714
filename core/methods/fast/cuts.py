"""Telling that another scene has begun."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.methods.fast.noise import lower_quartile
from core.methods.fast.pixel_sample import FAR
from core.methods.fast.recent_frames import N_FRAMES, RecentFrames

LOST = 6
"""After a cut the model misses by more than this many times what the last frames differ among themselves."""

LEAST_MISS = 6 / 255
"""A model that misses by less is not lost, units of the contrast: compression freezes pixels, so that frames do not
differ at all, while light that creeps takes the model some 3 grey levels away."""

UNEXPLAINED = 0.5
"""A model that at once leaves more of the variance of a frame is lost where it misses by half as much, too.

It leaves 0.63 at least of 132 pairs of plates of streets, rooms and woods; tarmac after other tarmac is missed by 4
grey levels. It leaves a few hundredths in light that creeps, and fog rises slowly.
"""

JUMP = 2
"""A model is lost at once where it misses by so many times what it did in the frame before, or where a frame differs
from the one before it by so many times what those before did: in a camera that pans the model was lost all the time.

Of 52 clips that pan, and are cut to another of streets, rooms and woods, 37 are found at their first frame, 20 by the
model alone; in the same clips uncut, still or panning, nothing more is found.
"""

N_STEPS = 4
"""Steps from frame to frame that a jump is compared with: animation shows a picture up to three times."""

LOST_AT_ONCE = 2
"""The same as ``LOST`` for a model that was lost at once, and of a frame all whose structure was new.

In noise alone a model misses by 0.7 times what frames differ by.
"""

UNDECIDED = 3 * N_FRAMES
"""After so many frames in which it does not show, it was no cut: leaves were blown about."""


class CutDetector:
    """Tells a cut: the last frames agree with each other, and the model was lost in each of them but the newest.

    It is another scene then, and it is still; one frame that is unlike all others is none. A model that misses by more
    than `FAR`, or all structure of a frame at once, learns nothing from it until it is clear whether the scene was cut.

    Structure is that of light: colour, of which most scenes have little, is missed by little. It is asked for where the
    model is lost at once, and again once all is still: a camera that turns back to another view may show much that
    looks alike in the one frame in which that could be told.

    Parameters
    ----------
    contrast : float
        That the input spans, units of white.
    n_light : int
        So many values of a sample, the first, are of light; those after them tell its colour.
    """

    def __init__(self, contrast: float, n_light: int) -> None:
        self._least_miss, self._max_learnable = LEAST_MISS * contrast, FAR * contrast
        self._n_light = n_light
        self._miss, self._is_sudden = 0.0, False
        self._light_miss, self._is_unlike = 0.0, False
        self._n_unasked = 0  # Frames in a row in which light was missed, and structure not asked for.
        self._n_lost = self._n_unlearnable = 0

    @property
    def may_learn(self) -> bool:
        """False for the first frames that the model misses by far: they may be of another scene."""
        return not 0 < self._n_unlearnable < N_FRAMES

    @property
    def n_lost(self) -> int:
        """How many frames in a row the model has been lost in, up to the last that was followed."""
        return self._n_lost

    def find(self, recent: RecentFrames) -> NDArray[np.float32] | None:
        """Return by how much the last frames differ among themselves, if they show another scene; else None.

        The newest of them has not been followed yet.
        """
        if self._n_lost < N_FRAMES - 1:
            return None
        change = recent.change()
        if change is None:
            return None
        is_still = self._is_still(recent) if self._is_unlike else self._miss > LOST * lower_quartile(change)
        return change if is_still else None

    def follow(
        self,
        residual: NDArray[np.float32],
        sample: NDArray[np.float32],
        recent: RecentFrames,
        is_unlike: Callable[[], bool],
        is_moved: Callable[[], bool],
    ) -> None:
        """Take note of the next frame.

        Parameters
        ----------
        residual : (S,) float32
            What the model leaves of its sample, units of white.
        sample : (S,) float32
        recent : RecentFrames
            Up to that frame.
        is_unlike : callable
            Tells whether the frame has neither the structure that the model knows nor that of the frame before; asked
            where all of its light has changed at once.
        is_moved : callable
            Tells whether it has not that which the model knows, whatever the frame before has; asked where the model
            has missed light for some frames that agree.
        """
        before, self._miss = self._miss, lower_quartile(residual)
        least = self._least_miss / 2
        if before <= least < self._miss:
            step = recent.step()
            self._is_sudden = step is not None and lower_quartile(step) > self._miss / 2
        is_other = least < self._miss <= 2 * least and self._is_sudden and _is_unexplained(residual, sample)
        self._follow_light(residual, recent, is_unlike, is_moved)
        self._n_lost = self._n_lost + 1 if is_other or self._is_unlike or self._miss > 2 * least else 0
        is_learnable = not self._is_unlike and self._miss <= self._max_learnable
        self._n_unlearnable = 0 if is_learnable else self._n_unlearnable + 1

    def _follow_light(
        self,
        residual: NDArray[np.float32],
        recent: RecentFrames,
        is_unlike: Callable[[], bool],
        is_moved: Callable[[], bool],
    ) -> None:
        before, self._light_miss = self._light_miss, lower_quartile(residual[: self._n_light])
        self._n_unasked += 1
        if self._light_miss <= self._least_miss / 2:
            self._is_unlike, self._n_unasked = False, 0
        elif self._has_jumped(before, recent) and is_unlike():
            self._is_unlike = True
            self._n_lost = self._n_unlearnable = 0  # What was before belongs to another scene.
        elif not self._is_unlike and self._n_unasked >= N_FRAMES and self._is_still(recent):
            self._n_unasked, self._is_unlike = 0, is_moved()
            if self._is_unlike:
                self._n_lost = self._n_unlearnable = N_FRAMES - 1  # Those frames show what this one does.
        elif self._n_lost >= UNDECIDED:
            self._is_unlike = False

    def _is_still(self, recent: RecentFrames) -> bool:
        """Tell whether light of the last frames agrees, against what the model misses."""
        change = recent.change()
        if change is None:
            return False
        return self._light_miss > LOST_AT_ONCE * lower_quartile(change[: recent.n_kept_of(self._n_light)])

    def _has_jumped(self, before: float, recent: RecentFrames) -> bool:
        """Tell whether all light has changed at once; ``before`` is what the model missed in the frame before."""
        newest = self._light_step(recent, 0)
        if newest is None or newest <= self._light_miss / 2:
            return False
        if self._light_miss > JUMP * before:
            return True
        others = [self._light_step(recent, back) for back in range(1, 1 + N_STEPS)]
        return all(other is not None and newest > JUMP * other for other in others)

    def _light_step(self, recent: RecentFrames, back: int) -> float | None:
        """Return by how much light changed with the frame so many before the newest; None where none was before it."""
        step = recent.step(back)
        return None if step is None else lower_quartile(step[: recent.n_kept_of(self._n_light)])


def _is_unexplained(residual: NDArray[np.float32], sample: NDArray[np.float32]) -> bool:
    spread = sample - sample.mean()
    return float(residual @ residual) > UNEXPLAINED * float(spread @ spread)
