"""The street sample: who passes when, and how a frame is put together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Planes, Truth, Values
from core.io.sources.samples import street_cast as cast
from core.io.sources.samples import street_foliage as foliage
from core.io.sources.samples import street_scene as scene
from core.io.sources.samples.painting import Layer, lay_over

LAYOUT = Layout(scene.HEIGHT, scene.WIDTH, Planes.RGB)
FPS = 30.0
N_FRAMES = 600

DRIFT = 0.08
"""How far the light goes up and down."""
NOISE = 2.5
"""Deviation of the sensor's noise, grey levels."""
STOP_S = 5.0
"""How long the van stands."""

_FAR_PAVEMENT, _FAR_LANE, _NEAR_LANE, _NEAR_PAVEMENT = 131, 159, 194, 231
"""Rows on which feet and wheels stand."""
_SHADOW_SEEN = 0.15
"""Darker by this part counts as shadow in the mask."""


@dataclass(frozen=True)
class Pass:
    """One object's way through the picture.

    Attributes
    ----------
    sprite : Sprite
    row : int
        Where it stands.
    start_x : float
        Its middle at ``start_s``, pixels.
    start_s : float
        When, seconds; it goes on before and after at the same speed.
    speed : float
        Pixels per second, to the right.
    stop_s : float or None
        When it comes to stand, for `STOP_S`.
    """

    sprite: cast.Sprite
    row: int
    start_x: float
    start_s: float
    speed: float
    stop_s: float | None = None

    def x(self, time_s: float) -> float:
        """Return where its middle is at a time; stopping and starting take one second each."""
        travelled = time_s - self.start_s
        if self.stop_s is not None:
            # The integral of a speed that falls to 0 within a second, stays there, and rises again.
            into = float(np.clip(time_s - self.stop_s, 0, 1))
            out = float(np.clip(time_s - self.stop_s - 1 - STOP_S, 0, 1))
            held = float(np.clip(time_s - self.stop_s - 1, 0, STOP_S))
            travelled -= into**2 / 2 + held + out - out**2 / 2
        return self.start_x + self.speed * travelled


