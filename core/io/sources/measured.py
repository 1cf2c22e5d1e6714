"""How much of their samples' range deep pictures make use of: what a grey level is to those who look at them.

Video of colour is coded for a display, and white is where its standard says. The samples of a microscope or of another
camera with 9 to 16 bits are counts: they may span a fiftieth of what their type can hold.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Frame, Planes
from core.frames.noise import MAD_TO_SIGMA
from core.io.sources.base import Source
from core.io.sources.video import VideoSource
from core.io.sources.views import View

PLACES = 4
"""Pairs of frames that are looked at, spread over the input: the first frames may be dark, or show nothing yet."""

ENDS = (0.1, 99.9)
"""Percentiles that a range lies between: a few pixels of a sensor are always dead or hot."""

NOISIEST = 5
"""The noise is no more than so many grey levels: as much as is expected before any is measured, and what a picture of 8
bits hardly exceeds. Where there is nothing to see but noise, a range alone would make grey levels of its crumbs."""

VALUES = 1 << 17
"""Values of a frame that are looked at, about."""


class WithContrast(View):
    """A source whose layout says which share of white its input makes use of.

    Parameters
    ----------
    inner : Source
    used : float
    pedestal : int
        See `core.frames.frame.Layout`.
    """

    def __init__(self, inner: Source, used: float, pedestal: int) -> None:
        super().__init__(inner, replace(inner.info.layout, used=used, pedestal=pedestal))

    def _apply(self, frame: Frame) -> Frame:
        return replace(frame, layout=self._layout)


def measured(source: Source) -> Source:
    """Return a source with the contrast that was measured on some of its frames; one that has none, as it is."""
    layout = source.info.layout
    is_coded = isinstance(source, VideoSource) and layout.planes is not Planes.GREY
    if layout.bit_depth == 8 or layout.planes is Planes.YCC420 or is_coded or source.info.live:
        return source
    pairs = [pair for pair in map(_rows_of, _pairs(source)) if pair]
    if not pairs:
        return source
    low, high = np.percentile(np.concatenate([rows for pair in pairs for rows in pair], axis=None), ENDS)
    noise = np.median([_noise(pair[0], pair[-1]) for pair in pairs])
    span = max(high - low, float(noise) * 255 / NOISIEST)
    # Where all is alike, nothing is known.
    return WithContrast(source, float(min(span / layout.white, 1.0)), int(low)) if span else source


def _pairs(source: Source) -> list[list[Frame]]:
    """Return two frames that follow each other, from a few places of a source; what cannot be read is left out."""
    n_frames = source.info.n_frames or 1
    pairs = []
    for first in sorted({int(place) for place in np.linspace(0, max(n_frames - 2, 0), PLACES)}):
        with contextlib.suppress(CleanplateError), contextlib.closing(source.frames(first)) as frames:
            pairs.append(list(islice(frames, 2)))
    return pairs


def _rows_of(frames: list[Frame]) -> list[NDArray[np.int32]]:
    """Return some rows (n, W) of all planes of each frame; planes are of one size."""
    step = max(1, frames[0].layout.n_values // VALUES) if frames else 1
    return [frame.values.reshape(-1, frame.layout.width)[step // 2 :: step].astype(np.int32) for frame in frames]


def _noise(before: NDArray[np.int32], now: NDArray[np.int32]) -> float:
    """Return the standard deviation of the noise, samples, by what neither stands still nor changes smoothly."""
    change = np.diff(now - before, axis=1)
    return float(MAD_TO_SIGMA * np.median(np.abs(change))) / 2 if change.size else 0.0
