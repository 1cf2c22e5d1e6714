"""How much of their samples' range pictures make use of: what a grey level is to those who look at them.

Pictures of 8 bits, and video of colour, are coded for a display, and white is where their standard says, but at night,
in fog, or where a thermal camera sees little that is warm. The samples of a microscope or of another camera with 9 to
16 bits are counts: they may span a fiftieth of what their type can hold.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Planes, Values
from core.frames.noise import MAD_TO_SIGMA, spread_over
from core.io.sources import failing
from core.io.sources.base import Source, SourceInfo
from core.io.sources.video import VideoSource
from core.io.sources.views import View

PLACES = 4
"""Pairs of frames that are looked at, spread over the input: the first frames may be dark, or show nothing yet."""

ENDS = (0.1, 99.9)
"""Percentiles that a range lies between: a few pixels of a sensor are always dead or hot."""

LOOKED_AT = (1, 99)
"""Percentiles that are black and white where deep pictures in grey are looked at, as in the window's panes."""

FAINT, USUAL = 0.4, 0.5
"""What is coded for a display and spans so little of it is taken to be faint: its grey levels are counted anew. What
spans the second or more is as it was coded. Between them it is partly so: of two clips that hardly differ, one was
measured and one was not, where there was one limit."""

NOISIEST = 5
"""The noise is no more than so many grey levels: as much as is expected before any is measured, and what a picture of 8
bits hardly exceeds. Where there is nothing to see but noise, a range alone would make grey levels of its crumbs."""

ROWS = 256
"""Rows of a frame that are looked at, about."""

SEEN = 4096
"""Samples of a frame, about, by which light is compared between places."""

N_ZEROS, FAR_BETTER = 9, 0.5
"""Samples that are tried for no light, and the share of the darkest one's error that the best of them leaves at most.
Where the light was another at two of the places the true one leaves a quarter, elsewhere all leave the same."""


class WithContrast(View):
    """A source whose layout says which share of white its input makes use of.

    Parameters
    ----------
    inner : Source
    used : float
    pedestal : int
        See `core.frames.frame.Layout`.
    levels : (black, white), optional
        See `core.io.sources.base.SourceInfo`; without them as the inner source has them.
    """

    def __init__(self, inner: Source, used: float, pedestal: int, levels: tuple[int, int] | None = None) -> None:
        super().__init__(inner, replace(inner.info.layout, used=used, pedestal=pedestal))
        self._levels = levels

    def _info_of(self, inner: SourceInfo) -> SourceInfo:
        return replace(super()._info_of(inner), levels=self._levels or inner.levels)

    def _apply(self, frame: Frame) -> Frame:
        return replace(frame, layout=self._layout)


def measured(source: Source) -> Source:
    """Return a source with the contrast that was measured on some of its frames; one that has none, as it is.

    Cameras, streams and folders that grow have none: nothing of them can be read ahead.
    """
    layout, is_film = source.info.layout, isinstance(source, VideoSource)
    if source.info.live:
        return source
    is_coded = layout.bit_depth == 8 or (is_film and layout.planes is not Planes.GREY)
    levels: list[NDArray[np.floating]] = []
    shown: list[list[float]] = []
    noise: list[float] = []
    dark: list[float] = []
    seen: list[NDArray[np.float64]] = []
    for pair in _pairs(source):
        pictures = [_rows_of(frame) for frame in pair]
        low, high, *looked_at = np.percentile(np.stack(pictures), (*ENDS, *LOOKED_AT))
        levels.append(np.array([low, high]))
        shown.append(looked_at)
        if is_coded and _span(levels) > USUAL * layout.white:
            return source
        noise.append(_noise(*(_luma(pictures[i]) for i in (0, -1))))
        luma = layout.plane(pair[0].values, layout.luma_index).ravel()
        dark.append(float(np.percentile(luma, ENDS[0])))
        seen.append(spread_over(luma, SEEN).astype(np.float64))
    if not levels or (is_film and len(levels) < 2):
        return source  # A film may begin in the dark.
    used = min(max(_span(levels), float(np.median(noise)) * 255 / NOISIEST) / layout.white, 1.0)
    if not used:  # Where all is alike, nothing is known.
        return source
    pedestal = _no_light(seen, min(dark), layout.black)
    if is_coded:
        as_coded = min(max((used - FAINT) / (USUAL - FAINT), 0.0), 1.0)
        if as_coded == 1:
            return source
        used += as_coded * (1 - used)
        pedestal += as_coded * (min(layout.black, pedestal) - pedestal)
    is_counts = not is_coded and layout.planes is Planes.GREY
    return WithContrast(source, used, int(pedestal), _widest(shown) if is_counts else None)


