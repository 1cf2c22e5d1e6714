"""From samples to what the dictionary explains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Vector
from core.runtime import bands


class Units:
    """Units of white, counted from no light; in 4:2:0 chroma counts from the neutral sample, both ways.

    Parameters
    ----------
    layout : Layout

    Attributes
    ----------
    white : float32
        Sample of white.
    step : float32
        One sample, units of white.
    contrast : float
        That the input spans, units of white.
    signed_from : int
        From this value of a vector on it counts from ``neutral``, before from ``dark``.
    dark, neutral : float32
        Units of white.
    """

    def __init__(self, layout: Layout) -> None:
        self.white = np.float32(layout.white)
        self.step = np.float32(1 / layout.white)
        self.contrast = layout.contrast / layout.white
        self.signed_from = layout.signed_from
        self.dark = np.float32(layout.dark / layout.white)
        self.neutral = np.float32(layout.neutral / layout.white)
        self._has_pedestal = layout.has_pedestal

    def scale_of(self, v: Vector) -> np.float32:
        """Return what a vector is multiplied by to be in units of white: floats are already."""
        return np.float32(1) if v.dtype == np.float32 else self.step

    def zero_at(self, index: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return where the values ``index`` (S,) of a vector count from, units of white."""
        return np.where(index >= self.signed_from, self.neutral, self.dark)

    def from_zero(self, v: Vector, scale: np.float32) -> NDArray[np.float32]:
        """Return a vector (F,) times a scale, counted from zero."""
        out = np.empty(v.size, np.float32)

        def convert(start: int, stop: int) -> None:
            here, signed = out[start:stop], max(self.signed_from - start, 0)
            np.multiply(v[start:stop], scale, out=here)
            here[:signed] -= self.dark
            here[signed:] -= self.neutral

        bands.run(convert, out.size)
        return out

    def plate(self, v: Vector, scale: np.float32) -> NDArray[np.float32]:
        """Return a vector (F,) of the scene as `from_zero` does; what is darker than a pedestal shows no light."""
        out = self.from_zero(v, scale)
        if self._has_pedestal:
            np.maximum(out[: self.signed_from], 0, out=out[: self.signed_from])
        return out
