"""Less than a whole picture: a smaller one, or a single pixel, at a part of the cost."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from core.frames.frame import Layout, Planes, Values

_REACH = 4
"""How far the colour of a pixel depends on its neighbours, pixels, rounded up to whole chroma samples."""


def halved(values: Values, layout: Layout, times: int) -> tuple[Values, Layout]:
    """Return a vector of samples and its layout at ``1/2**times`` of the size, each plane averaged over areas.

    Parameters
    ----------
    values : (F,) uint8 or uint16
    layout : Layout
        Of ``values``.
    times : int
        How often the size is halved; 0 returns what was given. An odd last row or column is left out.
    """
    for _ in range(times):
        if min(layout.height, layout.width) < 2:
            break
        smaller = replace(layout, height=layout.height // 2, width=layout.width // 2)
        planes = [_shrunk(layout.plane(values, i), shape) for i, shape in enumerate(smaller.shapes)]
        values, layout = np.concatenate([plane.ravel() for plane in planes]), smaller
    return values, layout


def pixel(values: Values, layout: Layout, x: int, y: int) -> Values:
    """Return the pixel (x, y) of ``layout.image(values)``, () grey or (3,) RGB, without the rest of that picture."""
    left, top = (max(0, at // 2 * 2 - _REACH) for at in (x, y))
    right, bottom = min(layout.width, left + 2 * _REACH + 2), min(layout.height, top + 2 * _REACH + 2)
    around = replace(layout, height=bottom - top, width=right - left)
    pieces = []
    for i, shape in enumerate(around.shapes):
        half = 2 if layout.planes is Planes.YCC420 and i else 1
        at_y, at_x = top // half, left // half
        pieces.append(layout.plane(values, i)[at_y : at_y + shape[0], at_x : at_x + shape[1]].ravel())
    return np.asarray(around.image(np.concatenate(pieces))[y - top, x - left])


def _shrunk(plane: Values, shape: tuple[int, int]) -> Values:
    even = plane[: 2 * shape[0], : 2 * shape[1]]
    return np.asarray(cv2.resize(even, (shape[1], shape[0]), interpolation=cv2.INTER_AREA), plane.dtype)
