"""From samples to what the dictionary explains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Vector
from core.frames.reduce import shrunk
from core.runtime import bands

AREA = 4
"""Rows and columns of pixels of which the mean may lie below black. Compression rings about edges: in films whose areas
end at black, 16, single samples come to 0, means of 2×2 to 7 and of 4×4 to 14."""


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
        Units of white. `reach` and `count_from` change ``dark``.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.white = np.float32(layout.white)
        self.step = np.float32(1 / layout.white)
        self.contrast = layout.contrast / layout.white
        self.signed_from = layout.signed_from
        self._nominal = np.float32(layout.dark / layout.white)
        self.dark = self._nominal
        self.neutral = np.float32(layout.neutral / layout.white)

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
        """Return a vector (F,) of the scene as `from_zero` does; what is darker than ``dark`` shows no light."""
        out = self.from_zero(v, scale)
        if self.dark:
            np.maximum(out[: self.signed_from], 0, out=out[: self.signed_from])
        return out

    @property
    def is_nominal(self) -> bool:
        """Whether ``dark`` is that of the layout, to which nothing darker has been seen."""
        return bool(self.dark == self._nominal)

    def reach(self, v: Vector) -> np.float32:
        """Count from the darkest area of a vector (F,) where that lies below black; return by how much, or 0.

        Many cameras use the range from 0 on, and say that black is 16: their shadows are light of some strength, too.
        What is darker than a pedestal that was measured is none.
        """
        before, layout = self.dark, self._layout
        if before and not layout.has_pedestal:
            plane = layout.plane(layout.in_samples(v), layout.luma_index)
            if plane.min() < before * self.white:
                rows, columns = (max(n // AREA, 1) for n in plane.shape)
                areas = shrunk(plane[: rows * AREA, : columns * AREA], (rows, columns))
                self.dark = min(before, np.float32(areas.min() * self.step))
        return np.float32(before - self.dark)

    def count_from(self, dark: float | None) -> None:
        """Count from here, units of white; None: from where the layout says."""
        self.dark = self._nominal if dark is None else np.float32(dark)
