"""How alike cells are, by what the head sees of them and what it makes of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Descriptions = NDArray[np.float32]
"""What describes cells (n, D), see `core.scene.masks.detection.described`."""


def units_of(cells: Descriptions, weight: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by what descriptions (n, D) of cells are multiplied (D,), so that two at random differ by 2, squared.

    Numbers count in units of their deviation, for which each cell counts ``weight`` (n,) times. What is the same in all
    cells but for rounding has a unit of 0: it tells nothing.
    """
    share = weight.astype(np.float64) / max(float(weight.sum()), 1e-6)
    mean = share @ cells
    deviation = np.sqrt(share @ (cells - mean) ** 2)
    varies = deviation > 1e-4 * float(deviation.max(initial=0))
    unit = np.where(varies, 1 / np.where(varies, deviation, 1), 0) / max(float(np.count_nonzero(varies)), 1.0) ** 0.5
    scaled: NDArray[np.float32] = unit.astype(np.float32)
    return scaled


def likeness(cells: Descriptions, centres: Descriptions) -> NDArray[np.float32]:
    """Return ``exp(−|x − c|² / 2)``, (n, C), of cells (n, D) and centres (C, D) in such units: 1/e at random."""
    out = cells @ centres.T
    out -= np.float32(0.5) * np.square(cells).sum(axis=1)[:, None]
    out -= np.float32(0.5) * np.square(centres).sum(axis=1)
    alike: NDArray[np.float32] = np.exp(out, out=out)
    return alike
