"""A cut-out placed in a new picture: where it walks and when, how large and in which colours."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.training.cutouts import Cutout
from core.training.plate_backdrops import Size, as_samples, random_tables, recoloured

LEAST_SCALE, MOST_SCALE = 0.4, 3.0
"""Smaller, a person is a few pixels; larger, a cut-out is a blur."""

LEAST_ROWS = 10
"""Height below which nothing is drawn, pixels."""

CAMOUFLAGED = 0.3
"""How many wear the colours of what is behind them: the hardest pixels, and seldom in what people film."""


@dataclass(frozen=True)
class Path:
    """Where an actor's feet are, and which patch is shown, in each frame.

    Attributes
    ----------
    feet : (N, 2) float64
        x and y of the middle of the lower edge, pixels.
    patches : (N,) int64
        Index of the patch.
    """

    feet: NDArray[np.float64]
    patches: NDArray[np.int64]


class Actor:
    """One cut-out that plays in a clip.

    Parameters
    ----------
    cutout : Cutout
    path : Path
    scale : float
        Pixels of the clip to one of the cut-out.
    flipped : bool
        Mirrored, left to right.
    tables : (256, 3) uint8
        What each sample of red, green and blue becomes.
    """

    def __init__(self, cutout: Cutout, path: Path, scale: float, *, flipped: bool, tables: NDArray[np.uint8]) -> None:
        self.path = path
        self._cutout, self._scale, self._flipped, self._tables = cutout, scale, flipped, tables
        self._ready: dict[int, NDArray[np.float32]] = {}

    def patch(self, frame: int) -> NDArray[np.float32]:
        """Return what it shows in a frame: RGB times alpha in samples, and alpha 0 to 1, (h, w, 4)."""
        index = int(self.path.patches[frame])
        if index not in self._ready:
            self._ready[index] = self._made(self._cutout.patches[index])
        return self._ready[index]

    def _made(self, patch: NDArray[np.uint8]) -> NDArray[np.float32]:
        patch = patch[:, ::-1] if self._flipped else patch
        alpha = patch[..., 3:].astype(np.float32) / 255
        colours = recoloured(patch[..., :3], self._tables) * alpha
        whole = np.concatenate([colours, alpha], axis=2)
        size = tuple(max(1, round(side * self._scale)) for side in patch.shape[1::-1])
        shrinks = cv2.INTER_AREA if self._scale < 1 else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(whole, size, interpolation=shrinks), np.float32)


def draw_actor(
    rng: np.random.Generator, cutout: Cutout, backdrop: NDArray[np.uint8], size: Size, n_frames: int
) -> Actor:
    """Draw scale, path and colours of a cut-out for a clip.

    Parameters
    ----------
    rng : Generator
    cutout : Cutout
    backdrop : (H, W, 3) uint8
        What lies behind; some wear its colours.
    size : (H, W)
    n_frames : int
    """
    rows = size[0] * np.exp(rng.uniform(np.log(0.12), np.log(0.85)))
    scale = float(np.clip(rows / cutout.height, LEAST_SCALE, MOST_SCALE))
    scale = max(min(scale, 0.95 * size[0] / cutout.height), LEAST_ROWS / cutout.height)
    flipped = bool(rng.random() < 0.5)
    path = _draw_path(rng, cutout, scale * np.array([-1 if flipped else 1, 1]), size, n_frames)
    hidden = rng.random() < CAMOUFLAGED
    tables = _camouflage(rng, cutout, path, backdrop, scale) if hidden else random_tables(rng, 0.3)
    return Actor(cutout, path, scale, flipped=flipped, tables=tables)


def _draw_path(rng: np.random.Generator, cutout: Cutout, scale: NDArray[np.float64], size: Size, n_frames: int) -> Path:
    """Draw when it plays, stands and leaves, so that it is in the picture at one frame at least."""
    rate = np.full(n_frames, np.exp(rng.uniform(np.log(0.5), np.log(2))))
    if rng.random() < 0.35:
        stands = round(n_frames * rng.uniform(0.15, 0.6))
        first = int(rng.integers(0, n_frames - stands + 1))
        rate[first : first + stands] = 0
    n = len(cutout.patches)
    time = rng.uniform(0, n) + np.cumsum(rate)
    steps = (cutout.feet - cutout.feet[0]) * scale
    if rng.random() < 0.5:  # To and fro.
        phase = np.abs((time + n - 1) % (2 * (n - 1)) - (n - 1)) if n > 1 else np.zeros(n_frames)
        way = np.zeros(2)
    else:  # On and on, by another round at each turn.
        phase, way = time % n, steps[-1] * n / max(n - 1, 1)
    rounds = np.floor(time / n)[:, None]
    moved = np.column_stack([np.interp(phase, np.arange(n), steps[:, axis]) for axis in (0, 1)]) + rounds * way
    seen_at = 0 if rng.random() < 0.35 else int(rng.integers(0, n_frames))
    place = rng.uniform([0.05, 0.35], [0.95, 1.05]) * size[::-1]
    feet = place + moved - moved[seen_at]
    feet[:, 0] += _passing(rng, size[1], seen_at, n_frames)
    return Path(feet, np.clip(np.rint(phase), 0, n - 1).astype(np.int64))


def _passing(rng: np.random.Generator, width: int, seen_at: int, n_frames: int) -> NDArray[np.float64]:
    """Return how far to the side it is (N,) because it comes or goes: 0 for a while around frame ``seen_at``."""
    frames, aside = np.arange(n_frames), np.zeros(n_frames)
    speed = width * rng.uniform(0.005, 0.03)
    comes, goes, side = rng.random() < 0.4, rng.random() < 0.4, rng.choice([-1, 1], 2)
    if comes:
        aside += side[0] * speed * np.maximum(rng.uniform(0, seen_at + 1) - frames, 0)
    if goes:
        aside += side[1] * speed * np.maximum(frames - rng.uniform(seen_at, n_frames), 0)
    return aside


def _camouflage(
    rng: np.random.Generator, cutout: Cutout, path: Path, backdrop: NDArray[np.uint8], scale: float
) -> NDArray[np.uint8]:
    """Return tables that give a cut-out the mean and spread of the colours behind it, and nearly hide it."""
    height, width = backdrop.shape[:2]
    behind = []
    for x, y in path.feet[:: max(1, len(path.feet) // 8)]:
        rows = slice(int(np.clip(y - scale * cutout.height, 0, height - 1)), int(np.clip(y, 1, height)))
        columns = slice(int(np.clip(x - 4, 0, width - 1)), int(np.clip(x + 4, 1, width)))
        behind.append(backdrop[rows, columns].reshape(-1, 3))
    there = np.concatenate(behind)
    patch = cutout.patches[len(cutout.patches) // 2]
    own = patch[patch[..., 3] > 127][:, :3]
    if not len(there) or not len(own):
        return random_tables(rng, 0.3)
    spread = np.clip(there.std(axis=0) / np.maximum(own.std(axis=0), 1), 0.3, 1.5)
    target = there.mean(axis=0) + rng.normal(0, 12) + rng.normal(0, 4, 3)
    alike = rng.uniform(0.6, 1)
    samples = np.arange(256)[:, None]
    table = alike * (target + (samples - own.mean(axis=0)) * spread) + (1 - alike) * samples
    return as_samples(table)
