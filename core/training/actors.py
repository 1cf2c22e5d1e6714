"""What moves before the background: figures with clothes, drawn in their boxes, and particles."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from core.training.figures import DARK, LIGHT, N_MATERIALS, SKIN, Figure, Pose
from core.training.paths import Path
from core.training.textures import Plane, fractal_noise, mix, random_colour

SUBPIXEL_BITS = 4
"""OpenCV's drawing takes corners in sixteenths of a pixel."""


DIMMED_CLOTHES = 0.4
"""Share of the actors that resemble the background of which clothes are the background, dimmed, as a shadow is: a light
shirt before a white wall. Without any, such shirts were taken for shadows."""

SEEN = np.float32(1e-3)
"""Least cover for which a smeared colour is worth a division."""


@dataclass(frozen=True)
class Sprite:
    """A piece of a frame: where it lies (left, top), its colours (h, w, 3) and how much it covers (h, w), 0 to 1."""

    left: int
    top: int
    colour: Plane
    alpha: Plane

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of the frame."""
        height, width = self.alpha.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)


class Actor(Protocol):
    """Whatever is labelled foreground."""

    def sprite(self, t: int, scene: Plane) -> Sprite | None:
        """Return the actor at frame t before a scene (H, W, 3), None where it is not in the picture."""

    def feet(self, t: int) -> tuple[float, float, float]:
        """Return where its feet are, (x, y), and how tall it is, in pixels."""


@dataclass(frozen=True)
class Look:
    """How a figure is coloured.

    Attributes
    ----------
    palette : (N_MATERIALS, 3) uint8
    alike : (N_MATERIALS,) uint8
        255 where the material takes its colours from the background.
    factor : float
        What such a material makes of the background's light.
    offset : (3,) float32
        What it differs by from that, in grey levels.
    patch : (h, w, 3) float32 or None
        Background that it carries along; None: it takes what is behind it.
    texture : (h, w) float32
        Stripes, folds and shading, added to every material, in grey levels.
    motion_blur : float
        Share of the time between frames for which the shutter is open.
    """

    palette: NDArray[np.uint8]
    alike: NDArray[np.uint8]
    factor: float
    offset: Plane
    patch: Plane | None
    texture: Plane
    motion_blur: float


def draw_look(
    rng: np.random.Generator, box: tuple[int, int], scene: Plane, near: tuple[float, float], camouflage: bool
) -> Look:
    """Draw the colours of a figure whose box is at most (h, w) pixels and whose way passes `near` (x, y)."""
    height, width = box
    palette = np.stack([random_colour(rng, 2) for _ in range(N_MATERIALS)])
    skin = rng.choice([235, 205, 160, 110, 70]) * rng.uniform(0.85, 1.05)
    palette[SKIN] = np.array([1, 0.8, 0.68]) * skin
    palette[DARK] = random_colour(rng, 0.3, (10, 70))
    palette[LIGHT] = random_colour(rng, 0.5, (150, 250))
    palette *= rng.uniform(0.7, 1.1)
    palette[0] = palette[1:5].mean(0)
    columns = np.arange(width, dtype=np.float32)[None] / max(width, 1) - 0.5
    rows = np.arange(height, dtype=np.float32)[:, None]
    texture = -np.abs(columns + rng.normal(0, 0.1)) * rng.uniform(0, 60) + columns * rng.normal(0, 25)
    texture = texture + fractal_noise(rng, box, rng.uniform(0.5, 1.6), (rng.uniform(0.2, 1), 1)) * rng.uniform(1, 12)
    if rng.random() < 0.25:
        pitch = max(2.5, height * rng.uniform(0.02, 0.08))
        stripes = np.sign(np.sin((rows if rng.random() < 0.6 else columns * width) * (2 * np.pi / pitch)))
        texture = texture + stripes * rng.uniform(3, 35)
    alike = np.zeros(N_MATERIALS, np.uint8)
    patch = None
    factor, offset = 1.0, np.zeros(3, np.float32)
    if camouflage:
        alike[rng.random(N_MATERIALS) < 0.6] = 255
        alike[0] = 0
        if rng.random() < DIMMED_CLOTHES:
            factor, offset = rng.uniform(0.55, 0.93), rng.normal(0, 1.5, 3).astype(np.float32)
        else:
            offset = (rng.choice([-1, 1]) * rng.uniform(3, 12) + rng.normal(0, 1.5, 3)).astype(np.float32)
        texture *= rng.uniform(0.05, 0.35)
        if rng.random() < 0.75:
            y0 = int(np.clip(near[1] - height + rng.normal(0, 5), 0, max(0, scene.shape[0] - height)))
            x0 = int(np.clip(near[0] - width / 2 + rng.normal(0, 9), 0, max(0, scene.shape[1] - width)))
            found = scene[y0 : y0 + height, x0 : x0 + width]
            patch = cv2.GaussianBlur(found, (0, 0), rng.choice([0.5, 3, 12])).astype(np.float32)
    blur = rng.choice([0.0, 0.3, 0.9])
    colours = np.clip(palette, 2, 252).astype(np.uint8)
    return Look(colours, alike, factor, offset, patch, texture.astype(np.float32), blur)


@dataclass(frozen=True)
class DrawnFigure:
    """A figure on its path."""

    figure: Figure
    path: Path
    look: Look

    def feet(self, t: int) -> tuple[float, float, float]:
        """Return (x, y) of the feet and the height, in pixels."""
        return float(self.path.x[t]), float(self.path.y[t]), float(self.path.height[t])

    def sprite(self, t: int, scene: Plane) -> Sprite | None:
        """Draw the figure at several times its size, then reduce it."""
        if self.path.present[t] < 0.5:
            return None
        x, y, tall = self.feet(t)
        half = self.figure.half_width * tall
        reach = abs(x - float(self.path.x[max(t - 1, 0)])) * self.look.motion_blur
        left, right = max(0, int(x - half - reach)), min(scene.shape[1], int(x + half + reach) + 2)
        top, bottom = max(0, int(y - tall * 1.06)), min(scene.shape[0], int(y + tall * 0.05) + 2)
        if right - left < 1 or bottom - top < 1:
            return None
        parts = self._rasterise(t, (left, top, right, bottom))
        box = (right - left, bottom - top)
        inside = cv2.resize((parts > 0).view(np.uint8) * np.uint8(255), box, interpolation=cv2.INTER_AREA)
        colour = np.asarray(cv2.resize(self.look.palette[parts], box, interpolation=cv2.INTER_AREA), np.float32)
        rows = np.arange(top, bottom) - round(y - tall)
        columns = np.arange(left, right) - round(x) + self.look.texture.shape[1] // 2
        if self.look.alike.any():
            alike = cv2.resize(self.look.alike[parts], box, interpolation=cv2.INTER_AREA)
            behind = scene[top:bottom, left:right]
            if self.look.patch is not None:
                behind = _part(self.look.patch, rows, columns)
            mix(
                colour,
                behind * np.float32(self.look.factor) + self.look.offset,
                np.asarray(alike, np.float32) / np.float32(255),
            )
        colour += cv2.merge([_part(self.look.texture, rows, columns)] * 3)
        alpha = np.asarray(inside, np.float32) / np.float32(255)
        if reach > 1:
            kernel = (int(reach) + 1, 1)
            weighted = cv2.blur(colour * cv2.merge([alpha] * 3), kernel)
            alpha = np.asarray(cv2.blur(alpha, kernel), np.float32)
            colour = np.asarray(weighted / cv2.merge([np.maximum(alpha, SEEN)] * 3), np.float32)
        return Sprite(left, top, colour, alpha)

    def _rasterise(self, t: int, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        """Draw the index of the material of each sub-pixel of a box (left, top, right, bottom)."""
        left, top, right, bottom = box
        x, y, tall = self.feet(t)
        fine = int(np.clip(200 / max(tall, 1), 2, 5))
        parts = np.zeros(((bottom - top) * fine, (right - left) * fine), np.uint8)
        path = self.path
        pose = Pose(*(float(values[t]) for values in (path.phase, path.stride, path.lean, path.arm, path.facing)))
        scale = np.array([tall, -tall]) * fine * 2**SUBPIXEL_BITS
        origin = np.array([x - left, y - top]) * fine * 2**SUBPIXEL_BITS
        for shape in self.figure.shapes(pose):
            corners = np.round(shape.points * scale + origin).astype(np.int32)
            if shape.width:
                thick = max(1, round(shape.width * tall * fine))
                cv2.polylines(parts, [corners], False, shape.material, thick, cv2.LINE_8, SUBPIXEL_BITS)
            else:
                cv2.fillPoly(parts, [corners], shape.material, cv2.LINE_8, SUBPIXEL_BITS)
        return parts


def _part(tile: Plane, rows: NDArray[np.int_], columns: NDArray[np.int_]) -> Plane:
    """Return rows and columns of a tile, its edges repeated."""
    height, width = tile.shape[:2]
    return np.asarray(tile[np.clip(rows, 0, height - 1)][:, np.clip(columns, 0, width - 1)], np.float32)


@dataclass(frozen=True)
class Particle:
    """A round spot that drifts: a fluorescent particle, a cell.

    Attributes
    ----------
    x, y : (T,) float32
    radius : float
        Half its diameter at half its brightness, pixels.
    softness : float
        0 a disc with a sharp edge, 1 a Gaussian spot.
    colour : (3,) float32
    """

    x: Plane
    y: Plane
    radius: float
    softness: float
    colour: Plane

    def feet(self, t: int) -> tuple[float, float, float]:
        """Return the lowest point and the diameter."""
        return float(self.x[t]), float(self.y[t]) + self.radius, 2 * self.radius

    def sprite(self, t: int, scene: Plane) -> Sprite | None:
        """Draw a profile that falls to a half at the radius."""
        x, y, reach = float(self.x[t]), float(self.y[t]), self.radius * 1.8 + 2
        left, right = max(0, int(x - reach)), min(scene.shape[1], int(x + reach) + 2)
        top, bottom = max(0, int(y - reach)), min(scene.shape[0], int(y + reach) + 2)
        if right - left < 1 or bottom - top < 1:
            return None
        distance = np.hypot(np.arange(top, bottom)[:, None] - y, np.arange(left, right)[None] - x)
        edge = 0.25 + self.softness * self.radius * 0.15
        alpha = np.minimum(1.3 / (1 + np.exp(np.clip((distance - self.radius) / edge, -30, 30))), 1)
        colour = np.broadcast_to(self.colour, (*alpha.shape, 3))
        return Sprite(left, top, np.asarray(colour, np.float32), np.asarray(alpha, np.float32))
