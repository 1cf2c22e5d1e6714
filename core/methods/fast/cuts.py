"""Telling that another scene has begun."""

from __future__ import annotations

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


class CutDetector:
    """Tells a cut: the last frames agree with each other, and the model was lost in each of them but the newest.

    It is another scene then, and it is still; one frame that is unlike all others is none. A model that misses by more
    than `FAR` learns nothing from the frame until it is clear whether the scene was cut.

    Parameters
    ----------
    contrast : float
        That the input spans, units of white.
    """

    def __init__(self, contrast: float) -> None:
        self._least_miss, self._max_learnable = LEAST_MISS * contrast, FAR * contrast
        self._miss, self._is_sudden = 0.0, False
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
        return change if change is not None and self._miss > LOST * lower_quartile(change) else None

    def follow(self, residual: NDArray[np.float32], sample: NDArray[np.float32], recent: RecentFrames) -> None:
        """Take note of the next frame.

        Parameters
        ----------
        residual : (S,) float32
            What the model leaves of its sample, units of white.
        sample : (S,) float32
        recent : RecentFrames
            Up to that frame.
        """
        before, self._miss = self._miss, lower_quartile(residual)
        least = self._least_miss / 2
        if before <= least < self._miss:
            step = recent.step()
            self._is_sudden = step is not None and lower_quartile(step) > self._miss / 2
        is_other = least < self._miss <= 2 * least and self._is_sudden and _is_unexplained(residual, sample)
        self._n_lost = self._n_lost + 1 if is_other or self._miss > 2 * least else 0
        self._n_unlearnable = self._n_unlearnable + 1 if self._miss > self._max_learnable else 0


def _is_unexplained(residual: NDArray[np.float32], sample: NDArray[np.float32]) -> bool:
    spread = sample - sample.mean()
    return float(residual @ residual) > UNEXPLAINED * float(spread @ spread)
