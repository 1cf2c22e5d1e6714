"""Frames of a plate in one light: the sun comes out, a lamp is switched, a camera exposes anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values
from core.frames.planar import PlanarPicture
from core.scene.relighting import Relighting, block_side, light_of
from core.scene.tuning import FEW, LIKENESS


class PlateLight:
    """Tells in what light frames were taken, by the background as it was recovered for each.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._size = block_side(layout)
        self._first: Values | None = None
        self._then = np.empty((0, 0), np.float32)

    def back(
        self, background: Values, v: Values | None = None, covered: NDArray[np.uint8] | None = None
    ) -> Relighting | None:
        """Return what brings a frame into the light of the first; None: it is hardly other, or no light.

        Parameters
        ----------
        background : (F,) samples
            As recovered for the frame. The first that is asked about is that of the first frame.
        v : (F,) samples, optional
            The frame: what is to be seen of it has to be more like the first background then. None: it is that
            background itself.
        covered : (H, W) uint8, optional
            Not 0 where something hides the scene. The background that was recovered there need not have followed the
            light, so only what is in sight tells it.
        """
        if self._first is None:
            self._first, self._then = background, self._middles(background)
        layout, size = self._layout, self._size
        seen = slice(None) if covered is None else covered[size // 2 :: size, size // 2 :: size] == 0
        if self._share_apart(self._middles(background), seen) <= FEW:
            return None
        nothing = [np.zeros(shape, np.uint8) for shape in layout.shapes]
        change = light_of(PlanarPicture(self._first, layout), PlanarPicture(background, layout), nothing, 1.0)
        # A background that had yet to be found shows other things.
        if self._share_apart(self._middles(background, change), seen) > FEW:
            return None
        if v is None or covered is None:
            return change
        before, after = (self._apart(self._then, self._middles(v, by))[seen] for by in (None, change))
        return change if np.count_nonzero(after) < np.count_nonzero(before) else None

    def middle(self, lights: Sequence[Relighting | None]) -> Relighting | None:
        """Return what brings a frame from the light of the first into that of the frame in the middle of them all.

        As many are darker as are brighter. ``lights`` has what `back` said of each; None: it is that of the first.
        """
        grey, index = np.float32(self._layout.contrast / 2), self._layout.luma_index
        bright = [float(grey if x is None else (x.gain[index] * grey + x.shift[index]).mean()) for x in lights]
        # What brings a frame back darkens it where it is brighter.
        back = lights[int(np.argsort(bright, kind="stable")[len(bright) // 2])] if lights else None
        return None if back is None else back.undone()

    def brought(self, v: Values, back: Relighting | None, forth: Relighting | None) -> Values:
        """Return a frame (F,) in other light, by way of that of the first; itself, where that is hardly other."""
        change = back.then(forth) if back and forth else back or forth
        if change is None or not self._shows(v, change):
            return v
        out, layout = v.copy(), self._layout  # Mixed into, all of it: not into what happens to lie in memory.
        change.put(out, PlanarPicture(v, layout), [np.full(shape, 255, np.uint8) for shape in layout.shapes])
        return out

    def _shows(self, v: Values, change: Relighting) -> bool:
        """Return whether a change shows in a frame, in more than few of its blocks."""
        return bool(np.mean(self._apart(self._middles(v), self._middles(v, change))) > FEW)

    def _middles(self, v: Values, change: Relighting | None = None) -> NDArray[np.float32]:
        """Return the luma in the middle of each block (h, w), as it is or changed."""
        index = self._layout.luma_index
        luma = self._layout.plane(v, index)[self._size // 2 :: self._size, self._size // 2 :: self._size]
        if change is None:
            return luma.astype(np.float32)
        gain, shift = (x[index][: luma.shape[0], : luma.shape[1]] for x in change)
        return np.asarray(gain * luma + shift, np.float32)

    def _share_apart(self, middles: NDArray[np.float32], seen: NDArray[np.bool_] | slice) -> float:
        """Return in what share of the blocks in sight luma (h, w) differs from that of the first background; or 0."""
        apart = self._apart(self._then, middles)[seen]
        return float(apart.mean()) if apart.size else 0.0

    def _apart(self, one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.bool_]:
        return np.asarray(np.abs(one - other) > LIKENESS * self._layout.contrast)
