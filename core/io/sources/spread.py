"""Some frames of another source, from many places of it; and how many frames there are to take them from."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from dataclasses import replace
from itertools import islice

from core.errors import CleanplateError
from core.frames.frame import Frame
from core.io.sources.base import Source, SourceInfo, Wrapping

STRETCH = 10
"""Frames in a row at each place, at most: methods and masks go by what changes from one frame to the next."""

MOST_FRAMES = 1 << 40
"""Of no input: what has a frame there has one everywhere, such as a generated sample without an end."""


class Spread(Wrapping):
    """So many frames of a source, in stretches that are evenly spread from its start to its end.

    Places and number are counted anew from 0; times are those of the source.

    Parameters
    ----------
    inner : Source
    n_frames : int
        How many; all, where there are no more.

    Raises
    ------
    CleanplateError
        It is a camera, or it has no end.
    """

    def __init__(self, inner: Source, n_frames: int) -> None:
        super().__init__(inner)
        there = count_readable(inner)
        self._stretches = [(0, there)] if there <= n_frames else _stretches(n_frames, there)

    def _info_of(self, inner: SourceInfo) -> SourceInfo:
        n_frames = sum(length for _, length in self._stretches)
        is_one = len(self._stretches) == 1
        timecode = inner.timecode if is_one else None
        return replace(inner, n_frames=n_frames, numbers_frames=is_one, timecode=timecode)

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate from the one at place ``first`` of these on."""
        for index, frame in enumerate(islice(self._all(), max(first, 0), None), max(first, 0)):
            yield replace(frame, index=index)

    def _all(self) -> Iterator[Frame]:
        for place, length in self._stretches:
            with contextlib.closing(self._inner.frames(place)) as frames:
                yield from islice(frames, length)


def _stretches(n_frames: int, there: int) -> list[tuple[int, int]]:
    """Return place and length of stretches that hold ``n_frames`` of the frames that are there, the first and last."""
    n_places = -(-n_frames // STRETCH)
    length, n_longer = divmod(n_frames, n_places)
    left_out, n_gaps = there - n_frames, max(1, n_places - 1)
    return [(length * k + min(k, n_longer) + left_out * k // n_gaps, length + (k < n_longer)) for k in range(n_places)]


def count_readable(source: Source) -> int:
    """Return how many frames a source has, the last that can be read included: what containers declare may be wrong.

    Frames are looked for where the declared ones end, and then nearer and nearer; few are decoded.

    Raises
    ------
    CleanplateError
        It is a camera, or it has no end.
    """
    if source.info.live:
        raise CleanplateError(f"{source.info.title} never ends, so it has no pieces; record it to a file first.")
    known, beyond = 0, max(source.info.n_frames or 1, 1)
    while _has(source, beyond):
        known, beyond = beyond + 1, 2 * beyond
        if beyond > MOST_FRAMES:
            raise CleanplateError(f"{source.info.title} has no end, so it has no pieces; choose frames (--frames).")
    if known == 0 and _has(source, beyond - 1):
        return beyond
    while known < beyond:  # Frames before `known` are there, from `beyond` on there are none.
        middle = (known + beyond) // 2
        known, beyond = (middle + 1, beyond) if _has(source, middle) else (known, middle)
    return known


def _has(source: Source, index: int) -> bool:
    """Tell whether a frame can be read at a place or behind it."""
    with contextlib.closing(source.frames(index)) as frames:
        return next(frames, None) is not None
