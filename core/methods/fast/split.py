"""What the fast method makes of a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values, Vector
from core.nmf.shrinkage import soft_threshold
from core.runtime.cached import cached


@dataclass(frozen=True)
class SampledSplit:
    """A split of which only what everyone needs was computed: the background, rounded to whole samples.

    The rest follows when asked for. See `core.frames.split.Split` for what the properties are.

    Attributes
    ----------
    v : (F,) uint8, uint16 or float32
        The vector, and ``scale``, its unit over white.
    rounded : (F,) uint8 or uint16
        ``W h`` in samples, and ``white``, the sample of white; while a method learns, that of a frame before where
        their sampled values differ by less than `core.methods.fast.state.UNSEEN`.
    lam : float
        Outlier threshold, units of white.
    """

    v: Vector
    scale: np.float32
    rounded: Values
    white: np.float32
    lam: float
    h: NDArray[np.float64]
    objective: float

    @cached
    def background(self) -> NDArray[np.float32]:
        """``W h``, to the nearest sample."""
        return self.rounded.astype(np.float32) / self.white

    @cached
    def residual(self) -> NDArray[np.float32]:
        """``v − W h``."""
        return self.v * self.scale - self.background

    @cached
    def outliers(self) -> NDArray[np.float32]:
        """``r = S_λ(v − W h)``."""
        return soft_threshold(self.residual, self.lam)

    @property
    def mask(self) -> None:
        """The method makes no masks."""

    def samples(self, layout: Layout) -> Values:
        """Return the background rounded to samples."""
        return self.rounded
