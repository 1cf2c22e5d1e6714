"""What walls, floors and hedges are made of."""

import numpy as np

from core.training.textures import Plane, fractal_noise, random_colour, smooth_field, tinted


def surface(
    rng: np.random.Generator, shape: tuple[int, int], saturation: float = 0.6, level: tuple[float, float] = (40, 220)
) -> Plane:
    """Draw a surface of one colour: from plain paint to coarse stone."""
    texture = fractal_noise(rng, shape, rng.uniform(0.5, 1.6), (rng.uniform(0.3, 1), rng.uniform(0.3, 1)))
    return tinted(texture, random_colour(rng, saturation, level), rng.choice([0.7, 2, 5, 12]) * rng.uniform(0.6, 1.4))


def bricks(rng: np.random.Generator, shape: tuple[int, int]) -> Plane:
    """Draw bricks, blocks or planks of some size, each of its own tone."""
    rows, columns = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    high = rng.uniform(4, 24)
    wide = high * rng.uniform(1, 3)
    row = np.floor(rows / high).astype(int)
    shifted = columns + (row % 2) * wide * rng.choice([0.0, 0.5])
    column = np.floor(shifted / wide).astype(int)
    tones = rng.standard_normal((row.max() + 1, column.max() + 1), dtype=np.float32)[row, column]
    mortar = (rows % high < max(1, high * 0.1)) | (shifted % wide < max(1, high * 0.1))
    face = tinted(fractal_noise(rng, shape, 0.8) * 0.5 + tones, random_colour(rng), rng.uniform(1, 14))
    return np.where(mortar[..., None], random_colour(rng, 0.2) * 0.4 + face * 0.6, face).astype(np.float32)


def floor_in_perspective(rng: np.random.Generator, shape: tuple[int, int], horizon: float) -> Plane:
    """Draw a floor in perspective: plain, tiled or planked, with gloss."""
    height, width = shape
    ground = surface(rng, shape, 0.4)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    depth = 1 / np.maximum(rows - horizon + 4, 1)
    across = (columns - rng.uniform(0.2, 0.8) * width) * depth
    if rng.random() < 0.55:
        size = rng.uniform(0.08, 0.6)
        along = depth * height * rng.uniform(0.3, 1.0)
        u, v = across / size, along / size
        checks = ((np.floor(u) + np.floor(v)) % 2) * rng.choice([0, 4, 15, 40])
        joints = ((u % 1 < 0.06) | (v % 1 < 0.06)) * rng.choice([0, 6, 20])
        near = np.clip((rows - horizon) / (0.15 * height), 0, 1)
        ground -= ((checks + joints) * near)[..., None].astype(np.float32)
    if rng.random() < 0.4:
        ground += (smooth_field(rng, shape, width / 3) * rng.uniform(5, 25))[..., None]
    return ground


def foliage(rng: np.random.Generator, shape: tuple[int, int]) -> Plane:
    """Draw leaves: clumps, twigs and gaps at several scales."""
    fine, clumps = fractal_noise(rng, shape, rng.uniform(0.4, 1)), fractal_noise(rng, shape, rng.uniform(1, 1.8))
    shade = np.tanh(fine * 0.8 + clumps * 0.9)
    green = np.array([rng.uniform(30, 100), rng.uniform(50, 120), rng.uniform(15, 70)], np.float32)
    leaves = tinted(shade, green, rng.uniform(8, 45))
    gaps = np.clip((fine + clumps * 1.2 - rng.uniform(1.2, 3)) * 2, 0, 1)[..., None]
    return np.asarray(leaves + gaps * (random_colour(rng, 0.4, (150, 240)) - leaves), np.float32)
