"""How often each sample occurs in a picture, in a bounded number of bars. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rendering.signed import Scale
from app.rendering.tone_mapping import Levels
from core.frames.frame import Values

BINS = 256

ROOM = 0.1
"""Around what occurs, as a part of it: black and white are set there, too."""

MOST_PIXELS = 1 << 20
"""Larger pictures are counted at every second, third … row and column: some milliseconds, whatever the size."""


@dataclass(frozen=True)
class Histogram:
    """What was counted.

    Attributes
    ----------
    counts : (C, BINS) float32
        Of the one channel of a grey picture, or of red, green and blue.
    edges : (BINS + 1,) float64
        Between the bars, in samples of the input: with a sign where the picture shows differences.
    """

    counts: NDArray[np.float32]
    edges: NDArray[np.float64]

    @property
    def middles(self) -> NDArray[np.float64]:
        """Of the bars."""
        return (self.edges[1:] + self.edges[:-1]) / 2


def span(picture: Values, scale: Scale, levels: Levels, before: Levels | None = None) -> Levels:
    """Return what bars are to cover: all of 8 bits, and of more what occurs, with some room, and black and white.

    Parameters
    ----------
    picture : (H, W) or (H, W, 3) RGB, uint8 or uint16
    scale : Scale
        What its samples stand for.
    levels : Levels
        Black and white; of the full range nothing is taken.
    before : Levels, optional
        What was covered so far: it only grows, so that bars keep their places.
    """
    if not scale.is_signed and scale.top <= 255:
        return Levels(0, scale.top)
    thin = _thinned(picture)
    low, high = int(thin.min()), int(thin.max())
    if levels != Levels(0, scale.top):
        low, high = max(min(low, levels.low), 0), min(max(high, levels.high), scale.top)
    if before is not None and before.low <= low and high <= before.high:
        return before
    room = max(round((high - low) * ROOM), BINS // 32)
    found = Levels(max(low - room, 0), min(high + room, scale.top))
    return found if before is None else Levels(min(found.low, before.low), max(found.high, before.high))


def histogram(picture: Values, scale: Scale, covered: Levels) -> Histogram:
    """Count the samples of a picture.

    Parameters
    ----------
    picture : (H, W) or (H, W, 3) RGB, uint8 or uint16
    scale : Scale
        What its samples stand for.
    covered : Levels
        The first and the last sample of the bars.
    """
    thin = _thinned(picture)
    share = picture.shape[0] * picture.shape[1] / (thin.shape[0] * thin.shape[1])
    n_channels, limits = 1 if thin.ndim == 2 else thin.shape[2], [covered.low, covered.high + 1]
    counts = [
        cv2.calcHist([thin], [channel], None, [BINS], limits).ravel() * np.float32(share)
        for channel in range(n_channels)
    ]
    edges = (np.linspace(limits[0], limits[1], BINS + 1) - scale.zero) * scale.step
    return Histogram(np.stack(counts), edges)


def _thinned(picture: Values) -> Values:
    step = max(1, int(np.ceil(np.sqrt(picture.shape[0] * picture.shape[1] / MOST_PIXELS))))
    return np.ascontiguousarray(picture[::step, ::step])
