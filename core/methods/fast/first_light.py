"""Telling that light falls for the first time: after black, a lens cap, a shutter that was closed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.methods.fast.noise import LEAST_OF_MOST, NOISE_FLOOR, QUARTILE, quantile
from core.methods.fast.pixel_sample import FAR

LIT = 0.05
"""A picture in which a smaller share of the values is lit is dark: it may have a title, or a sensor's hot pixels."""


class FirstLight:
    """Tells where light falls on what was dark until now: another scene begins there.

    A known picture in other light is the same scene. But what was dark shows nothing of it, and is known but to its
    noise: that would be a picture of its own in so much more light, further than `FAR` from what is seen. A picture of
    which most is dark for good, as cells in a dish, shows a scene.

    Parameters
    ----------
    step : float
        One sample, units of white: a picture is known no better than to its rounding.
    contrast : float
        That the input spans, units of white.
    """

    def __init__(self, step: float, contrast: float) -> None:
        self._least_noise, self._most_noise = NOISE_FLOOR * step, LEAST_OF_MOST * contrast
        self._far = FAR * contrast
        self._brightest: float | None = None

    def end(self) -> None:
        """Take it that light has been seen."""
        self._brightest = np.inf

    def falls(self, sample: NDArray[np.float32], grain: float) -> bool:
        """Take note of the next frame; tell whether it is the first with light.

        Parameters
        ----------
        sample : (S,) float32
            Units of white, counted from no light.
        grain : float
            Standard deviation of the change from frame to frame before, units of white; infinite where there was none.
        """
        before = self._brightest
        if before is not None and self._far * before >= max(self._least_noise, self._most_noise):
            return False  # White in the largest noise is no further: light has been seen, and nobody has to look.
        now, brightest = quantile(sample, 1 - QUARTILE), quantile(sample, 1 - LIT)
        self._brightest = brightest if before is None else max(before, brightest)
        noise = self._least_noise if np.isinf(grain) else min(max(grain, self._least_noise), self._most_noise)
        return before is not None and now * noise > self._far * before
