"""Small pictures of the basis, made on the worker's thread."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import cv2
import numpy as np

from core.frames.frame import Planes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.frames.frame import Layout

    Floats = NDArray[np.floating]

WIDTH = 320
"""Pixels across a thumbnail at most: sharp at 150 points on a high-density screen."""

SAMPLE = 20_000
"""Values of a vector that are looked at where only a mean is needed."""


def basis_pictures(W: Floats, layout: Layout, enlarged: Collection[int] = ()) -> list[NDArray[np.uint8]]:
    """Return each basis image as a picture, (h, w) grey or (h, w, 3) RGB, stretched to its own brightest parts.

    Only luma is shown of Y, Cb and Cr, in grey, as in the file (`core.export.pictures.basis_pictures`): the chroma of
    a part of a frame has no neutral point of its own.

    Parameters
    ----------
    W : (F, K) float
    layout : Layout
        Of a column.
    enlarged
        Numbers of those that are made as large as the frames. The others are at most `WIDTH` wide; their columns are
        thinned to twice this before they are averaged, so their cost does not grow with the size of the frames.
    """
    widths = [layout.width if k in enlarged else WIDTH for k in range(W.shape[1])]
    return [_picture(W[:, k], layout, width) for k, width in enumerate(widths)]


def shares(W: Floats, h: Floats) -> list[float]:
    """Return the part of the frame's light that each basis image gives: nonnegative, sums to 1."""
    light = np.abs(h) * brightness(W)
    total = float(light.sum())
    return [float(x) / total if total > 0 else 0.0 for x in light]


def brightness(W: Floats) -> NDArray[np.float64]:
    """Return what each basis image gives a frame at a coefficient of 1 (K,), all by the same scale."""
    step = max(1, W.shape[0] // SAMPLE)
    return np.asarray(np.abs(W[::step]).sum(0, dtype=np.float64))


def _picture(column: Floats, layout: Layout, width: int) -> NDArray[np.uint8]:
    size = _fit(layout, width)
    if layout.planes is Planes.RGB:
        return _stretched(np.dstack([_shrink(layout.plane(column, i), size) for i in range(3)]))
    return _stretched(_shrink(layout.plane(column, 0), size))


def _stretched(values: Floats) -> NDArray[np.uint8]:
    top = max(float(np.percentile(values, 99.5)), 1e-12)
    stretched: NDArray[np.uint8] = np.clip(values * (255 / top), 0, 255).astype(np.uint8)
    return stretched


def _fit(layout: Layout, width: int) -> tuple[int, int]:
    scale = min(1.0, width / layout.width)
    return max(1, round(layout.width * scale)), max(1, round(layout.height * scale))


def _shrink(plane: Floats, size: tuple[int, int]) -> NDArray[np.float32]:
    step = max(1, plane.shape[1] // (2 * size[0]))
    thin = np.ascontiguousarray(plane[::step, ::step], dtype=np.float32)
    return np.asarray(cv2.resize(thin, size, interpolation=cv2.INTER_AREA), np.float32)
