"""What each pixel shows when its surroundings are still: the background of a scene that is hidden most of the time."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid, Plane
from core.frames.frame import Layout, Planes, Values
from core.frames.noise import MAD_TO_SIGMA
from core.frames.running_median import twice_in_each_doubling
from core.kernels import median, stillest_samples
from core.runtime import bands
from core.scene.surroundings import change_around, luma_on, mostly
from core.scene.tuning import LIKENESS, SETTLED_FRAMES

DENSE_FRAMES = 64
"""So many frames in a row are looked at; then as many of every second, of every fourth, and so on.

With 50, `foliage` loses 0.009 of F; with 128 it gains 0.0004, and `highway1`, half as bright for every other 150
frames, loses 0.004.
"""

APART = 3.0
"""A background is replaced where its distance from the stillest samples is this many times their spread.

With 1, `foliage` gains 0.004 of F and a drawn crowd that hides most of the scene loses 0.016; with 5, `foliage` loses
0.008.
"""

HIDDEN = 0.3
"""What is hidden no larger share of the time is known from what is seen.

With 0.25, `highway1` with switched light loses 0.011 of F, as samples that were taken in another light spoil the road;
with 0.5 it gains as much, and `foliage` loses 0.029, as leaves hide much of it for less.
"""

RESTLESS = 12.0
"""A background is in doubt where its mean change is this many times that of the stillest samples, and does not look
the same: mostly something passes there, and the background may have been learnt from it.

With 5, `highway1` with switched light loses 0.012 of F, a drawn street with trees 0.001, and `foliage` gains 0.005.
"""

EMPTY = 255
"""Stands for the change at a sample that was not taken yet."""


class StillestSamples:
    """Keeps, for each point of a grid, the values of the frames in which its surroundings changed least.

    It keeps `SETTLED_FRAMES`, 31 MB of 1080p: what is seen so often is no accident. With half as many, `fall` loses
    0.10 of F, as branches come to rest elsewhere more often; with 16, `foliage` loses 0.013.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._grid = Grid(layout.height, layout.width)
        self._samples: Plane = np.zeros((SETTLED_FRAMES, layout.n_values), layout.dtype)
        self._change = np.full((SETTLED_FRAMES, *self._grid.shape), EMPTY, np.uint8)
        self._unrest = np.zeros(self._grid.shape, np.float32)
        self._before: Plane | None = None
        self._n = self._n_changes = 0

    def offer(self, v: Values) -> bool:
        """Take note of the next frame (F,); True when `better` is worth asking: from the 13th on, and ever less."""
        n = self._n
        self._n += 1
        is_due = n >= SETTLED_FRAMES and twice_in_each_doubling(n)
        # At the frame before as well, as it is compared with.
        spacing = 1 << (n // DENSE_FRAMES + 1).bit_length() - 1
        if n % spacing not in {0, spacing - 1}:
            return is_due
        luma = np.ascontiguousarray(self._luma(v))
        if self._before is not None and n % spacing == 0:
            change = change_around(luma, self._before, self._layout.contrast)
            self._n_changes += 1
            cv2.accumulateWeighted(change, self._unrest, 1 / self._n_changes)
            layout = self._layout
            bands.run_rows(
                stillest_samples.keep_band, change.shape[0], layout.n_values, change, v, (layout.height, layout.width),
                layout.planes is Planes.YCC420, self._grid.step, self._change, self._samples,
            )  # fmt: skip
        self._before = luma
        return is_due

    def better(self, background: Values, cover: NDArray[np.float32]) -> tuple[Values, NDArray[np.bool_]] | None:
        """Return values (F,), and the pixels (H, W) where they differ from the background and are better; or None.

        A background in doubt is often hidden, its place restless, and far from what the pixel shows when all is still,
        while those samples agree.

        Parameters
        ----------
        background : (F,) samples
        cover : (H, W) float32
            Share of the last frames in which foreground hid each pixel.
        """
        known = self._change.max(axis=0) < EMPTY  # In the first frames, places are still empty.
        if not known.any():
            return None
        luma, spread = self._agreement()
        usual = _median(self._change.reshape(len(self._change), -1)).reshape(self._grid.shape)
        restless = self._unrest > np.maximum(RESTLESS * usual, 255 * LIKENESS)
        hidden = cover[:: self._grid.step, :: self._grid.step] > HIDDEN
        differs = cv2.absdiff(luma, np.ascontiguousarray(self._luma(background))) > APART * spread
        found = mostly(hidden & restless & known & differs)
        if not found.any():
            return None
        where = self._grid.spread(found.view(np.uint8)).view(np.bool_)
        values, at = background.copy(), np.flatnonzero(self._layout.spread(where))
        values[at] = _median(np.ascontiguousarray(self._samples[:, at]))
        return values, where

    def _agreement(self) -> tuple[Plane, NDArray[np.float32]]:
        """Return the median of the samples, and their standard deviation from it: luma on the grid."""
        samples = np.stack([self._luma(v).ravel() for v in self._samples])
        luma = _median(samples)
        spread = MAD_TO_SIGMA * _median(np.where(samples > luma, samples - luma, luma - samples)).astype(np.float32)
        least = self._layout.contrast / 255
        return luma.reshape(self._grid.shape), np.maximum(spread, np.float32(least)).reshape(self._grid.shape)

    def _luma(self, v: Values) -> Plane:
        return luma_on(self._grid, self._layout, v)


def _median(samples: Values) -> Values:
    """Return the median of each column, of the type of a sample."""
    out = np.empty(samples.shape[1], samples.dtype)
    bands.run(median.median_band, out.size, samples, len(samples), out, cost=bands.HEAVY)
    return out
