"""Scenes that differ in a part alone: all else is one and the same, and what was seen of it in either holds in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout
from core.session.scenes import Scene

Item = TypeVar("Item", bound=np.generic)
Pixels = NDArray[np.bool_]


def pieced_together(
    scenes: Sequence[Scene], layout: Layout, at_pixels: Callable[[NDArray[np.bool_]], Pixels]
) -> list[Scene]:
    """Return scenes with what later ones know of all but the parts that have changed.

    Parameters
    ----------
    scenes : sequence of Scene
        In their order; where only a part has changed, the plate of the later one was made of the frames of both.
    layout : Layout
        Of their plates.
    at_pixels : callable
        Gives the pixels (H, W) of cells (h, w).
    """
    pieced = list(scenes)
    for index in reversed(range(len(pieced) - 1)):
        change = pieced[index + 1].change
        if change is not None:
            pieced[index] = _pieced(at_pixels(change.box), pieced[index], pieced[index + 1], layout)
    return pieced


def _pieced(part: Pixels, inside: Scene, outside: Scene, layout: Layout) -> Scene:
    """Return one scene with what is known of a part (H, W) in it, and of the rest in another."""
    step = Grid(layout.height, layout.width).step
    return inside._replace(
        plate=np.where(layout.spread(part), inside.plate, outside.plate),
        noise=_where(part, inside.noise, outside.noise),
        sure=_where(part, inside.sure, outside.sure),
        seen=_where(part, inside.seen, outside.seen),
        sways=_where(part[::step, ::step], inside.sways, outside.sways),
    )


def _where(part: Pixels, inside: NDArray[Item] | None, outside: NDArray[Item] | None) -> NDArray[Item] | None:
    return inside if inside is None or outside is None else np.where(part, inside, outside)
