"""Clips made for measurements: a still scene with grain, and discs that pass."""

from __future__ import annotations

import cv2
import numpy as np

from core.frame import Frame, Layout, Planes


def passing_discs(layout: Layout, n_frames: int, seed: int = 0) -> list[Frame]:
    """Return frames of a smooth scene with sensor noise (σ 3 grey levels) and eight discs that cross it.

    Parameters
    ----------
    layout : Layout
        Grey or 4:2:0, 8 bit.
    n_frames : int
    seed : int
    """
    rng = np.random.default_rng(seed)
    height, width = layout.height, layout.width
    coarse = rng.integers(40, 200, (height // 40 + 2, width // 40 + 2)).astype(np.float32)
    scene = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    grain = rng.normal(0, 3, (height + n_frames, width)).astype(np.float32)
    frames = []
    for i in range(n_frames):
        luma = np.clip(scene + grain[i : i + height], 0, 255).astype(np.uint8)
        for k in range(8):
            centre = ((i * width // 60 + k * width // 8) % width, height * (2 * k + 1) // 16)
            cv2.circle(luma, centre, height // 25, 250 if k % 2 else 10, -1)
        values = luma.ravel()
        if layout.planes is Planes.YCC420:
            chroma = [np.clip(rng.normal(128, 1.5, shape), 0, 255).astype(np.uint8) for shape in layout.shapes[1:]]
            values = np.concatenate([values, *(c.ravel() for c in chroma)])
        frames.append(Frame(i, i / 30, values, layout))
    return frames
