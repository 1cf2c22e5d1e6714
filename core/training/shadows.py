"""What actors do to the ground: cast shadows, dark contact and weak reflections."""

from dataclasses import dataclass

import cv2
import numpy as np

from core.training.actors import Sprite
from core.training.textures import Plane, dim, mix

CLOSE = 0.4
"""Share of the scenes in which actors take light from all that is close to them, walls and ground, as they do where
light comes from all sides: without any, such soft shadows around people and cars were taken for foreground."""


@dataclass(frozen=True)
class Lamp:
    """A light that makes actors cast shadows.

    Attributes
    ----------
    shear, squash : float
        Where the head's shadow falls, in heights: to the side, and up the picture (negative: towards the camera).
    factor : (3,) float32
        What the light in the shadow is multiplied by.
    penumbra : float
        Standard deviation of its edge, as a share of the actor's height.
    """

    shear: float
    squash: float
    factor: Plane
    penumbra: float


@dataclass(frozen=True)
class Ambience:
    """The lamps of a scene, the darkening under feet (0 to 1) and the floor's reflectance (0 to 1)."""

    lamps: tuple[Lamp, ...]
    contact: float
    reflectance: float


def draw_ambience(rng: np.random.Generator, outdoors: bool) -> Ambience:
    """Draw the light of a scene: sun, ceiling lamps or none, and light from all sides."""
    lamps = []
    if rng.random() < (0.75 if outdoors else 0.65):
        for _ in range(1 if outdoors else rng.integers(1, 4)):
            blue = np.array([-1, 0, 1.2]) * rng.choice([0, 0.02, 0.05])
            factor = (rng.uniform(0.25 if outdoors else 0.45, 0.9) + blue).astype(np.float32)
            squash = rng.uniform(0.05, 0.6) * rng.choice([1, 1, -0.7])
            lamps.append(Lamp(rng.normal(0, 1.2), squash, factor, rng.choice([0.004, 0.02, 0.06])))
    contact = rng.choice([0.0, 0.15, 0.35, 0.6])
    reflectance = rng.choice([0, 0.08, 0.2], p=[0.75, 0.15, 0.1])
    if rng.random() < CLOSE:
        lamps.append(Lamp(0.0, 1.0, np.full(3, rng.uniform(0.55, 0.95), np.float32), rng.uniform(0.08, 0.4)))
    return Ambience(tuple(lamps), float(contact), float(reflectance))


def cast_shadow(light: Plane, sprite: Sprite, feet: tuple[float, float, float], lamp: Lamp) -> None:
    """Dim `light`, (H, W, 3) float32 in place, where the sprite's silhouette falls on the ground."""
    x, y, tall = feet
    height, width = light.shape[:2]
    corner_x = [x + lamp.shear * tall, x]
    soft = lamp.penumbra * tall
    grow = sprite.alpha.shape[1] / 2 + 3 * soft + 2
    reach = [y - lamp.squash * tall, y + 0.03 * tall]
    left, right = max(0, int(min(corner_x) - grow)), min(width, int(max(corner_x) + grow) + 1)
    top, bottom = max(0, int(min(reach) - 3 * soft - 2)), min(height, int(max(reach) + 3 * soft) + 3)
    if right - left < 2 or bottom - top < 2:
        return
    # A point v above the feet falls on x + shear·v, y − squash·v.
    forward = np.array(
        [
            [1, -lamp.shear, sprite.left - left + lamp.shear * (y - sprite.top)],
            [0, lamp.squash, y - top - lamp.squash * (y - sprite.top)],
        ]
    )
    dark = cv2.warpAffine(sprite.alpha, forward, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
    if soft > 0.5:
        dark = cv2.GaussianBlur(dark, (0, 0), soft)
    dim(light[top:bottom, left:right], np.asarray(dark, np.float32), lamp.factor)


def contact_shadow(light: Plane, feet: tuple[float, float, float], half_width: float, strength: float) -> None:
    """Dim `light`, (H, W, 3) float32 in place, in a soft ellipse under the feet."""
    x, y, tall = feet
    rx, ry = max(half_width, 1.5), max(0.06 * tall, 1.0)
    height, width = light.shape[:2]
    left, right = max(0, int(x - 2 * rx)), min(width, int(x + 2 * rx) + 1)
    top, bottom = max(0, int(y - 2 * ry)), min(height, int(y + 2 * ry) + 1)
    if right <= left or bottom <= top:
        return
    rows, columns = np.arange(top, bottom)[:, None], np.arange(left, right)[None]
    fall = np.exp(-(((columns - x) / rx) ** 2) - ((rows - y) / ry) ** 2)
    dim(light[top:bottom, left:right], fall.astype(np.float32), [1 - strength] * 3)


def reflect(picture: Plane, sprite: Sprite, foot_row: float, reflectance: float) -> tuple[slice, slice, Plane] | None:
    """Mix the sprite upside down into the floor, in place; returns where and how much (h, w), None outside."""
    start = round(foot_row)
    flipped = sprite.alpha[::-1]
    skip = max(0, sprite.top + len(flipped) - start)
    flipped, colour = flipped[skip:], sprite.colour[::-1][skip:]
    room = min(len(flipped), picture.shape[0] - start)
    if room < 2 or start < 0:
        return None
    fade = np.linspace(1, 0.2, len(flipped), dtype=np.float32)[:room, None]
    alpha = np.asarray(cv2.blur(flipped[:room], (3, 5)) * fade * np.float32(reflectance), np.float32)
    rows, columns = slice(start, start + room), sprite.slices[1]
    mix(picture[rows, columns], colour[:room], alpha)
    return rows, columns, alpha
