"""Kernels of boxes: which of many share pixels with which of many others."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Integers


@njit(cache=True, nogil=True)
def find_meeting(a: NDArray[np.float64], b: NDArray[np.float64], order: NDArray[np.int64]) -> Integers:
    """Return the pairs of boxes that share an area; nothing is made that grows with the product of both numbers.

    Parameters
    ----------
    a, b : (N, 4), (M, 4) float64
        Left, top, right and bottom of each box, pixels.
    order : (M,) int64
        Those of ``b`` by their left edge.

    Returns
    -------
    pairs : (P, 2) int32
        A box of ``a`` and one of ``b``, in the order of ``a``.
    """
    n = 0
    for i in range(len(a)):
        for j in order:
            if b[j, 0] >= a[i, 2]:
                break
            n += b[j, 2] > a[i, 0] and b[j, 1] < a[i, 3] and b[j, 3] > a[i, 1]
    out = np.empty((n, 2), np.int32)
    n = 0
    for i in range(len(a)):
        for j in order:
            if b[j, 0] >= a[i, 2]:
                break
            if b[j, 2] > a[i, 0] and b[j, 1] < a[i, 3] and b[j, 3] > a[i, 1]:
                out[n, 0], out[n, 1] = i, j
                n += 1
    return out
