"""Kernels that keep the stillest looks of each pixel."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def keep_band(start, stop, change, v, half, least, looks):
    """Let a frame take the place of the least still look kept, where it is stiller, for a band of pairs of rows.

    Parameters
    ----------
    start, stop : int
        The band, pairs of rows.
    change : (H, W) uint8
        How much the surroundings of a pixel changed.
    v : (F,) uint8 or uint16
        The frame: planes of full size, or one of full and two of half size.
    half : bool
        Are the planes behind the first of half size? These follow the pixels of even rows and columns.
    least : (N, H, W) uint8
        Change at each look kept; changed.
    looks : (N, F), of the type of ``v``
        Changed.
    """
    count, height, width = least.shape
    n_full = 1 if half else v.size // change.size
    half_width = (width + 1) // 2
    half_size = half_width * ((height + 1) // 2)
    worst = np.empty(width, np.uint8)
    place = np.empty(width, np.uint8)
    for i in range(2 * start, min(2 * stop, height)):
        worst[:] = 0
        place[:] = 0
        for n in range(count):
            row = least[n, i]
            for j in range(width):
                larger = row[j] > worst[j]
                worst[j] = row[j] if larger else worst[j]
                place[j] = np.uint8(n) if larger else place[j]
        for j in range(width):
            if change[i, j] >= worst[j]:
                continue
            n = place[j]
            least[n, i, j] = change[i, j]
            for plane in range(n_full):
                p = plane * change.size + i * width + j
                looks[n, p] = v[p]
            if half and i % 2 == 0 and j % 2 == 0:
                p = change.size + (i // 2) * half_width + j // 2
                looks[n, p] = v[p]
                looks[n, p + half_size] = v[p + half_size]
