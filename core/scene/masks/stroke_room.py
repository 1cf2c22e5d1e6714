"""How much of what people painted is remembered: the rest is refused, nothing is forgotten for it."""

from __future__ import annotations

from collections.abc import Iterable

from core.frames.frame import Layout
from core.scene.masks.strokes import Span, n_light_samples

MOST = 100
"""Strokes for all frames, whose look is searched in each; those for a span may take as much as so many whole frames."""


def too_many(layout: Layout, strokes: Iterable[tuple[int, Span | None]]) -> str | None:
    """Return why strokes are more than are remembered, for people, as the end of a sentence; None where they are not.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    strokes : iterable of (int, Span or None)
        Pixels of the box of each, and the frames that it is for; None: all.
    """
    light = n_light_samples(layout)
    n_by_look = room = 0
    for n_pixels, frames in strokes:
        if frames is None:
            n_by_look += 1
        else:
            room += n_pixels + light
    if n_by_look > MOST:
        return f"no more than {MOST} strokes for all frames are remembered"
    if room > MOST * (layout.n_pixels + light):
        return f"strokes for a span or a frame may cover no more than {MOST} whole frames together"
    return None


def most_strokes(layout: Layout) -> int:
    """Return how many strokes there can be of all kinds, the smallest for a span."""
    light = n_light_samples(layout)
    return MOST + MOST * (layout.n_pixels + light) // (1 + light)
