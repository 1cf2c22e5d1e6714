"""The stack on which scripts/jobs.py shows the work of a microscopist."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import tifffile

N_FRAMES = 120


def draw_particles(path: Path) -> None:
    """Draw a 16-bit stack of particles that drift over a still background, with the scale that ImageJ would state."""
    rng, side = np.random.default_rng(7), 256
    cells = cv2.GaussianBlur(rng.random((side, side), np.float32), (0, 0), 9)
    cells = (cells - cells.min()) / np.ptp(cells)
    background = 2600 + 5200 * cells**2
    places, speeds = rng.uniform(0, side, (26, 2)), rng.normal(0, 1.6, (26, 2))
    rows, columns = np.mgrid[:side, :side].astype(np.float32)
    frames = np.empty((N_FRAMES, side, side), np.uint16)
    for frame in frames:
        light = np.zeros_like(background)
        for row, column in places:
            light += np.exp(-((rows - row) ** 2 + (columns - column) ** 2) / 7)
        frame[:] = np.clip(rng.poisson(background + 3400 * light), 0, 65535)
        places = (places + speeds) % side
    stated = {"axes": "TYX", "unit": "micron", "finterval": 0.5}
    tifffile.imwrite(path, frames, imagej=True, resolution=(1 / 0.21, 1 / 0.21), metadata=stated)
