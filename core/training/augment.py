"""Examples as other footage might give them: other noise, contrast, colours; and how much each cell counts."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Map = NDArray[np.float32]

LUMA, PEAK, SQUARE, BLUE, RED, LEVELS, TINT, USUAL = range(8)
CONTRAST, EXPECTED_CONTRAST, LIGHT, UNREST, COVER, NOISE, CHANGE = range(9, 16)
"""Where `core.kernels.cell_features.write_features` has what."""

HALVES = {
    LUMA: 4, PEAK: 4, SQUARE: 4, BLUE: 4, RED: 4, LEVELS: 16, TINT: 8, CONTRAST: 8, EXPECTED_CONTRAST: 8, UNREST: 4,
    NOISE: 4, CHANGE: 4,
}  # fmt: skip
"""Features that are x / (c + |x|), and their c."""

NO_CHROMA = 0.08
"""Share of the crops in colour that are shown without it: grey footage is rarer among the clips."""

SPREAD = 0.3
"""Spread of the logarithm of factors for noise and contrast: without them, weights that were fitted for longer were
better on drawn clips and worse on real ones."""

JITTER = 0.02
"""Noise that is added to each feature."""

HOPELESS, WEAK = 0.1, 0.35
"""Foreground around which nothing departs by more than two noise scales (squashed: `WEAK`) counts only so much: at full
weight it teaches to take any doubt for foreground."""

SHADOWS, SWAY = 3.5, 1.8
"""Cells in shadow, and background that never rests (`UNREST` above `RESTLESS`), count so much more: they are few in
drawn clips, and most of what was mistaken in real ones."""

RESTLESS = 0.45


def varied(features: Map, active: NDArray[np.generic], rng: np.random.Generator) -> Map:
    """Return features (N, h, w) as another camera, in other light, might give them; 0 where inactive."""
    out = features.copy()
    noise, contrast = np.exp(rng.normal(0, SPREAD, 2))
    for index in (LUMA, PEAK, SQUARE, BLUE, RED, CHANGE):
        _scale(out, index, contrast / noise)
    for index in (LEVELS, TINT, CONTRAST, EXPECTED_CONTRAST):
        _scale(out, index, contrast)
    _scale(out, NOISE, noise)
    _scale(out, UNREST, contrast * np.exp(rng.normal(0, SPREAD)))
    out[COVER] *= rng.uniform(0.3, 1.4) if rng.random() > 0.1 else 0
    share = out[USUAL]  # e / (e + usual)
    out[USUAL] = share / (share + (1 - share) * np.exp(rng.normal(0, 0.25)) + 1e-6)
    out[LIGHT] *= np.exp(rng.normal(0, 0.2))
    out += rng.normal(0, JITTER, out.shape).astype(np.float32)
    out *= active.astype(np.float32)
    _change_chroma(out, rng)
    return out


def importance(features: Map, foreground: Map, shadow: Map, shadows: float = SHADOWS) -> Map:
    """Return how much each cell (h, w) counts, by its features (N, h, w) and what it shows; ``shadows`` in shadow."""
    evidence = np.maximum(features[SQUARE], np.maximum(abs(features[BLUE]), abs(features[RED])))
    weak = (cv2.blur(evidence, (7, 7)) < WEAK) & (foreground > 0.5)
    counts = np.where(weak, HOPELESS, 1.0) * np.where(shadow > 0.5, shadows, 1.0)
    restless = (foreground < 0.5) & (features[UNREST] > RESTLESS)
    return (counts * np.where(restless, SWAY, 1.0)).astype(np.float32)


def _scale(features: Map, index: int, factor: float) -> None:
    """Let a squashed feature be that of ``factor`` times what it stands for."""
    half, seen = HALVES[index], features[index]
    x = factor * half * seen / (1.0001 - np.minimum(np.abs(seen), 1))
    features[index] = x / (half + np.abs(x))


def _change_chroma(features: Map, rng: np.random.Generator) -> None:
    """Let chroma be absent, or swapped, or turned to the opposite: no colour is more telling than another."""
    if rng.random() < NO_CHROMA:
        features[[BLUE, RED, TINT]] = 0
        return
    if rng.random() < 0.5:
        features[[BLUE, RED]] = features[[RED, BLUE]]
    for plane in (BLUE, RED):
        features[plane] *= rng.choice((-1, 1))
