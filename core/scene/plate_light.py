"""Frames of a plate in one light: the sun comes out, a lamp is switched, a camera exposes anew."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout, Values
from core.frames.planar import PlanarPicture
from core.kernels import cleaning as kernel
from core.scene.cleaning import ROWS_OF_LIGHT, light
from core.scene.surroundings import luma_on
from core.scene.tuning import FEW, LIKENESS


class Relighting(NamedTuple):
    """What brings a picture into other light, block by block: ``gain · sample + shift``.

    Attributes
    ----------
    gain, shift : (P, h, w) float32
        For each of P planes; see `core.scene.cleaning.light`.
    """

    gain: NDArray[np.float32]
    shift: NDArray[np.float32]

    def then(self, later: Relighting) -> Relighting:
        """Return this change and a later one as one."""
        return Relighting(later.gain * self.gain, later.gain * self.shift + later.shift)


class PlateLight:
    """Tells in what light frames were taken, by the background as it was recovered for each.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout, self._grid = layout, Grid(layout.height, layout.width)
        self._size = max(1, layout.height // ROWS_OF_LIGHT)
        self._first: Values | None = None

    def back(self, background: Values) -> Relighting | None:
        """Return what brings a frame with a background (F,) into the light of the first; None: it is in it.

        The first that is asked about is the first.
        """
        if self._first is None:
            self._first = background
        return self._between(background, self._first)

    def forth(self, background: Values) -> Relighting | None:
        """Return what brings a frame from the light of the first into that of a background (F,); None: it is in it."""
        return None if self._first is None else self._between(self._first, background)

    def brought(self, v: Values, back: Relighting | None, forth: Relighting | None) -> Values:
        """Return a frame (F,) in other light, by way of that of the first; itself, where that is hardly other."""
        change = back.then(forth) if back and forth else back or forth
        if change is None or not self._shows(v, change):
            return v
        out, layout = v.copy(), self._layout  # Mixed into, all of it: not into what happens to lie in memory.
        for index, shape in enumerate(layout.shapes):
            kernel.put_plate(
                layout.plane(out, index), layout.plane(v, index), np.full(shape, 255, np.uint8), change.gain[index],
                change.shift[index], layout.step(index), self._size, layout.white,
            )  # fmt: skip
        return out

    def _between(self, then: Values, now: Values) -> Relighting | None:
        """Return what brings one background into the light of another; None where most of them is alike."""
        if then is now or not self._differs(*(luma_on(self._grid, self._layout, x) for x in (then, now))):
            return None
        layout = self._layout
        nothing = [np.zeros(shape, np.uint8) for shape in layout.shapes]
        return Relighting(*light(PlanarPicture(now, layout), PlanarPicture(then, layout), nothing, self._size, 1.0))

    def _shows(self, v: Values, change: Relighting) -> bool:
        """Return whether a change shows in a frame: in the middle of its blocks."""
        index = self._layout.luma_index
        luma = self._layout.plane(v, index)[self._size // 2 :: self._size, self._size // 2 :: self._size]
        gain, shift = (x[index][: luma.shape[0], : luma.shape[1]] for x in change)
        return self._differs(luma, gain * luma + shift)

    def _differs(self, one: NDArray[np.generic], other: NDArray[np.generic]) -> bool:
        apart = cv2.absdiff(np.asarray(one, np.float32), np.asarray(other, np.float32))
        return bool(np.mean(apart > LIKENESS * self._layout.contrast) > FEW)
