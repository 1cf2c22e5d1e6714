"""Still pictures to paste on: plates of real clips, made to look like other places, and drawn textures."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Size = tuple[int, int]
"""Height and width, pixels."""

LEAST_SIDE = 0.4
"""Of a plate that is shown."""


def plate_backdrop(rng: np.random.Generator, plate: NDArray[np.uint8], size: Size) -> NDArray[np.uint8]:
    """Return a part of a plate, flipped, stretched to ``size``, in other colours, at times out of focus.

    Parameters
    ----------
    rng : Generator
    plate : (h, w, 3) uint8
    size : (H, W)
    """
    part = [max(8, round(side * rng.uniform(LEAST_SIDE, 1))) for side in plate.shape[:2]]
    top, left = (int(rng.integers(0, whole - side + 1)) for whole, side in zip(plate.shape[:2], part, strict=True))
    shown = plate[top : top + part[0], left : left + part[1]]
    if rng.random() < 0.5:
        shown = shown[:, ::-1]
    smaller = part[0] > size[0] and part[1] > size[1]
    way = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    picture = np.asarray(cv2.resize(shown, size[::-1], interpolation=way), np.uint8)
    if rng.random() < 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 2)), np.uint8)
    return recoloured(picture, random_tables(rng, 0.35))


def texture_backdrop(rng: np.random.Generator, size: Size) -> NDArray[np.uint8]:
    """Return clouds of noise at all scales between a few colours, with a few straight edges: (H, W, 3) uint8."""
    height, width = size
    rough = rng.uniform(0.4, 0.8)
    field = np.zeros(size, np.float32)
    for octave in range(1, 8):
        cells = min(2**octave, height), min(2**octave, width)
        noise = rng.standard_normal(cells, np.float32)
        field += np.float32(rough**octave) * cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    field = (field - field.min()) / np.ptp(field)
    stops = rng.uniform(20, 235, (int(rng.integers(2, 6)), 3))
    stops = stops.mean(axis=1, keepdims=True) + rng.uniform(0.1, 0.8) * (stops - stops.mean(axis=1, keepdims=True))
    at = np.linspace(0, 1, len(stops))
    picture = np.dstack([np.interp(field, at, stops[:, c]) for c in range(3)])
    for _ in range(rng.integers(0, 6)):
        corner, far = rng.integers(0, [width, height], (2, 2))
        box = np.ix_(range(*sorted((corner[1], far[1]))), range(*sorted((corner[0], far[0]))), range(3))
        picture[box] = 0.4 * picture[box] + 0.6 * rng.uniform(20, 235, 3)
    return as_samples(picture)


def random_tables(rng: np.random.Generator, strength: float) -> NDArray[np.uint8]:
    """Draw a table (256, 3) of what each sample of red, green and blue becomes: gain, gamma and a tint.

    ``strength`` is the spread of their logarithms.
    """
    gamma = np.exp(rng.normal(0, strength))
    gains = np.exp(rng.normal(0, strength / 2) + rng.normal(0, strength / 3, 3))
    tones = (np.arange(256) / 255)[:, None] ** gamma
    return as_samples(255 * tones * gains)


def as_samples(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Return samples of any shape, rounded and clipped to their range."""
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)


def recoloured(picture: NDArray[np.uint8], tables: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an RGB picture with each sample replaced by that of its channel's table (256, 3)."""
    return np.asarray(cv2.LUT(np.ascontiguousarray(picture), tables[None]), np.uint8)
