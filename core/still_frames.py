"""What each pixel shows when its surroundings are still: the background of a scene that is hidden most of the time."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core import bands
from core.frame import Layout, Planes, Values
from core.kernels import still, video
from core.running_median import twice_in_each_doubling

BUDGET_BYTES = 96 << 20
"""Memory for what is kept."""

FEWEST, MOST = 5, 16
"""Looks kept of each pixel, whatever the budget."""

SURROUNDINGS = (9, 9)
"""Neighbourhood whose change from one frame to the next tells how still a pixel is, pixels."""

DENSE_FRAMES = 64
"""So many frames in a row are looked at; then as many of every second, of every fourth, and so on."""

DOUBT = 3.0
"""A background is replaced where its noise, and its distance from the still looks, are so many times their spread."""

NOISY = 8 / 255
"""A background with less noise than this is not in doubt, units of white."""


class StillFrames:
    """Keeps, for each pixel, the values of the frames in which its surroundings changed least.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        count = int(np.clip(BUDGET_BYTES // layout.n_bytes, FEWEST, MOST))
        self._looks: NDArray = np.zeros((count, layout.n_values), layout.dtype)
        self._change = np.full((count, layout.height, layout.width), 255, np.uint8)
        self._before: NDArray | None = None
        self._n = 0

    def offer(self, v: Values) -> bool:
        """Take note of the next frame (F,); True when `better` is worth asking: twice in each doubling."""
        n = self._n
        self._n += 1
        luma = self._luma(v)
        if self._before is not None and n % (1 << (n // DENSE_FRAMES + 1).bit_length() - 1) == 0:
            change = cv2.blur(cv2.absdiff(luma, self._before), SURROUNDINGS)
            if change.dtype != np.uint8:
                change = (change >> (self._layout.bit_depth - 8)).astype(np.uint8)
            half = self._layout.planes is Planes.YCC420
            bands.run_rows(
                still.keep_band, (change.shape[0] + 1) // 2, change.size, change, v, half, self._change, self._looks
            )
        self._before = luma
        return self._n > DENSE_FRAMES // 2 and twice_in_each_doubling(n)

    def better(self, background: Values, noise: NDArray[np.float32]) -> tuple[Values, NDArray[np.bool_]] | None:
        """Return values (F,), and the pixels (H, W) where they make a better background; None where there is none.

        A background in doubt is noisy and far from what the pixel shows when all is still, while those looks agree.

        Parameters
        ----------
        background : (F,) samples
        noise : (H, W) float32
            Noise scale of luma about the background, samples.
        """
        count = len(self._looks)
        values = np.empty_like(background)
        bands.run(video.median_band, values.size, self._looks, count, values)
        luma = self._luma(values)
        looks = np.stack([self._luma(look).ravel() for look in self._looks])
        departs = np.where(looks > luma.ravel(), looks - luma.ravel(), luma.ravel() - looks)
        spread = np.empty(luma.size, self._layout.dtype)
        bands.run(video.median_band, spread.size, departs, count, spread)
        least = max(1.0, self._layout.white / 255)
        bar = DOUBT * np.maximum(1.4826 * spread.reshape(luma.shape), least)
        found = (noise > np.maximum(bar, NOISY * self._layout.white)) & (
            cv2.absdiff(luma, self._luma(background)) > bar
        )
        found = cv2.medianBlur(found.astype(np.uint8), 5).view(np.bool_)
        return (values, found) if found.any() else None

    def _luma(self, v: Values) -> NDArray:
        """Return luma, or green, which is most of it."""
        return self._layout.plane(v, 1 if self._layout.planes is Planes.RGB else 0)
