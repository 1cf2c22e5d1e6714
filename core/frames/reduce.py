"""Less than a whole picture: a smaller one, or a single pixel, at a part of the cost."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from core.frames.frame import Layout, Values

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
        planes = [_halved(layout.plane(values, i), shape) for i, shape in enumerate(smaller.shapes)]
        values, layout = np.concatenate([plane.ravel() for plane in planes]), smaller
    return values, layout


def pixel(values: Values, layout: Layout, x: int, y: int) -> Values:
    """Return the pixel (x, y) of ``layout.image(values)``, () grey or (3,) RGB, without the rest of that picture."""
    left, top = (max(0, at // 2 * 2 - _REACH) for at in (x, y))
    right, bottom = min(layout.width, left + 2 * _REACH + 2), min(layout.height, top + 2 * _REACH + 2)
    around = replace(layout, height=bottom - top, width=right - left)
    pieces = [layout.part(values, i, (top, bottom, left, right)).ravel() for i in range(len(layout.shapes))]
    return np.asarray(around.image(np.concatenate(pieces))[y - top, x - left])


def shrunk(plane: Values, shape: tuple[int, int]) -> Values:
    """Return a plane at a smaller size (h, w), averaged over areas."""
    return np.asarray(cv2.resize(plane, shape[::-1], interpolation=cv2.INTER_AREA), plane.dtype)


def _halved(plane: Values, shape: tuple[int, int]) -> Values:
    return shrunk(plane[: 2 * shape[0], : 2 * shape[1]], shape)
