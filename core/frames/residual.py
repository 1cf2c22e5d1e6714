"""How much of a frame a method leaves unexplained."""

from __future__ import annotations

import numpy as np

from core.frames.colour import LUMA_WEIGHTS, VIDEO_LUMA_SPAN
from core.frames.frame import Frame, Planes
from core.frames.noise import spread_over
from core.frames.split import Split

SAMPLE = 20_000
"""Pixels that it is measured from, about."""


def residual_rms(frame: Frame, split: Split) -> float:
    """Return the root mean square of luma of ``v − W h``, units of white, from about `SAMPLE` pixels.

    Luma, so that a method that works in luma and chroma can be compared with one that works in RGB.
    """
    layout, values, background = frame.layout, frame.values, split.samples(frame.layout)
    planes = [
        spread_over(values[part], SAMPLE).astype(np.float32) - spread_over(background[part], SAMPLE)
        for part in layout.slices
    ]
    if layout.planes is Planes.RGB:
        red, blue = LUMA_WEIGHTS[layout.matrix]
        luma = red * planes[0] + (1 - red - blue) * planes[1] + blue * planes[2]
    else:
        luma = planes[0] if layout.full_range else planes[0] * (255 / VIDEO_LUMA_SPAN)
    return float(np.sqrt(np.mean(np.square(luma, dtype=np.float64)))) / layout.white
