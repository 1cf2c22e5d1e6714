"""Vectors as OpenCV's methods see images, and back."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Planes, Values

Mask = NDArray[np.uint8]


def picture(samples: Values, layout: Layout) -> NDArray[np.uint8]:
    """Return samples (F,) as OpenCV's methods see images: 8 bits, (H, W) or (H, W, 3), half-size planes enlarged."""
    if layout.bit_depth > 8:
        samples = (samples >> (layout.bit_depth - 8)).astype(np.uint8)
    planes = [layout.plane(samples, i) for i in range(len(layout.shapes))]
    if layout.planes is Planes.GREY:
        return np.asarray(planes[0], np.uint8)
    size = (layout.width, layout.height)
    whole = [p if p.shape[::-1] == size else cv2.resize(p, size, interpolation=cv2.INTER_NEAREST) for p in planes]
    return np.asarray(cv2.merge(whole[::-1]), np.uint8)


def vector_of(image: NDArray[np.uint8], layout: Layout) -> NDArray[np.float32]:
    """Return what `picture` made of a vector as a vector again (F,), units of white."""
    planes = [image] if image.ndim == 2 else cv2.split(image)[::-1]
    out = np.empty(layout.n_values, np.float32)
    for i, (plane, (height, width)) in enumerate(zip(planes, layout.shapes, strict=True)):
        fits = plane.shape == (height, width)
        layout.plane(out, i)[...] = plane if fits else cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA)
    out *= np.float32(1 / 255)
    return out


def marked(found: NDArray[np.bool_]) -> Mask:
    """Return 255 where something was found (H, W), else 0."""
    return found.view(np.uint8) * np.uint8(255)
