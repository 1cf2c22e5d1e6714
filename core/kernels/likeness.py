"""Kernels of how alike cells are to those that were painted."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Scalar
from core.kernels.cell_features import (
    AROUND,
    BLOCK,
    BLOCKS,
    PLANES,
    ROWS,
    SUMS,
    TILE,
    WIDE,
    CellMaps,
    N,
    write_features,
)

FAR = 20.0
"""Half the square of a distance that counts as the largest: its part is 2e-9, less than a logit resolves."""

_u = np.uint64  # for indices
_FAR = np.float32(FAR)
_1, _2, _6, _24, _120, _720 = (np.float32(1 / factorial) for factorial in (1, 2, 6, 24, 120, 720))


@njit(cache=True, nogil=True, inline="always")
def _decay(apart: Scalar) -> Scalar:
    """Return exp(−apart) of 0 to `FAR`, to 1e-5 of it: the library's is worked out one number at a time."""
    x = apart * np.float32(-1 / 64)
    e = _1 + x * (_1 + x * (_2 + x * (_6 + x * (_24 + x * (_120 + x * _720)))))
    e *= e
    e *= e
    e *= e
    e *= e
    e *= e
    return e * e


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _likeness(cell: Floats, unit: Floats, centres: Floats, halves: Floats, weights: Floats, near: Floats) -> Scalar:
    """Return what is added to the logit of one cell (D,); ``near`` (C,) is changed."""
    n_centres, n_numbers = _u(len(halves)), _u(len(unit))
    for c in range(n_centres):
        near[c] = -halves[c]
    half = np.float32(0)
    for d in range(n_numbers):
        x = cell[d] * unit[d]
        half += np.float32(0.5) * x * x
    for d in range(_u(0), n_numbers, _u(4)):  # Four at a time, as loops over few centres are short.
        x0, x1 = cell[d] * unit[d], cell[d + _u(1)] * unit[d + _u(1)]
        x2, x3 = cell[d + _u(2)] * unit[d + _u(2)], cell[d + _u(3)] * unit[d + _u(3)]
        for c in range(n_centres):
            sum_01 = x0 * centres[d, c] + x1 * centres[d + _u(1), c]
            near[c] += sum_01 + (x2 * centres[d + _u(2), c] + x3 * centres[d + _u(3), c])
    total = np.float32(0)
    for c in range(n_centres):
        total += weights[c] * _decay(min(max(half - near[c], np.float32(0)), _FAR))
    return total


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
        The x; D is a multiple of 4.
    unit : (D,) float32
    centres : (D, C) float32
        The c, one a column.
    halves : (C,) float32
        Half of the square of each.
    weights : (C,) float32
    out : (n,) float32
        Written.
    """
    near = np.empty(len(halves), np.float32)
    for i in range(_u(start), _u(stop)):
        out[i] = _likeness(cells[i], unit, centres, halves, weights, near)


@njit(cache=True, nogil=True, error_model="numpy")
def teach_band(
    start: int, stop: int, active: Bytes, maps: CellMaps, last_layer: Floats, unit: Floats, centres: Floats,
    halves: Floats, weights: Floats, logit: Floats,
) -> None:  # fmt: skip
    """Add to the logits what `add_likeness` writes, in active blocks of a band of rows of blocks.

    A cell is described by the N activations of the head's last layer, then by its N features.

    Parameters
    ----------
    start, stop, active, maps
        See `core.kernels.head.enter_band`.
    last_layer : (BLOCK (stop − start) or less, w, N) float32
        Of the band's cells.
    unit, centres, halves, weights
        See `add_likeness`; D is 2 N.
    logit : (h, w) float32
        Changed.
    """
    height, width = maps.peak.shape
    planes, features = np.empty(PLANES * TILE, np.float32), np.empty(N * TILE, np.float32)
    around, sums = np.empty((2, ROWS * AROUND), np.float32), np.empty(SUMS, np.float32)
    near, cell = np.empty(len(halves), np.float32), np.empty(2 * N, np.float32)
    for r in range(start, stop):
        top = r * BLOCK
        for first in range(0, active.shape[1], BLOCKS):
            last = min(first + BLOCKS, active.shape[1])
            if not active[r, first:last].any():
                continue
            left = first * BLOCK
            write_features(top, left, maps, planes, around, sums, features)
            for j in range(left, min(last * BLOCK, width)):
                if not active[r, j // BLOCK]:
                    continue
                for i in range(top, min(top + BLOCK, height)):
                    cell[:N] = last_layer[i - start * BLOCK, j]
                    for k in range(N):
                        cell[N + k] = features[k * TILE + (i - top) * WIDE + j - left]
                    logit[i, j] += _likeness(cell, unit, centres, halves, weights, near)