def _widest(ranges: Sequence[Sequence[float]]) -> tuple[int, int]:
    """Return whole samples that some ranges lie between."""
    low = int(min(low for low, _ in ranges))
    return low, max(int(np.ceil(max(high for _, high in ranges))), low + 1)


def _span(levels: list[NDArray[np.floating]]) -> float:
    """Return the samples between the lowest and the highest of some ranges."""
    return float(max(high for _, high in levels) - min(low for low, _ in levels))


def _no_light(seen: Sequence[NDArray[np.float64]], dark: float, black: int) -> float:
    """Return the sample that shows no light, at most the darkest one that is seen.

    Where nothing dark is in sight it lies lower. That shows where the light of places differs: it is a factor of what
    lies above no light, and of nothing else.
    """
    zeros = np.linspace(dark, min(black, dark), N_ZEROS)
    errors = [sum(_error(one - zero, other - zero) for one, other in combinations(seen, 2)) for zero in zeros]
    best = int(np.argmin(errors))
    return float(zeros[best]) if errors[best] < FAR_BETTER * errors[0] else dark


def _error(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the median error of the gain (of least absolute error) by which the darker picture is the brighter one."""
    bright, dim = (one, other) if np.median(one) > np.median(other) else (other, one)
    lit = bright > 0
    if not lit.any():
        return float(np.median(np.abs(dim - bright)))
    ratio, weight = dim[lit] / bright[lit], bright[lit]
    order = np.argsort(ratio)
    total = np.cumsum(weight[order])
    gain = ratio[order][np.searchsorted(total, total[-1] / 2)]
    return float(np.median(np.abs(dim - gain * bright)))


def _pairs(source: Source) -> Iterator[list[Frame]]:
    """Yield two frames that follow each other, or one, from a few places of a source; what is damaged is left out.

    Of a film these are key frames, which are found at once; where it has one only, the frames between are decoded.
    """
    n_frames = source.info.n_frames or 1
    places = sorted({int(place) for place in np.linspace(0, max(n_frames - 2, 0), PLACES)})
    if isinstance(source, VideoSource):
        n_found = 0
        for glimpse in source.glimpses(PLACES):
            n_found += 1
            yield glimpse
        places = [] if n_found > 1 else places[1:]
    for first in places:
        pair: list[Frame] = []
        with failing.damage_passed_over(), contextlib.closing(source.frames(first)) as frames:
            pair = list(islice(frames, 2))
        if pair:
            yield pair


def _rows_of(frame: Frame) -> Values:
    """Return some rows of the picture, (n, W) or (n, W, 3), full range."""
    picture = frame.image()
    step = max(1, len(picture) // ROWS)
    return picture[step // 2 :: step]


def _luma(rows: Values) -> NDArray[np.int32]:
    """Return the luma of rows (n, W): colours of a sensor have noise each, of which luma has less."""
    return (rows if rows.ndim == 2 else cv2.cvtColor(rows, cv2.COLOR_RGB2GRAY)).astype(np.int32)


def _noise(before: NDArray[np.int32], now: NDArray[np.int32]) -> float:
    """Return the standard deviation of the noise, samples, by what neither stands still nor changes smoothly."""
    change = np.diff(now - before, axis=1)
    return float(MAD_TO_SIGMA * np.median(np.abs(change))) / 2 if change.size else 0.0
