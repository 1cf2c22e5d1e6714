"""What "Laplace(0, δ)" may mean for faces: Guan et al. (2019), section 5.2.1, say no more of their noise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Spoil = Callable[[Matrix, float, np.random.Generator], Matrix]
"""``spoil(clean, level, rng)`` returns spoiled images (n, F) float32."""


def add_laplace(clean: Matrix, level: float, rng: np.random.Generator) -> Matrix:
    """Add what is positive of Laplace noise of standard deviation ``level`` grey levels of 255; half the pixels stay.

    Images are (n, F).

    The paper says only "Laplace(0, δ)" and "deviation". With this reading L2, which has nothing to be tuned, and L1
    have the figures of its table 2 at all levels, within 7 %. With noise of both signs, whether it is cut off at black
    or not, and whether δ is its deviation or its scale, L1 does not come near them; cut off at white, nor does L2.
    """
    noise = rng.laplace(0.0, level / 255 / np.sqrt(2), clean.shape)
    return (clean + np.maximum(noise, 0)).astype(np.float32)


def both_signs(scale: float, least: float, most: float) -> Spoil:
    """Return a function that adds all of Laplace noise and cuts off what is beyond; its scale is ``scale`` times δ."""

    def spoil(clean: Matrix, level: float, rng: np.random.Generator) -> Matrix:
        noise = rng.laplace(0.0, level / 255 * scale, clean.shape)
        return np.clip(clean + noise, least, most).astype(np.float32)

    return spoil


def keep_negative(clean: Matrix, level: float, rng: np.random.Generator) -> Matrix:
    """Add Laplace noise of standard deviation ``level`` to pixels (n, F) that do not fall below black by it."""
    noisy = clean + rng.laplace(0.0, level / 255 / np.sqrt(2), clean.shape)
    return np.where(noisy < 0, clean, noisy).astype(np.float32)


READINGS: dict[str, Spoil] = {
    "positive half, as above": add_laplace,
    "both signs": both_signs(1 / np.sqrt(2), -np.inf, np.inf),
    "both signs, cut off at black": both_signs(1 / np.sqrt(2), 0, np.inf),
    "both signs, cut off at black and white": both_signs(1 / np.sqrt(2), 0, 1),
    "both signs, left out where below black": keep_negative,
    "both signs, δ the scale": both_signs(1.0, -np.inf, np.inf),
}
"""By words that describe them. More were tried, with magnitudes of noise or of values: further off."""
