"""Where actors are at each frame: who crosses, waits, comes, leaves, strolls or stays."""

from dataclasses import dataclass

import numpy as np

from core.training.textures import Plane, smooth_series


@dataclass(frozen=True)
class Ground:
    """The floor of a scene, in pixels: its size, the rows on which feet may be, and how tall a person is there.

    Attributes
    ----------
    size : (W, H)
    rows : (first, last)
    tall : float
        Height of a person on the last row.
    depth : float
        How much smaller one on the first row is: 0 the same, 0.8 a fifth.
    """

    size: tuple[int, int]
    rows: tuple[float, float]
    tall: float
    depth: float

    def height_at(self, y: Plane) -> Plane:
        """Return how tall a person is whose feet are on row y."""
        first, last = self.rows
        part = np.clip((y - first) / max(last - first, 1), 0, 1.5)
        return np.asarray(self.tall * (1 - self.depth + self.depth * part), np.float32)


@dataclass(frozen=True)
class Path:
    """Feet (pixels), height (pixels), phase of the steps, stride, lean, arm, facing, and presence, each (T,)."""

    x: Plane
    y: Plane
    height: Plane
    phase: Plane
    stride: Plane
    lean: Plane
    arm: Plane
    facing: Plane
    present: Plane


BEHAVIOURS = ("cross", "pause", "arrive", "leave", "fidget", "stroll", "approach")


def draw_path(
    rng: np.random.Generator,
    ground: Ground,
    n_frames: int,
    behaviour: str,
    size: float,
    half_width: float,
    speed: float,
) -> Path:
    """Draw the path of one actor.

    Parameters
    ----------
    behaviour : str
        One of `BEHAVIOURS`, or "left" and "taken" for things.
    size : float
        Height in heights of a person.
    half_width : float
        Of the actor, in its own heights.
    speed : float
        Heights of a person a frame.
    """
    width = ground.size[0]
    first, last = ground.rows
    y0 = rng.uniform(first, last)
    tall = float(ground.height_at(np.array([y0], np.float32))[0])
    margin = half_width * size * tall + 4
    side = rng.choice([-1, 1])
    out, far = (-margin, width + margin)[:: int(side)]
    inside = rng.uniform(0.08, 0.92) * width
    pace = max(speed * tall, 0.15)
    y1 = np.clip(y0 + rng.normal(0, 0.15) * (last - first), first, last)
    enter = rng.uniform(0.05, 0.6) * n_frames
    rest = rng.uniform(0.15, 0.6) * n_frames
    present = np.ones(n_frames, np.float32)
    knots = [(0.0, inside, y0)]
    if behaviour == "cross":
        start = rng.uniform(-0.5 * (width + 2 * margin) / pace, 0.75 * n_frames)
        knots = [(start, out, y0), (start + (width + 2 * margin) / pace, far, y1)]
    elif behaviour in {"pause", "arrive"}:
        come = abs(inside - out) / pace
        knots = [(enter - 0.5 * come, out, y0), (enter + 0.5 * come, inside, y1)]
        if behaviour == "pause":
            stop = enter + 0.5 * come + rest
            knots += [(stop, inside, y1), (stop + abs(far - inside) / pace, far, y0)]
    elif behaviour == "leave":
        knots = [(rest, inside, y0), (rest + abs(far - inside) / pace, far, y1)]
    elif behaviour == "stroll":
        time, here = 0.0, inside
        while time < n_frames:
            there = rng.uniform(0.05, 0.95) * width
            knots.append((time + abs(there - here) / pace, there, rng.uniform(first, last)))
            time, here = knots[-1][0] + rng.uniform(0, 30), there
            knots.append((time, here, knots[-1][2]))
    elif behaviour == "approach":
        ends = [(inside, first), (inside + rng.normal(0, 0.25) * width, last + 0.5 * ground.tall)][:: int(side)]
        start = rng.uniform(-0.3, 0.4) * n_frames
        steps = 2.5 * (last - first + ground.tall) / pace
        knots = [(start, *ends[0]), (start + steps, *ends[1])]
        present[: max(0, round(start))] = side < 0
        present[round(np.clip(start + steps, 0, n_frames)) :] = 0 if side < 0 else 1
    elif behaviour == "left":
        present[: round(enter)] = 0
    elif behaviour == "taken":
        present[round(enter) :] = 0
    return _along(rng, ground, n_frames, knots, size, present)


def _along(
    rng: np.random.Generator,
    ground: Ground,
    n_frames: int,
    knots: list[tuple[float, float, float]],
    size: float,
    present: Plane,
) -> Path:
    """Sample the way through (time, x, y), with steps in time with the way gone and small movements at rest."""
    times, xs, ys = (np.asarray(column, np.float64) for column in zip(*knots, strict=True))
    frames = np.arange(n_frames)
    x, y = np.interp(frames, times, xs), np.interp(frames, times, ys)
    height = ground.height_at(y.astype(np.float32)) * np.float32(size)
    dx, dy = np.gradient(x), np.gradient(y)
    moved = np.hypot(dx, dy) / np.maximum(height, 1)
    walking = np.clip(moved / 0.008, 0, 1)
    walking = np.convolve(np.pad(walking, 2, mode="edge"), np.ones(5) / 5, "valid")
    phase = np.cumsum(moved) * 2 * np.pi / 0.75 + rng.uniform(0, 6)
    facing = np.where(abs(dx) > 0.05, np.sign(dx), 0)
    start = rng.choice([-1.0, 1.0])
    for t in range(n_frames):
        facing[t] = start = facing[t] or start
    still = rng.choice([0.2, 0.5, 1.0])
    lean = smooth_series(rng, n_frames, rng.uniform(15, 60)) * (0.1 + 0.2 * still) + 0.2 * walking * facing
    arm = np.maximum(smooth_series(rng, n_frames, rng.uniform(10, 40)), 0) * rng.choice([0.1, 0.6, 1.3])
    sway = smooth_series(rng, n_frames, 25) * height * 0.012 * still
    moving = [x + sway, y, height, phase, walking, lean, arm, facing, present]
    return Path(*(np.asarray(values, np.float32) for values in moving))
