"""Strokes on frames in other planes of the same input: some methods take films as they are decoded, others in RGB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.colour import rgb_to_ycc
from core.frames.frame import Layout, Planes
from core.frames.planar import PlanarPicture
from core.scene.masks.painted_schema import load_strokes
from core.scene.masks.strokes import Stroke


def load_recoloured(
    state: Mapping[str, NDArray[np.generic]], layout: Layout, decoded: Layout | None
) -> tuple[Stroke, ...]:
    """Return strokes that a state has in other planes than ``layout``; none of another size, or of grey frames.

    Parameters
    ----------
    state : mapping
        As `core.scene.masks.painted_schema.state_of` gave it.
    layout : Layout
        Of the frames now.
    decoded : Layout or None
        Of the same frames as the input gives them.
    """
    for other in (decoded, layout.expanded()):
        if other is not None and can_recolour(other, layout) and (strokes := load_strokes(state, other)):
            return tuple(recoloured(stroke, other, layout) for stroke in strokes)
    return ()


def can_recolour(of: Layout, to: Layout) -> bool:
    """Tell whether frames of one layout can be those of another in other planes."""
    is_same_size = (of.height, of.width, of.bit_depth) == (to.height, to.width, to.bit_depth)
    return is_same_size and {of.planes, to.planes} == {Planes.RGB, Planes.YCC420}


def recoloured(stroke: Stroke, of: Layout, to: Layout) -> Stroke:
    """Return a stroke on frames of a layout as one on the same frames in other planes (`can_recolour`).

    Luma of all of a frame cannot be told from its green, nor green from luma: the look does not follow the light.
    """
    height, width = stroke.where.shape
    inside = replace(of, height=height, width=width)
    picture = PlanarPicture(np.concatenate([plane.ravel() for plane in stroke.look]), inside)
    if to.planes is Planes.RGB:
        shown = picture.expanded()
        look = tuple(shown.layout.plane(shown.samples, index) for index in range(3))
    else:
        look = rgb_to_ycc(picture.image, to.bit_depth, to.full_range, to.matrix)
    return replace(stroke, look=look, light=np.zeros_like(stroke.light))
