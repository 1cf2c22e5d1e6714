"""Who is in a scene: how many actors of which kind, how tall, on which paths, looking like what."""

import numpy as np

from core.training.actors import Actor, DrawnFigure, Particle, draw_look
from core.training.backdrops import Backdrop
from core.training.figures import Animal, Cyclist, Figure, Person, Thing, Vehicle
from core.training.paths import BEHAVIOURS, Ground, draw_path
from core.training.textures import Plane, random_colour

CAMOUFLAGED = 0.35
"""Share of the actors that resemble the background: what masks lose most often."""


def draw_ground(rng: np.random.Generator, scene: Backdrop) -> Ground:
    """Draw where feet may be and how tall people are: far (a few pixels), usual, close (most of the frame)."""
    height, width = scene.picture.shape[:2]
    distance = rng.choice(["far", "usual", "near", "close"], p=[0.14, 0.5, 0.22, 0.14])
    tall = height * {"far": (0.028, 0.12), "usual": (0.15, 0.45), "near": (0.4, 0.8), "close": (0.9, 1.7)}[distance][0]
    tall *= rng.uniform(1, 2.6 if distance in {"far", "usual"} else 1.9)
    first = min(scene.horizon + 0.08 * height, 0.85 * height)
    last = height * rng.uniform(0.85, 1.05)
    if distance == "near":
        first, last = max(first, 0.75 * height), height * 1.15
    elif distance == "close":
        first, last = height * 1.0, max(height * 1.05, tall * 1.1)
    return Ground((width, height), (first, max(last, first + 2)), max(tall, 3.0), rng.choice([0.0, 0.4, 0.7]))


def _figure(rng: np.random.Generator, chances: list[float]) -> tuple[Figure, float, float]:
    """Draw a figure, its size in heights of a person, and its usual speed in those a frame."""
    kind = rng.choice(["person", "vehicle", "cyclist", "animal", "thing"], p=chances)
    if kind == "person":
        return Person(rng), rng.uniform(0.85, 1.1), rng.uniform(0.012, 0.05)
    if kind == "vehicle":
        return Vehicle(rng), rng.uniform(0.7, 1.5), rng.uniform(0.02, 0.3)
    if kind == "cyclist":
        return Cyclist(), rng.uniform(0.95, 1.1), rng.uniform(0.03, 0.12)
    if kind == "animal":
        return Animal(rng), rng.uniform(0.15, 0.7), rng.uniform(0.01, 0.1)
    return Thing(rng), rng.uniform(0.15, 0.9), rng.uniform(0.005, 0.1)


def draw_actors(rng: np.random.Generator, scene: Backdrop, ground: Ground, n_frames: int) -> list[Actor]:
    """Draw the actors of a scene, those behind first."""
    close = ground.tall > 0.6 * ground.size[1]
    crowd = rng.random() < 0.12 and not close
    number = int(rng.integers(8, 21)) if crowd else int(rng.integers(1, 4 if close else 8))
    mixes = [[0.88, 0, 0.02, 0.02, 0.08], [0.2, 0.65, 0.06, 0.03, 0.06], [0.1, 0.05, 0.05, 0.3, 0.5]]
    chances = mixes[rng.choice(3, p=[0.55, 0.3, 0.15] if scene.outdoors else [0.86, 0.02, 0.12])]
    if chances[1] > 0.5 and not close:
        number *= 2
    slow = rng.choice([0.3, 1.0, 1.0, 1.6])
    liked = rng.dirichlet(np.ones(7) * 0.7) * 0.7 + np.array([0.1, 0.04, 0.04, 0.04, 0.04, 0.02, 0.02])
    actors: list[tuple[float, Actor]] = []
    for _ in range(number):
        figure, size, speed = _figure(rng, chances)
        widest = 2 * figure.half_width * size * ground.tall
        size *= min(1.0, 0.9 * ground.size[0] / widest)
        behaviour = str(rng.choice(BEHAVIOURS, p=liked))
        if isinstance(figure, Thing) and rng.random() < 0.4:
            behaviour = str(rng.choice(["left", "taken"]))
        elif behaviour == "fidget" and not isinstance(figure, Person):
            behaviour = "cross"
        elif isinstance(figure, Person) and figure.sitting:
            behaviour = "fidget"
        path = draw_path(rng, ground, n_frames, behaviour, size, figure.half_width, speed * slow)
        tallest = int(min(path.height.max(), 2.2 * ground.size[1])) + 2
        box = (tallest, int(2 * figure.half_width * tallest) + 2)
        middle = n_frames // 2
        near = (float(path.x[middle]), float(path.y[middle]))
        alike = rng.random() < CAMOUFLAGED * (0.5 if isinstance(figure, Vehicle) else 1.15)
        look = draw_look(rng, box, scene.picture, near, alike)
        actors.append((float(path.y.mean()), DrawnFigure(figure, path, look)))
    return [actor for _, actor in sorted(actors, key=lambda pair: pair[0])]


def draw_hot(rng: np.random.Generator, actors: list[Actor]) -> list[Actor]:
    """Return the actors as a thermal camera sees them: almost all of one brightness, warmer than the background."""
    warm = rng.uniform(150, 245) if rng.random() < 0.85 else rng.uniform(5, 40)
    for actor in actors:
        if isinstance(actor, DrawnFigure):
            actor.look.palette[:] = np.clip(actor.look.palette * 0.12 + warm, 0, 255).astype(np.uint8)
            actor.look.texture[:] *= 0.3
            actor.look.alike[:] = 0
    return actors


def draw_particles(rng: np.random.Generator, picture: Plane, n_frames: int) -> list[Actor]:
    """Draw particles that drift and tremble over a picture (H, W, 3), brighter than the field or darker."""
    height, width = picture.shape[:2]
    number, radius = int(rng.integers(3, 40)), rng.uniform(1.2, 12)
    level = float(picture.mean())
    drift, tremble = rng.normal(0, 0.5, 2), rng.choice([0.1, 0.5, 1.5])
    softness, spread = rng.uniform(0, 1), rng.uniform(0, 0.4)
    colour = random_colour(rng, 1.5, (90, 200))
    actors: list[Actor] = []
    for _ in range(number):
        steps = rng.normal(0, tremble, (2, n_frames)) + (drift + rng.normal(0, 0.15, 2))[:, None]
        way = np.cumsum(steps, 1) + rng.uniform(-0.2, 1.2, 2)[:, None] * np.array([[width], [height]])
        contrast = rng.uniform(15, 190) if level < 110 else -rng.uniform(15, 0.8 * level)
        paint = np.clip(level + contrast * colour / colour.mean(), 1, 252).astype(np.float32)
        size = max(radius * rng.uniform(1 - spread, 1 + spread), 0.8)
        actors.append(Particle(way[0].astype(np.float32), way[1].astype(np.float32), size, softness, paint))
    return actors
