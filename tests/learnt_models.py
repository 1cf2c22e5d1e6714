"""Models of every method, learnt from a few drawn frames."""

import numpy as np

from core import catalogue
from core.frames.frame import Frame, Layout
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.parameters import MASK_PARAMETERS
from core.session.model import Model


def drawn_frames(layout: Layout, n: int, seed: int = 0) -> list[np.ndarray]:
    """Vectors of a textured scene with noise and a bright thing that passes."""
    rng = np.random.default_rng(seed)
    still = 0.2 + 0.5 * rng.random(layout.n_values)
    frames = []
    for t in range(n):
        v = still + 0.01 * rng.standard_normal(still.size)
        v[t % still.size :: max(still.size // 3, 1)] = 0.95
        frames.append(layout.quantise(v))
    return frames


def learnt_model(key: str, layout: Layout, *, painted: bool = False, **chosen) -> Model:
    """Return a model of a method that has seen 11 frames, 3 iterations of them where it iterates."""
    row = catalogue.row(key)
    usual = {"rank": 3, "batch": 4, "warm_up": 0, "frames": 8, "lone_pixels": True}
    values = catalogue.complete(row, {name: usual[name] for name in usual if name in row.defaults()} | chosen)
    method = row.build(layout, {p.name: values[p.name] for p in row.parameters}, 0)
    frames = drawn_frames(layout, 11)
    for v in frames:
        method.step(v)
    for _ in range(3 if method.as_batch else 0):
        method.as_batch.improve()
    mask = Foreground(layout, {p.name: values[p.name] for p in MASK_PARAMETERS}).state()
    if painted:
        corrections, where = Corrections(layout), np.zeros((layout.height, layout.width), bool)
        where[2:5, 3:9] = True
        corrections.add(where, Frame(4, 0.1, frames[4], layout), is_background=False)
        corrections.add(where[::-1], Frame(5, 0.1, frames[5], layout), is_background=True)
        mask.update(corrections.state())
    return Model(key, values, layout, method.state(), mask)
