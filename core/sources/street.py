"""A street seen by a fixed camera (first sketch)."""

from __future__ import annotations

import numpy as np

from core.frame import Frame, Layout, Planes, Truth, frame_from_image

LAYOUT = Layout(240, 320, Planes.RGB)
FPS = 30.0
N_FRAMES = 600


class Street:
    """The street of one seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        rng = np.random.default_rng(seed)
        self._scene = np.kron(rng.integers(60, 200, (24, 32, 3)), np.ones((10, 10, 1))).astype(np.float32)

    def frame(self, index: int) -> Frame:
        """Return frame ``index``."""
        clean = self._scene * (1 + 0.08 * np.sin(index / 70))
        picture = clean + np.random.default_rng((self._seed, index)).normal(0, 2.5, clean.shape)
        mask = np.zeros((240, 320), np.uint8)
        x = (80 + 3 * index) % 360
        picture[120:160, x : x + 50] = (200, 40, 40)
        mask[120:160, x : x + 50] = 255
        frame = frame_from_image(index, index / FPS, np.clip(picture, 0, 255).astype(np.uint8))
        known = frame_from_image(index, 0, np.clip(clean, 0, 255).astype(np.uint8)).values
        return Frame(index, index / FPS, frame.values, LAYOUT, Truth(mask, known))
