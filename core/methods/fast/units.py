"""From samples to what the dictionary explains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Vector
from core.runtime import bands


class Units:
    """Units of white, counted from black; in 4:2:0 chroma counts from the neutral sample, both ways.

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
        From this value of a vector on it counts from ``neutral``, before from ``black``.
    black, neutral : float32
        Units of white.
    """

    def __init__(self, layout: Layout) -> None:
        self.white = np.float32(layout.white)
        self.step = np.float32(1 / layout.white)
        self.contrast = layout.contrast / layout.white
        self.signed_from = layout.signed_from
        self.black = np.float32(layout.black / layout.white)
        self.neutral = np.float32(layout.neutral / layout.white)

    def scale_of(self, v: Vector) -> np.float32:
        """Return what a vector is multiplied by to be in units of white: floats are already."""
        return np.float32(1) if v.dtype == np.float32 else self.step

    def zero_at(self, index: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return where the values ``index`` (S,) of a vector count from, units of white."""
        return np.where(index >= self.signed_from, self.neutral, self.black)

    def from_zero(self, v: Vector, scale: np.float32) -> NDArray[np.float32]:
        """Return a vector (F,) times a scale, counted from zero."""
        out = np.empty(v.size, np.float32)

        def convert(start: int, stop: int) -> None:
            here, signed = out[start:stop], max(self.signed_from - start, 0)
            np.multiply(v[start:stop], scale, out=here)
            here[:signed] -= self.black
            here[signed:] -= self.neutral

        bands.run(convert, out.size)
        return out
