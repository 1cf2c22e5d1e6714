"""What stands between the camera and the actors."""

import numpy as np

from core.training.backdrops import Backdrop
from core.training.surfaces import foliage, surface
from core.training.textures import Plane, blurred, fractal_noise, mix


def draw_occluder(rng: np.random.Generator, scene: Backdrop) -> Plane:
    """Draw something into the picture that actors pass behind; returns how much it covers, (H, W) float32, 0 to 1."""
    height, width = scene.picture.shape[:2]
    shape = (height, width)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    kind = rng.choice(["post", "bars", "bush", "counter", "twigs"])
    material = foliage(rng, shape) if kind in {"bush", "twigs"} else surface(rng, shape)
    if kind == "post":
        cover = np.abs(columns - rng.uniform(0.1, 0.9) * width) < rng.uniform(0.005, 0.06) * width
    elif kind == "bars":
        pitch = rng.uniform(0.03, 0.2) * width
        cover = ((columns % pitch) < max(1.5, 0.15 * pitch)) & (rows > rng.uniform(0.2, 0.7) * height)
    elif kind == "counter":
        cover = (rows > rng.uniform(0.6, 0.85) * height) & (columns > rng.uniform(-0.5, 0.6) * width)
        cover &= columns < rng.uniform(0.5, 1.5) * width
    elif kind == "bush":
        edge = rng.uniform(0.6, 0.9) * height + fractal_noise(rng, (1, width), 1.2) * rng.uniform(2, 12)
        cover = rows > edge
    else:
        cover = fractal_noise(rng, shape, rng.uniform(0.9, 1.5)) > rng.uniform(1.2, 2)
    mask = blurred(cover.astype(np.float32), 0.6)
    mix(scene.picture, material, mask)
    return mask
