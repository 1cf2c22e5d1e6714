"""Which parts that have changed at once belong to the scene, such as a slide, and which are things that came or left.

A thing that is put down has an outline where the scene had none, and one that is taken away leaves none. A part of the
scene has the same outline before and after, as a screen does, or changes more than once. Of scenes that differ in such
a part alone, all else is one and the same: what was seen of it in either holds in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout
from core.scene.surroundings import MAJORITY
from core.scene.tuning import LIKENESS
from core.session.scenes import Scene

RESIDUE = 0.1
"""A smaller share of what has changed does not count, where it has changed back: of slides that share a template, the
text is more, and what a thing leaves in plates of the place that it has left is less."""

Item = TypeVar("Item", bound=np.generic)
Pixels = NDArray[np.bool_]


def settled(
    scenes: Sequence[Scene], layout: Layout, at_pixels: Callable[[NDArray[np.bool_]], Pixels], *, follows_all: bool
) -> list[Scene]:
    """Return scenes as they are known at the end of a pass: without those that begin where a thing came or left.

    Parameters
    ----------
    scenes : sequence of Scene
        In their order; where only a part has changed, the plate of the later one was made of the frames of both.
    layout : Layout
        Of their plates.
    at_pixels : callable
        Gives the pixels (H, W) of cells (h, w).
    follows_all : bool
        All that has changed at once belongs to the scene.
    """
    scenes = list(scenes)
    belongs = [follows_all or _has_one_outline(scene) for scene in scenes]
    for index in range(1, len(scenes) - 1):
        if _changes_twice(scenes[index - 1 : index + 2], layout):
            belongs[index] = belongs[index + 1] = True
    kept: list[Scene] = []
    for index, scene in enumerate(scenes):
        if scene.change is None or belongs[index]:
            kept.append(scene)
            continue
        joined, (before, after) = scene, scene.change.edges
        if before < after:  # It has come, and in what follows it stands before the scene.
            part = at_pixels(scene.change.box)
            joined = _pieced(part, _as_of(kept[-1], scene.n_frames), scene, layout)
            for later in range(index + 1, len(scenes)):
                if not _is_elsewhere(scenes[later], scene):
                    break
                scenes[later] = _pieced(~part, scenes[later], joined, layout)
        kept[-1] = joined._replace(first=kept[-1].first, change=kept[-1].change)
    for index in reversed(range(len(kept) - 1)):
        change = kept[index + 1].change
        if change is not None:
            kept[index] = _pieced(at_pixels(change.box), kept[index], kept[index + 1], layout)
    return kept


def _has_one_outline(scene: Scene) -> bool:
    """Tell whether what has changed has much the same outline as before."""
    return scene.change is not None and min(scene.change.edges) > MAJORITY * max(scene.change.edges)


def _changes_twice(scenes: Sequence[Scene], layout: Layout) -> bool:
    """Tell whether one part looks different in each of three scenes that follow each other."""
    one, another = (scene.change for scene in scenes[1:])
    if one is None or another is None:
        return False
    if np.count_nonzero(one.box & another.box) <= MAJORITY * np.count_nonzero(one.box | another.box):
        return False
    at = one.cells | another.cells
    looks = [
        cv2.resize(layout.plane(scene.plate, layout.luma_index), at.shape[::-1], interpolation=cv2.INTER_AREA)[at]
        for scene in scenes
    ]
    pairs = ((0, 1), (1, 2), (0, 2))
    return all(np.mean(cv2.absdiff(looks[i], looks[j]) > layout.contrast * LIKENESS) >= RESIDUE for i, j in pairs)


def _is_elsewhere(scene: Scene, than: Scene) -> bool:
    """Tell whether a scene begins where a part changes that has nothing to do with that of another."""
    if scene.change is None or than.change is None:
        return False
    return not bool((scene.change.box & than.change.box).any())


def _as_of(scene: Scene, n_frames: int) -> Scene:
    """Return a scene as it is known of so many frames, in the rest of which a part of it was hidden."""
    sure = None if scene.sure is None else scene.sure & (scene.n_frames > MAJORITY * n_frames)
    return scene._replace(sure=sure, n_frames=n_frames)


def _pieced(part: Pixels, inside: Scene, outside: Scene, layout: Layout) -> Scene:
    """Return one scene with what is known of a part (H, W) and of the rest in another; all else is of ``inside``."""
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
