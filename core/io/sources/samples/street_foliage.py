"""The tree and the shrub of the street, swaying."""

from __future__ import annotations

import cv2
import numpy as np

from core.io.sources.samples.painting import Canvas, Colour, Layer, planar, shade, speckle


class Foliage:
    """Leaves that sway: one painted layer, bent anew for each frame.

    Parameters
    ----------
    rng : numpy.random.Generator
    box : (x, y, width, height)
        Where it lies, pixels.
    clumps : list of (x, y, radius)
        Balls of leaves, pixels in the box.
    root : float
        Row in the box that stays still; what is above moves the more the higher it is.
    reach : float
        How far the top moves, pixels.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        box: tuple[int, int, int, int],
        clumps: list[tuple[float, float, float]],
        root: float,
        reach: float,
    ) -> None:
        self.x, self.y, width, height = box
        canvas = Canvas(width, height)
        if root < height:
            _trunk(canvas, clumps[0][0], clumps[0][1], height)
        leaf: Colour = (104, 138, 66)
        for depth in np.linspace(0, 1, 4):  # dark leaves behind, light ones in front
            for cx, cy, radius in clumps:
                for _ in range(int(radius * 4.8)):
                    angle, r = rng.uniform(0, 2 * np.pi), radius * np.sqrt(rng.random())
                    dx, dy = r * np.cos(angle), 0.86 * r * np.sin(angle)
                    lit = 0.5 + 0.42 * depth - 0.3 * (dx + 1.4 * dy) / (2 * radius) + rng.normal(0, 0.08)
                    size = rng.uniform(1.2, 2.5)
                    tone = shade(
                        (leaf[0] + rng.normal(0, 10), leaf[1], leaf[2] + rng.normal(0, 8)), max(lit, 0.25) * 1.25
                    )
                    shift = (1 - depth) * 2.0
                    canvas.ellipse(
                        cx + dx + shift, cy + dy + shift, size, size * 0.55, tone, turn=rng.uniform(0, np.pi)
                    )
        self._layer = canvas.layer().transpose(1, 2, 0).copy()
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        self._xs, self._ys = xs, ys
        self._lever = reach * np.clip((root - ys) / max(root, 1), 0, 1) ** 1.2
        self._flutter = 0.55 * np.clip((root - ys) / 12, 0, 1)
        self._phase = 2.4 * speckle(rng, height, width, 6)

    def layer(self, time_s: float) -> Layer:
        """Return the leaves as the wind bends them at a time."""
        wind = np.sin(2 * np.pi * 0.27 * time_s) + 0.5 * np.sin(2 * np.pi * 0.61 * time_s + 1.3)
        turning = self._phase + np.float32(2 * np.pi * 0.9 * time_s)
        across = self._xs + self._lever * np.float32(wind) + self._flutter * np.sin(turning)
        down = self._ys + self._flutter * np.cos(turning) * np.float32(0.7)
        bent = np.asarray(cv2.remap(self._layer, across, down, cv2.INTER_LINEAR))
        layer = planar(bent)
        layer[:3] *= 1 + np.float32(0.05) * np.sin(turning + 1)
        return layer


def _trunk(canvas: Canvas, x: float, top: float, bottom: float) -> None:
    bark: Colour = (104, 78, 58)
    canvas.ellipse(x + 5, bottom - 1.6, 12, 1.5, (30, 30, 34), alpha=0.35)
    canvas.polygon(
        [
            (x - 2.4, top), (x + 2.4, top), (x + 3.2, bottom - 8), (x + 5, bottom - 1), (x - 5, bottom - 1),
            (x - 3.2, bottom - 8),
        ],
        shade(bark, 0.75), bark,
    )  # fmt: skip
    canvas.polygon(
        [(x - 2.0, top), (x - 0.6, top), (x - 1.2, bottom - 2), (x - 3.6, bottom - 2)], shade(bark, 1.4), alpha=0.5
    )
    for side, rise in ((-1, 10), (1, 14)):
        canvas.limb((x, top + 22), (x + side * 16, top + 22 - rise), 3, 1.4, shade(bark, 0.8))


def tree(rng: np.random.Generator) -> Foliage:
    """Return the tree on the far kerb."""
    clumps = [
        (48.0, 34.0, 24.0),
        (28.0, 42.0, 18.0),
        (68.0, 42.0, 19.0),
        (38.0, 20.0, 17.0),
        (60.0, 20.0, 17.0),
        (48.0, 50.0, 17.0),
    ]
    return Foliage(rng, (214, 27, 96, 109), clumps, 82.0, 2.4)


def shrub(rng: np.random.Generator) -> Foliage:
    """Return the shrub in the near corner."""
    clumps = [(16.0, 36.0, 20.0), (40.0, 46.0, 16.0), (2.0, 24.0, 14.0), (58.0, 56.0, 11.0)]
    return Foliage(rng, (-8, 182, 74, 58), clumps, 58.0, 1.6)
