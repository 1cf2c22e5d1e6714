"""Procedural backgrounds: what a scene looks like before anybody enters it."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.training.surfaces import bricks, floor_in_perspective, foliage, surface
from core.training.textures import Canvas, Plane, blurred, fractal_noise, random_colour, smooth_field, tinted

Rectangle = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""


@dataclass(frozen=True)
class Backdrop:
    """A background and what the rest of the scene needs to know about it.

    Attributes
    ----------
    picture : (H, W, 3) float32
        White is 255.
    horizon : float
        Row at which the ground begins.
    outdoors : bool
    leaves, water, screens : list of Rectangle
        Where foliage may sway, water ripple and screens flicker.
    """

    picture: Plane
    horizon: float
    outdoors: bool
    leaves: list[Rectangle] = field(default_factory=list)
    water: list[Rectangle] = field(default_factory=list)
    screens: list[Rectangle] = field(default_factory=list)


def _furniture(rng: np.random.Generator, canvas: Canvas, horizon: float, screens: list[Rectangle]) -> None:
    """Doors, posters, windows, shelves, tables and screens on the walls."""
    height, width = canvas.height, canvas.width
    shape = (height, width)
    for _ in range(rng.integers(0, 8)):
        kind = rng.choice(["door", "poster", "window", "shelf", "table", "screen", "pillar"])
        left = rng.uniform(-0.1, 0.95) * width
        wide, high = rng.uniform(0.05, 0.3) * width, rng.uniform(0.08, 0.35) * height
        top = rng.uniform(0.02, 0.7) * max(horizon, 0.2 * height)
        box = (left, top, left + wide, top + high)
        if kind == "door":
            box = (left, horizon - rng.uniform(0.3, 0.7) * height, left + wide * 0.6, horizon + 0.06 * height)
        elif kind == "table":
            top = horizon + rng.uniform(-0.05, 0.3) * height
            box = (left, top, left + wide * 1.4, top + high)
        elif kind == "pillar":
            box = (left, 0, left + wide * 0.3, horizon + rng.uniform(0, 0.3) * height)
        edge = max(1.0, rng.uniform(0.003, 0.012) * width)
        canvas.rectangle(
            (box[0] - edge, box[1] - edge, box[2] + edge, box[3] + edge), random_colour(rng, 0.3) * 0.7, 0.8
        )
        canvas.rectangle(box, foliage(rng, shape) if rng.random() < 0.1 else surface(rng, shape, 1))
        if kind == "window":
            canvas.rectangle(box, random_colour(rng, 0.4, (170, 250)), 0.85)
        if kind in {"shelf", "poster", "door"}:
            for _ in range(rng.integers(1, 12)):
                u, v = rng.uniform(0, 0.85, 2)
                x, y = box[0] + u * (box[2] - box[0]), box[1] + v * (box[3] - box[1])
                size = rng.uniform(0.05, 0.3, 2) * (box[2] - box[0], box[3] - box[1])
                inner = (x, y, min(x + size[0], box[2]), min(y + size[1], box[3]))
                canvas.rectangle(inner, random_colour(rng), rng.uniform(0.3, 1))
        if kind == "screen":
            canvas.rectangle(box, random_colour(rng, 1, (10, 240)))
            screens.append((round(box[0]), round(box[1]), round(box[2]), round(box[3])))


def room(rng: np.random.Generator, shape: tuple[int, int]) -> Backdrop:
    """Draw a room or, with a far end that is small, a corridor."""
    height, width = shape
    corridor = rng.random() < 0.4
    horizon = height * rng.uniform(0.25, 0.7)
    canvas = Canvas(floor_in_perspective(rng, shape, horizon * (0.9 if corridor else 1)))
    wall = bricks(rng, shape) if rng.random() < 0.15 else surface(rng, shape, 0.4, (70, 230))
    half = width * (rng.uniform(0.06, 0.2) if corridor else rng.uniform(0.25, 0.7))
    middle = width * rng.uniform(0.3, 0.7)
    left, right = middle - half, middle + half
    top = horizon - min(horizon, half * rng.uniform(0.5, 1.2))
    slope = rng.uniform(0.3, 0.9)
    low_left, low_right = horizon + left * slope, horizon + (width - right) * slope
    shades = rng.uniform(0.7, 1.15, 4)
    canvas.polygon([(left, top), (right, top), (width, -9), (0, -9)], surface(rng, shape, 0.2, (120, 240)))
    canvas.polygon([(left, top), (left, horizon), (0, low_left), (-9, low_left), (-9, -40)], wall * shades[0])
    canvas.polygon(
        [(right, top), (right, horizon), (width, low_right), (width + 9, low_right), (width + 9, -40)],
        wall * shades[1],
    )
    canvas.polygon([(left, top), (right, top), (right, horizon), (left, horizon)], wall * shades[2])
    screens: list[Rectangle] = []
    _furniture(rng, canvas, horizon, screens)
    return Backdrop(canvas.picture, horizon, outdoors=False, screens=screens)


def _parked_car(rng: np.random.Generator, canvas: Canvas, x: float, y: float, size: float) -> None:
    paint = random_colour(rng)
    canvas.polygon([(x, y), (x, y - 0.3 * size), (x + 2 * size, y - 0.3 * size), (x + 2 * size, y)], paint)
    roof = [(x + 0.3 * size, y - 0.3 * size), (x + 0.6 * size, y - 0.6 * size), (x + 1.4 * size, y - 0.6 * size)]
    canvas.polygon([*roof, (x + 1.8 * size, y - 0.3 * size)], random_colour(rng, 0.2, (20, 110)))
    canvas.rectangle((x, y - 0.02 * size, x + 2 * size, y + 0.06 * size), np.array([20, 20, 22], np.float32), 0.7)


def street(rng: np.random.Generator, shape: tuple[int, int]) -> Backdrop:
    """Draw a road with markings, kerbs, buildings, trees and parked cars."""
    height, width = shape
    horizon = height * rng.uniform(0.05, 0.5)
    canvas = Canvas(surface(rng, shape, 0.15, (60, 190)))
    canvas.rectangle((0, 0, width, horizon), random_colour(rng, 0.5, (140, 250)))
    if rng.random() < 0.6:
        grass = tinted(fractal_noise(rng, shape, rng.uniform(0.3, 1)), [70, 95, 50], rng.uniform(4, 20))
        vanishing = (rng.uniform(-0.3, 1.3) * width, horizon)
        canvas.polygon([vanishing, (-0.2 * width, horizon), (-0.2 * width, height * 1.2)], grass)
        if rng.random() < 0.5:
            canvas.polygon([vanishing, (1.2 * width, horizon), (1.2 * width, height)], grass * 0.9)
    else:
        vanishing = (rng.uniform(0, 1) * width, horizon)
    paint = random_colour(rng, 0.3, (150, 245))
    for _ in range(rng.integers(0, 6)):
        foot = rng.uniform(-0.6, 1.6) * width
        thick = rng.uniform(0.004, 0.03) * width
        dashes = rng.random() < 0.5
        steps = np.linspace(0.08, 1, 9) ** 2 if dashes else np.array([0.05, 1.0])
        for near, far in zip(steps[::2], steps[1::2], strict=False):
            points = [
                (vanishing[0] + (foot + side * thick - vanishing[0]) * part, horizon + (height - horizon) * part)
                for part, side in ((near, -1), (near, 1), (far, 1), (far, -1))
            ]
            canvas.polygon(points, paint, 0.8)
    for _ in range(rng.integers(0, 5)):
        left, wide = rng.uniform(-0.1, 0.9) * width, rng.uniform(0.1, 0.5) * width
        top = horizon - rng.uniform(0.1, 1) * horizon
        front = bricks(rng, shape) if rng.random() < 0.5 else surface(rng, shape)
        bottom = horizon + rng.uniform(0, 0.08) * height
        canvas.rectangle((left, top, left + wide, bottom), front)
        pane, glass = rng.uniform(0.02, 0.06) * width, random_colour(rng, 0.3, (20, 160))
        for x in np.arange(left + pane, left + wide - pane, pane * 2):
            for y in np.arange(top + pane, bottom - pane, pane * 2.2):
                canvas.rectangle((x, y, x + pane, y + pane * 1.2), glass, 0.8)
    leaves = _trees(rng, canvas, horizon, int(rng.integers(0, 4)))
    y = horizon + rng.uniform(0.1, 0.3) * height
    size = rng.uniform(0.06, 0.2) * width
    for number in range(rng.integers(0, 6)):
        _parked_car(rng, canvas, (number * 2.3 - 0.5) * size, y, size)
    if rng.random() < 0.3:
        pole = rng.uniform(0, 1) * width
        canvas.rectangle((pole, 0, pole + rng.uniform(1, 6), horizon + 0.2 * height), random_colour(rng, 0.2))
    return Backdrop(canvas.picture, horizon, outdoors=True, leaves=leaves)


def _trees(rng: np.random.Generator, canvas: Canvas, horizon: float, number: int) -> list[Rectangle]:
    """Lay bushes and crowns with ragged outlines; returns their boxes."""
    height, width = canvas.height, canvas.width
    boxes = []
    for _ in range(number):
        x, y = rng.uniform(0, 1) * width, rng.uniform(0, max(horizon, 0.3 * height))
        rx, ry = rng.uniform(0.06, 0.35) * width, rng.uniform(0.06, 0.3) * height
        rows, columns = np.mgrid[:height, :width].astype(np.float32)
        inside = 1 - ((columns - x) / rx) ** 2 - ((rows - y) / ry) ** 2
        cover = np.clip((inside + 0.35 * fractal_noise(rng, (height, width), 1)) * 4, 0, 1)[..., None]
        canvas.picture += cover * (foliage(rng, (height, width)) - canvas.picture)
        boxes.append((round(x - rx), round(y - ry), round(x + rx), round(y + ry)))
    return boxes


def park(rng: np.random.Generator, shape: tuple[int, int]) -> Backdrop:
    """Draw a lawn with trees, perhaps a pond."""
    height, width = shape
    horizon = height * rng.uniform(0.05, 0.5)
    lawn = tinted(
        fractal_noise(rng, shape, rng.uniform(0.2, 1.2), (1, 0.5)),
        rng.uniform(50, 150, 3).astype(np.float32),
        rng.uniform(4, 25),
    )
    lawn[..., 1] *= rng.uniform(1, 1.25)
    canvas = Canvas(lawn)
    canvas.rectangle((0, 0, width, horizon), foliage(rng, shape) if rng.random() < 0.6 else random_colour(rng, 0.5))
    water: list[Rectangle] = []
    if rng.random() < 0.35:
        top, bottom = horizon + rng.uniform(0, 0.2) * height, horizon + rng.uniform(0.25, 0.6) * height
        pond = tinted(fractal_noise(rng, shape, 1, (1, 0.25)), random_colour(rng, 0.6), rng.uniform(4, 20))
        canvas.rectangle((0, top, width, bottom), pond)
        water.append((0, round(top), width, round(bottom)))
    if rng.random() < 0.5:
        path = [(rng.uniform(0, 1) * width, horizon), (rng.uniform(-0.2, 0.6) * width, height)]
        canvas.polygon([*path, (rng.uniform(0.6, 1.2) * width, height)], surface(rng, shape, 0.3, (110, 220)))
    leaves = _trees(rng, canvas, horizon, int(rng.integers(1, 6)))
    return Backdrop(canvas.picture, horizon, outdoors=True, leaves=leaves, water=water)


def thicket(rng: np.random.Generator, shape: tuple[int, int]) -> Backdrop:
    """Draw foliage over the whole picture."""
    return Backdrop(foliage(rng, shape), shape[0] * 0.2, outdoors=True, leaves=[(0, 0, shape[1], shape[0])])


def lake(rng: np.random.Generator, shape: tuple[int, int]) -> Backdrop:
    """Draw open water below a shore."""
    height, width = shape
    horizon = height * rng.uniform(0.1, 0.5)
    waves = tinted(
        fractal_noise(rng, shape, rng.uniform(0.6, 1.3), (1, 0.2)), random_colour(rng, 0.6), rng.uniform(4, 25)
    )
    canvas = Canvas(waves)
    canvas.rectangle((0, 0, width, horizon), foliage(rng, shape) if rng.random() < 0.5 else surface(rng, shape))
    return Backdrop(canvas.picture, horizon, outdoors=True, water=[(0, round(horizon), width, height)])


def wall(rng: np.random.Generator, shape: tuple[int, int]) -> Backdrop:
    """Draw one surface: bricks, plaster, noise of some scale, a flat gradient, almost nothing."""
    height, width = shape
    kind = rng.integers(0, 4)
    if kind == 0:
        picture = bricks(rng, shape)
    elif kind == 1:
        texture = fractal_noise(rng, shape, rng.uniform(0, 2), (rng.uniform(0.1, 1), rng.uniform(0.1, 1)))
        picture = tinted(texture, random_colour(rng), rng.uniform(1, 45))
        picture += tinted(fractal_noise(rng, shape, 1), np.zeros(3, np.float32), rng.uniform(0, 15))
    else:
        rows, columns = np.mgrid[:height, :width].astype(np.float32)
        slope = rows / height * rng.normal(0, 40) + columns / width * rng.normal(0, 40)
        picture = np.asarray(random_colour(rng) + slope[..., None], np.float32)
        picture += (fractal_noise(rng, shape, 1.2) * rng.uniform(0, 2))[..., None]
    if rng.random() < 0.5:
        floor = height * rng.uniform(0.55, 0.95)
        Canvas(picture).rectangle((0, floor, width, height), floor_in_perspective(rng, shape, floor))
    return Backdrop(picture, height * rng.uniform(0.2, 0.6), outdoors=bool(rng.random() < 0.5))


def specimen(rng: np.random.Generator, shape: tuple[int, int]) -> Backdrop:
    """Draw the field of a microscope, dark or bright, with debris and uneven light."""
    height, width = shape
    level = rng.uniform(5, 60) if rng.random() < 0.7 else rng.uniform(150, 220)
    picture = np.full((height, width), level, np.float32)
    picture += smooth_field(rng, shape, width / 2) * rng.uniform(0, 0.2) * level
    picture += fractal_noise(rng, shape, rng.uniform(0.5, 1.5)) * rng.uniform(0.2, 0.1 * level + 0.3)
    return Backdrop(np.repeat(picture[..., None], 3, 2), 0.0, outdoors=False)


Draw = Callable[[np.random.Generator, tuple[int, int]], Backdrop]

KINDS: tuple[tuple[Draw, float], ...] = (
    (room, 0.36),
    (street, 0.24),
    (park, 0.13),
    (thicket, 0.05),
    (lake, 0.05),
    (wall, 0.17),
)
"""Scenes and how often each is drawn: indoors and streets are what most footage shows."""


def draw_backdrop(rng: np.random.Generator, shape: tuple[int, int]) -> Backdrop:
    """Draw a scene of some kind with a tone of its own: contrast, cast of colour, large shadows, sharpness."""
    chances = np.array([share for _, share in KINDS])
    drawn = KINDS[rng.choice(len(KINDS), p=chances / chances.sum())][0](rng, shape)
    picture = drawn.picture
    picture *= (
        1 + (smooth_field(rng, shape, shape[1] / rng.uniform(1.5, 5)) * rng.choice([0.02, 0.06, 0.12]))[..., None]
    )
    if drawn.outdoors and rng.random() < 0.35:
        lit = np.clip(fractal_noise(rng, shape, 1.6) * 6 + rng.normal(0, 4), 0, 1)
        picture *= (1 - rng.uniform(0.2, 0.55) * lit)[..., None]
    picture += (fractal_noise(rng, shape, 1) * rng.uniform(0.3, 3))[..., None]
    mean = picture.mean()
    picture[:] = (picture - mean) * rng.uniform(0.35, 1.15) + rng.uniform(60, 170)
    picture *= 1 + rng.normal(0, 0.06, 3).astype(np.float32)
    sharp = blurred(np.clip(picture, 3, 250), rng.choice([0, 0.6, 1.2, 2.5], p=[0.4, 0.35, 0.18, 0.07]))
    return Backdrop(sharp, drawn.horizon, drawn.outdoors, drawn.leaves, drawn.water, drawn.screens)
