"""Scenes of which only a part is new: a slide that changes, a screen, what was put elsewhere between two pictures.

Of such a scene and the one before, all but that part is one and the same, and what was seen of it in either holds in
both. What leaves the part as it was before has only passed, however suddenly: it was no scene.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout
from core.scene.tuning import LIKENESS
from core.session.scenes import Scene

RESIDUE = 0.1
"""A smaller share of what has changed does not count, where it has changed back: of slides that share a template, the
text is more, and what a thing leaves in plates of the place that it has left is less."""

Item = TypeVar("Item", bound=np.generic)


def settled(
    scenes: Sequence[Scene], layout: Layout, at_pixels: Callable[[NDArray[np.bool_]], NDArray[np.bool_]]
) -> list[Scene]:
    """Return scenes in their order as they are known at the end of a pass.

    Parameters
    ----------
    scenes : sequence of Scene
        In their order.
    layout : Layout
        Of their plates.
    at_pixels : callable
        Gives the pixels (H, W) of cells (h, w).
    """
    kept: list[Scene] = []
    for scene in scenes:
        kept.append(scene)
        for n in (2, 3):  # Nothing has changed; it has changed back.
            if len(kept) >= n and _are_one(kept[-n:], layout):
                kept[-n:] = [scene._replace(first=kept[-n].first, change=kept[-n].change)]
                break
    for index in reversed(range(len(kept) - 1)):
        change = kept[index + 1].change
        if change is not None:
            part = at_pixels(change.box)
            kept[index] = _but_for(part, kept[index], kept[index + 1], layout)
    return kept


def _are_one(scenes: Sequence[Scene], layout: Layout) -> bool:
    """Tell whether in the last of some scenes that follow each other all looks as in the first of them."""
    changes = [scene.change for scene in scenes[1:]]
    at = np.logical_or.reduce([change.cells for change in changes if change is not None])
    if None in changes:
        return False
    first, last = (
        cv2.resize(layout.plane(scene.plate, layout.luma_index), at.shape[::-1], interpolation=cv2.INTER_AREA)
        for scene in (scenes[0], scenes[-1])
    )
    differs = cv2.absdiff(first, last)[at] > layout.contrast * LIKENESS
    return bool(differs.mean() < RESIDUE)


def _but_for(part: NDArray[np.bool_], scene: Scene, after: Scene, layout: Layout) -> Scene:
    """Return a scene with what is known of all but a part (H, W) in the one after it, when more has been seen."""
    step = Grid(layout.height, layout.width).step
    return scene._replace(
        plate=np.where(layout.spread(part), scene.plate, after.plate),
        noise=_where(part, scene.noise, after.noise),
        sure=_where(part, scene.sure, after.sure),
        seen=_where(part, scene.seen, after.seen),
        sways=_where(part[::step, ::step], scene.sways, after.sways),
    )


def _where(part: NDArray[np.bool_], own: NDArray[Item] | None, other: NDArray[Item] | None) -> NDArray[Item] | None:
    return own if own is None or other is None else np.where(part, own, other)
