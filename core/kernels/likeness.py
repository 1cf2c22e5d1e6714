"""Kernel of how alike cells are to those that were painted."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Floats

_u = np.uint64  # for indices


@njit(cache=True, nogil=True, error_model="numpy")
def add_likeness(
    start: int, stop: int, cells: Floats, unit: Floats, centres: Floats, halves: Floats, weights: Floats, out: Floats
) -> None:
    """Write ``Σ weight exp(−|unit x − c|² / 2)`` of some cells.

    Parameters
    ----------
    start, stop : int
        Which cells.
    cells : (n, D) float32
        The x.
    unit : (D,) float32
    centres : (D, C) float32
        The c, one a column.
    halves : (C,) float32
        Half of the square of each.
    weights : (C,) float32
    out : (n,) float32
        Written.
    """
    n_numbers, n_centres = _u(centres.shape[0]), _u(centres.shape[1])
    near = np.empty(n_centres, np.float32)
    for i in range(_u(start), _u(stop)):
        for c in range(n_centres):
            near[c] = -halves[c]
        half = np.float32(0)
        for d in range(n_numbers):
            x, row = cells[i, d] * unit[d], centres[d]
            half += np.float32(0.5) * x * x
            for c in range(n_centres):
                near[c] += x * row[c]
        total = np.float32(0)
        for c in range(n_centres):
            total += weights[c] * np.exp(near[c] - half)
        out[i] = total