class Street:
    """A street of one seed; frames are a function of their index alone."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng((seed, 320))
        self._seed = seed
        self._backdrop = scene.backdrop(rng)
        self._tree = foliage.tree(rng)
        self._shrub = foliage.shrub(rng)
        # Noise is drawn once and read from another place for each frame: drawing it anew takes longer than all else.
        self._noise = np.float32(NOISE) * rng.standard_normal(1 << 20, dtype=np.float32)
        self._drift_phase = rng.uniform(-0.5, 0.5)
        self._behind, self._before = _passes(rng)

    def frame(self, index: int) -> Frame:
        """Return frame ``index``: mask 255 where an object is seen, 50 in its shadow; clean without both and noise."""
        time_s = index / FPS
        tree, shrub = self._tree.layer(time_s), self._shrub.layer(time_s)
        picture, clean = self._backdrop.copy(), self._backdrop.copy()
        cover = np.zeros((scene.HEIGHT, scene.WIDTH), np.float32)
        dark = np.zeros_like(cover)
        for crossing in self._behind:
            _put(crossing, time_s, picture, cover, dark)
        self._hide(picture, tree, self._tree, cover, dark)
        lay_over(clean, tree, self._tree.x, self._tree.y)
        for crossing in self._before:
            _put(crossing, time_s, picture, cover, dark)
        self._hide(picture, shrub, self._shrub, cover, dark)
        lay_over(clean, shrub, self._shrub.x, self._shrub.y)

        light = np.float32(1 + DRIFT * np.sin(2 * np.pi * time_s / 13 + self._drift_phase))
        picture *= light
        start = int(np.random.default_rng((self._seed, index)).integers(0, len(self._noise) - picture.size))
        picture += self._noise[start : start + picture.size].reshape(picture.shape)
        clean *= light
        mask = np.where(cover > 0.5, np.uint8(255), np.where(dark > _SHADOW_SEEN, np.uint8(50), np.uint8(0)))
        return Frame(index, time_s, _samples(picture), LAYOUT, Truth(mask, _samples(clean)))

    @staticmethod
    def _hide(
        picture: NDArray[np.float32],
        layer: Layer,
        leaves: foliage.Foliage,
        cover: NDArray[np.float32],
        dark: NDArray[np.float32],
    ) -> None:
        """Lay leaves over what is behind them, in the picture and in the truth."""
        fell = lay_over(picture, layer, leaves.x, leaves.y)
        if fell:
            rows, columns, alpha = fell
            cover[rows, columns] *= 1 - alpha
            dark[rows, columns] *= 1 - alpha


@lru_cache(maxsize=2)
def painted(seed: int) -> Street:
    """Return the street of a seed; painting it takes longer than many frames, and nothing in it changes."""
    return Street(seed)


def _put(
    crossing: Pass, time_s: float, picture: NDArray[np.float32], cover: NDArray[np.float32], dark: NDArray[np.float32]
) -> None:
    sprite = crossing.sprite
    x = crossing.x(time_s)
    phase = int(x * np.sign(crossing.speed) / sprite.stride * len(sprite.phases)) % len(sprite.phases)
    left, top = x - sprite.foot[0], crossing.row - sprite.foot[1]
    fell = lay_over(picture, sprite.shadow, left, top)
    if fell:
        rows, columns, alpha = fell
        dark[rows, columns] = np.maximum(dark[rows, columns], alpha)
    fell = lay_over(picture, sprite.phases[phase], left, top)
    if fell:
        rows, columns, alpha = fell
        cover[rows, columns] += alpha * (1 - cover[rows, columns])


def _samples(picture: NDArray[np.float32]) -> Values:
    np.rint(picture, out=picture)
    np.clip(picture, 0, 255, out=picture)
    return picture.astype(np.uint8).ravel()


def _passes(rng: np.random.Generator) -> tuple[list[Pass], list[Pass]]:
    """Return who passes behind the tree and who before it, each from far to near."""

    def late() -> float:
        return float(rng.uniform(-0.3, 0.3))

    red, blue, cream, green, grey = (178, 48, 44), (52, 92, 148), (226, 216, 194), (70, 112, 92), (74, 80, 90)
    walkers = [
        cast.person(33, (186, 64, 58), (52, 58, 78), (56, 40, 32)),
        cast.person(35, (60, 94, 122), (70, 64, 60), (30, 26, 26), (150, 106, 82), bag=True),
        cast.person(32, (214, 168, 74), (64, 62, 74), (120, 78, 44), skirt=True),
    ]
    near = [
        cast.person(68, (66, 106, 112), (44, 48, 62), (70, 46, 32), bag=True),
        cast.person(70, (196, 110, 64), (58, 56, 66), (34, 28, 26), (176, 130, 102)),
        cast.person(64, (132, 78, 118), (60, 54, 70), (150, 104, 62), skirt=True),
    ]
    behind = [
        Pass(walkers[0], _FAR_PAVEMENT, 118, 0, 15),
        Pass(walkers[1].mirrored(), _FAR_PAVEMENT - 2, 330, 2.5 + late(), -19),
        Pass(walkers[2], _FAR_PAVEMENT, -10, 6 + late(), 17),
        Pass(walkers[0].mirrored(), _FAR_PAVEMENT - 1, 330, 11 + late(), -16),
    ]
    behind.sort(key=lambda p: p.row)
    before = [
        Pass(cast.car(84, blue).mirrored(), _FAR_LANE, 214, 0, -88),
        Pass(cast.van(96, (236, 232, 222), (44, 120, 116)).mirrored(), _FAR_LANE, 372, 3 + late(), -82, 5.2),
        Pass(cast.car(82, cream).mirrored(), _FAR_LANE, 372, 15 + late(), -104),
        Pass(cast.car(84, grey).mirrored(), _FAR_LANE, 372, 18 + late(), -92),
        Pass(cast.car(118, red), _NEAR_LANE, 40, 0, 96),
        Pass(cast.car(116, green), _NEAR_LANE, -62, 4.2 + late(), 118),
        Pass(cast.car(120, (206, 208, 212)), _NEAR_LANE, -62, 8 + late(), 104),
        Pass(cast.car(116, (196, 138, 54)), _NEAR_LANE, -62, 12 + late(), 128),
        Pass(cast.van(134, (96, 116, 134), (222, 182, 84)), _NEAR_LANE, -70, 16 + late(), 100),
        Pass(near[0].mirrored(), _NEAR_PAVEMENT, 262, 0, -31),
        Pass(near[1], _NEAR_PAVEMENT + 3, -20, 5.5 + late(), 36),
        Pass(near[2].mirrored(), _NEAR_PAVEMENT - 1, 342, 10 + late(), -33),
    ]
    return behind, sorted(before, key=lambda p: p.row)
