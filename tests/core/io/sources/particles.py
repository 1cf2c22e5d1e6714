"""Fluorescent particles as a camera of 16 bits sees them that has little light: counts in a small part of its range."""

import numpy as np

LOW, HIGH, SIZE, COUNT, RADIUS = 800, 4000, (120, 160), 8, 4


def particles(n_frames, *, low=LOW, high=HIGH, empty=0, seed=0):
    """Return frames and masks, both lists of (H, W).

    Over a slope between ``low`` and 15 % more of the span, bright blobs drift; in the first ``empty`` frames there are
    none. The noise is that of counted photons. The mask is where a blob brings a
    tenth of its light, well above the noise.
    """
    rng, (height, width) = np.random.default_rng(seed), SIZE
    y, x = np.mgrid[:height, :width]
    slope = low + 0.15 * (high - low) * (x / width + y / height) / 2
    starts, speeds = rng.uniform(0, 1, (COUNT, 2)) * SIZE, rng.normal((0.8, 1.5), 1.2, (COUNT, 2))
    frames, masks = [], []
    for index in range(n_frames):
        light = np.zeros(SIZE)
        for row, column in (starts + index * speeds) % SIZE if index >= empty else ():
            distance = ((y - row) ** 2 + (x - column) ** 2) / RADIUS**2
            light = np.maximum(light, np.exp(-(distance**2)))
        frames.append(rng.poisson(slope + 0.8 * (high - low) * light).clip(0, 65535).astype(np.uint16))
        masks.append(light > 0.1)
    return frames, masks
