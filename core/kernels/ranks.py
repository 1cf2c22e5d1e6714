"""Kernels that find which number has a rank, without putting all in order: medians and quartiles of each frame."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Floats

BINS = 1 << 11
"""Numbers are told apart by 11 bits at a time: bits of floats without a sign are in the order of their values."""


@njit(cache=True, nogil=True)
def ranked_size(values: Floats, every: int, place: int) -> np.float32:
    """Return the size that has a place, from 0, among the sizes of each n-th value in their order.

    Parameters
    ----------
    values : (N,) float32
    every : int
        The n.
    place : int
        Below the number of values that are looked at.
    """
    n = (values.size + every - 1) // every
    sizes = np.empty(n, np.float32)
    for i in range(n):
        sizes[i] = abs(values[i * every])
    return _ranked(sizes, place)


@njit(cache=True, nogil=True)
def median_of_grid(plane: Floats, every: int) -> np.float32:
    """Return the upper median of the sizes of each n-th number of each n-th row of a map.

    Parameters
    ----------
    plane : (h, w) float32
    every : int
        The n.
    """
    height, width = plane.shape
    columns = (width + every - 1) // every
    n = (height + every - 1) // every * columns
    sizes = np.empty(n, np.float32)
    at = 0
    for i in range(0, height, every):
        row = plane[i]
        for j in range(columns):
            sizes[at + j] = abs(row[j * every])
        at += columns
    return _ranked(sizes, n // 2)


@njit(cache=True, nogil=True)
def _ranked(sizes: Floats, place: int) -> np.float32:
    """Return the number that has a place among sizes; these are overwritten."""
    kept, n = sizes.view(np.uint32), sizes.size
    counts = np.empty(BINS, np.int32)
    for shift in (21, 10, 0):  # 10 bits are left for the last time.
        counts[:] = 0
        for i in range(n):
            counts[(kept[i] >> np.uint32(shift)) & np.uint32(BINS - 1)] += 1
        wanted = 0
        while wanted < BINS and place >= counts[wanted]:
            place -= counts[wanted]
            wanted += 1
        m = 0
        for i in range(n):
            if (kept[i] >> np.uint32(shift)) & np.uint32(BINS - 1) == wanted:
                kept[m] = kept[i]
                m += 1
        n = m
    found: np.float32 = sizes[0]
    return found
