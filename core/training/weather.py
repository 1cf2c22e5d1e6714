"""Background that moves: leaves, water, screens, spray, rain and snow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from core.training.backdrops import Backdrop, Rectangle
from core.training.textures import Plane, fractal_noise, mix, random_colour, smooth_field, smooth_series


class Movement(Protocol):
    """Something that changes the background (H, W, 3) float32 in place at frame t."""

    def move(self, picture: Plane, t: int) -> None:
        """Change the picture."""


def _inside(box: Rectangle, shape: tuple[int, int]) -> Rectangle | None:
    left, top, right, bottom = max(0, box[0]), max(0, box[1]), min(shape[1], box[2]), min(shape[0], box[3])
    return (left, top, right, bottom) if right - left > 3 and bottom - top > 3 else None


def _displaced(pictures: Sequence[Plane], by: Iterable[Plane]) -> list[Plane]:
    """Return pictures (h, w[, 3]) displaced by all of some fields (2, h, w) of x and y, pixels."""
    height, width = pictures[0].shape[:2]
    x, y = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)[:, None]
    for across, down in by:
        x, y = x + across, y + down
    moved = (cv2.remap(one, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT) for one in pictures)
    return [np.asarray(one, np.float32) for one in moved]


@dataclass(frozen=True)
class Sway:
    """Texture displaced by smooth fields that swing: leaves in wind, ripples, a flag.

    Attributes
    ----------
    box : Rectangle
    still : (h, w, 3) float32
        What is displaced.
    reach : (2, h, w) float32
        Largest displacement (x, y), pixels; 0 at the edges of the box.
    phase : (h, w) float32
        Radians.
    speed : float
        Radians a frame.
    gust : (T,) float32
        Strength of the wind.
    glint : float
        How much a swing brightens.
    """

    box: Rectangle
    still: Plane
    reach: Plane
    phase: Plane
    speed: float
    gust: Plane
    glint: float

    def move(self, picture: Plane, t: int) -> None:
        """Displace."""
        left, top, right, bottom = self.box
        swing = np.sin(self.phase + np.float32(self.speed * t)) * self.gust[t]
        moved = _displaced([self.still], [self.reach * swing])[0]
        if self.glint:
            moved *= cv2.merge([1 + np.float32(self.glint) * swing] * 3)
        picture[top:bottom, left:right] = moved


def _sway(
    rng: np.random.Generator, scene: Backdrop, box: Rectangle, n_frames: int, reach: float, scale: float, glint: float
) -> Sway | None:
    found = _inside(box, (scene.picture.shape[0], scene.picture.shape[1]))
    if found is None:
        return None
    left, top, right, bottom = found
    shape = (bottom - top, right - left)
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    edge = np.minimum(np.minimum(rows, shape[0] - 1 - rows), np.minimum(columns, shape[1] - 1 - columns))
    fade = np.clip(edge / 8, 0, 1)
    field_x, field_y = smooth_field(rng, shape, scale), smooth_field(rng, shape, scale)
    reaches = np.stack([field_x, field_y * 0.6]).astype(np.float32) * np.float32(reach) * fade.astype(np.float32)
    gust = np.clip(0.6 + 0.5 * smooth_series(rng, n_frames, 40), 0.1, 1.6).astype(np.float32)
    phase = smooth_field(rng, shape, scale * 1.5) * 2
    still = scene.picture[top:bottom, left:right].copy()
    return Sway(found, still, reaches, phase, rng.uniform(0.1, 1.5), gust, glint * float(fade.mean() > 0))


@dataclass(frozen=True)
class Foliage:
    """Branches before the scene, each moved by several modes that come and go: what lies behind shows through.

    Attributes
    ----------
    leaves : (H, W, 3) float32
    cover : (H, W) float32
        How much of a pixel they hide, 0 to 1.
    reach : (M, 2, H, W) float32
        Displacement (x, y) of each mode, pixels.
    strength : (M, T) float32
        Of each mode over time.
    """

    leaves: Plane
    cover: Plane
    reach: Plane
    strength: Plane

    def move(self, picture: Plane, t: int) -> None:
        """Displace the branches, and lay them over the picture."""
        by = (strength * reach for reach, strength in zip(self.reach, self.strength[:, t], strict=True))
        leaves, cover = _displaced([self.leaves, self.cover], by)
        picture += cover[..., None] * (leaves - picture)


MODES = 4
"""Ways in which branches move: enough that no two moments are alike."""


CANOPIES = 0.4
"""Share of foliage before a bright sky or wall: of all that sways, it differs most from what it uncovers."""


def _foliage(rng: np.random.Generator, picture: Plane, n_frames: int) -> Foliage:
    """Draw branches with leaves of some size, light and contrast, over a part of the picture; may brighten it there."""
    shape = (picture.shape[0], picture.shape[1])
    is_canopy = rng.random() < CANOPIES
    size = rng.uniform(1.2, 10 if is_canopy else 6)
    light = rng.uniform(40, 190)
    spots = smooth_field(rng, shape, size) * rng.uniform(10, 45)
    spots += smooth_field(rng, shape, 4 * size) * rng.uniform(5, 30)
    tint = np.clip(1 + rng.normal(0, 0.25 if is_canopy else 0.15, 3), 0.3, 2).astype(np.float32)
    glints = np.clip(smooth_field(rng, shape, 0.8 * size) - rng.uniform(0.8, 1.8), 0, 1) * rng.uniform(0, 120)
    if is_canopy:
        light = rng.uniform(15, 110)
    leaves = np.clip((light + spots + glints)[..., None] * tint, 2, 300).astype(np.float32)
    where = smooth_field(rng, shape, rng.uniform(0.1, 0.5) * shape[0]) + rng.uniform(-0.8, 1.2)
    rows = np.linspace(1.5, -1.5, shape[0], dtype=np.float32)[:, None]
    where = where + rows * rng.choice([0.0, 1.0])  # Mostly they hang in from above.
    if is_canopy:
        behind = np.clip(2 * where + rng.uniform(0, 2), 0, 1)[..., None] * np.float32(rng.uniform(0.6, 1))
        picture += behind * (random_colour(rng, 0.2, (170, 250)) - picture)
    gaps = smooth_field(rng, shape, rng.uniform(1, 3) * size) + rng.uniform(-0.3, 2)
    cover = np.clip(4 * np.minimum(where, gaps), 0, 1).astype(np.float32)
    scales = rng.uniform(6, 0.3 * shape[0], MODES)
    largest = np.minimum(rng.choice([0.5, 1.0, 2.0, 4.0]), scales / 4)  # Leaves are displaced, not folded.
    reach = np.stack(
        [
            np.stack([most * smooth_field(rng, shape, scale), 0.7 * most * smooth_field(rng, shape, scale)])
            for scale, most in zip(scales, largest, strict=True)
        ]
    ).astype(np.float32)
    strength = np.stack([smooth_series(rng, n_frames, rng.uniform(2, 12)) for _ in range(MODES)])
    return Foliage(leaves, cover, reach, strength.astype(np.float32))


@dataclass(frozen=True)
class Screen:
    """A screen or a lamp whose picture changes now and then: level (T, 3) mixed with the background."""

    box: Rectangle
    level: Plane

    def move(self, picture: Plane, t: int) -> None:
        """Light up."""
        left, top, right, bottom = self.box
        part = picture[top:bottom, left:right]
        part += 0.6 * (self.level[t] - part)


@dataclass(frozen=True)
class Treadmill:
    """A texture that runs through a box in a direction: an escalator, a conveyor, traffic behind a hedge."""

    box: Rectangle
    texture: Plane
    step: float

    def move(self, picture: Plane, t: int) -> None:
        """Shift by a part of the pattern."""
        left, top, right, bottom = self.box
        start = int(t * self.step) % (len(self.texture) - (bottom - top))
        picture[top:bottom, left:right] += self.texture[start : start + bottom - top, :, None]


@dataclass(frozen=True)
class Drops:
    """Many small things that fly: rain, snow or the spray of a fountain.

    Attributes
    ----------
    start, velocity : (N, 2) float32
        (x, y) in pixels at a drop's first frame, and per frame.
    gravity : float
        Pixels per frame per frame.
    life : (N,) float32
        Frames after which a drop starts anew.
    thick : int
    colour : (3,) float32
    opacity : float
    """

    start: Plane
    velocity: Plane
    gravity: float
    life: Plane
    thick: int
    colour: Plane
    opacity: float

    def move(self, picture: Plane, t: int) -> None:
        """Draw each drop as the line that it flew in this frame."""
        age = (t + self.life * 0.37 * np.arange(len(self.life))) % self.life
        cover = np.zeros(picture.shape[:2], np.uint8)
        ends = []
        for moment in (age, age + 0.7):
            place = self.start + self.velocity * moment[:, None]
            place[:, 1] += 0.5 * self.gravity * moment**2
            ends.append(place)
        lines = np.round(np.stack(ends, 1) * 8).astype(np.int32)
        cv2.polylines(cover, list(lines), False, 255, self.thick, cv2.LINE_AA, 3)
        columns = np.flatnonzero(cover.any(0))
        rows = np.flatnonzero(cover.any(1))
        if len(rows):
            box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
            mix(picture[box], self.colour, cover[box].astype(np.float32) * np.float32(self.opacity / 255))


def draw_fall(rng: np.random.Generator, shape: tuple[int, int]) -> Drops:
    """Draw rain or snow over the whole picture."""
    height, width = shape
    snow = rng.random() < 0.5
    number = int(rng.integers(40, 350))
    speed = rng.uniform(0.01, 0.03) * height if snow else rng.uniform(0.08, 0.25) * height
    speeds = speed * rng.uniform(0.6, 1.4, number)
    wind = rng.normal(0, 0.2 if not snow else 0.5) * speed
    start = np.stack([rng.uniform(-0.2, 1.2, number) * width, np.full(number, -4.0)], 1)
    velocity = np.stack([np.full(number, wind) + rng.normal(0, 0.1 * speed, number), speeds], 1)
    colour = random_colour(rng, 0.1, (190, 250))
    life = (height + 8) / speeds
    thick = int(rng.integers(1, 4)) if snow else 1
    return Drops(_f32(start), _f32(velocity), 0.0, _f32(life), thick, colour, rng.uniform(0.25, 0.9))


def _spray(rng: np.random.Generator, shape: tuple[int, int], horizon: float) -> Drops:
    height, width = shape
    number = int(rng.integers(60, 250))
    foot = np.array([rng.uniform(0.1, 0.9) * width, horizon + rng.uniform(0, 0.5) * (height - horizon)])
    rise = rng.uniform(0.1, 0.45) * height
    gravity = rng.uniform(0.15, 0.8)
    up = np.sqrt(2 * gravity * rise) * rng.uniform(0.7, 1, number)
    velocity = np.stack([rng.normal(0, rng.uniform(0.2, 1), number), -up], 1)
    life = 2 * up / gravity
    start = foot + rng.normal(0, 2, (number, 2))
    colour = random_colour(rng, 0.1, (170, 250))
    thick = int(rng.integers(1, 4))
    return Drops(_f32(start), _f32(velocity), gravity, _f32(life), thick, colour, rng.uniform(0.2, 0.8))


def _f32(array: NDArray[np.float64]) -> Plane:
    return np.asarray(array, np.float32)


def draw_movements(rng: np.random.Generator, scene: Backdrop, n_frames: int) -> list[Movement]:
    """Draw what moves in a background."""
    found: list[Movement | None] = []
    shape = (scene.picture.shape[0], scene.picture.shape[1])
    if scene.leaves and rng.random() < 0.55:
        reach, scale = rng.choice([0.5, 1.5, 3, 5]), rng.uniform(10, 50)
        found += [_sway(rng, scene, box, n_frames, reach, scale, 0.0) for box in scene.leaves[:4]]
    if rng.random() < (0.35 if scene.outdoors else 0.1):
        found.append(_foliage(rng, scene.picture, n_frames))
    if scene.water and rng.random() < 0.8:
        reach, scale = rng.uniform(0.5, 4), rng.uniform(4, 20)
        found += [_sway(rng, scene, box, n_frames, reach, scale, rng.uniform(0, 0.12)) for box in scene.water]
    if rng.random() < 0.06:
        x, y = rng.uniform(0, 0.7) * shape[1], rng.uniform(0, 0.6) * shape[0]
        box = (round(x), round(y), round(x + 0.25 * shape[1]), round(y + 0.25 * shape[0]))
        found.append(_sway(rng, scene, box, n_frames, rng.uniform(2, 6), 25, 0.1))
    for place in scene.screens:
        inside = _inside(place, shape)
        if inside and rng.random() < 0.6:
            hold = int(rng.integers(1, 30))
            levels = np.repeat(rng.uniform(20, 235, (n_frames // hold + 1, 3)), hold, 0)[:n_frames]
            found.append(Screen(inside, levels.astype(np.float32)))
    if rng.random() < 0.03:
        inside = _inside((0, round(scene.horizon), round(0.25 * shape[1]), shape[0]), shape)
        if inside:
            high = (inside[3] - inside[1]) * 2
            bars = np.sign(np.sin(np.arange(high) * rng.uniform(0.4, 1.5)))[:, None] * rng.uniform(5, 30)
            texture = bars + fractal_noise(rng, (high, inside[2] - inside[0])) * 3
            found.append(Treadmill(inside, texture.astype(np.float32), rng.uniform(0.3, 3)))
    if scene.outdoors and rng.random() < 0.12:
        found.append(_spray(rng, shape, scene.horizon))
    return [movement for movement in found if movement is not None]
