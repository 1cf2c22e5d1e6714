"""Kernels of what is learnt of cells over time: noise, unrest, cover; and for how long a cell has looked the same."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Floats, Scalar


@njit(cache=True, nogil=True)
def learn_cells_band(
    start: int, stop: int, square: Floats, change: Floats, logit: Floats, unseen: Bytes, rate: Scalar, slow: Scalar,
    clip: Scalar, floor: Scalar, variance: Floats, usual: Floats, unrest: Floats, cover: Floats,
) -> None:  # fmt: skip
    """Learn what is typical of a band of rows of cells.

    The noise takes a step ``s ← s + rate w (min(e², clip s) − s)``, where p is the probability of foreground and
    ``w = 1 − p``; what is usual and the unrest one towards |e| and |c|, whatever the cell shows; cover towards p.

    Parameters
    ----------
    start, stop : int
        The band.
    square : (P, h, w) float32
        e², mean over the cell, of each plane.
    change : (h, w) float32
        |c|, by how much luma changed since the frame before.
    logit : (h, w) float32
        Of foreground.
    unseen : (h, w) uint8
        Not 0 where the frame shows nothing of the scene: nothing is learnt there.
    rate, slow : float32
        Of all others, and of cover.
    clip, floor : float32
        Squares count as so many variances at most; least variance.
    variance : (P, h, w) float32
        Changed: s.
    usual, unrest, cover : (h, w) float32
        Changed.
    """
    one = np.float32(1)
    width = logit.shape[1]
    weight = np.empty(width, np.float32)
    for i in range(start, stop):
        for j in range(width):
            z = logit[i, j]
            p = one / (one + np.exp(-z)) if z > np.float32(-9) else np.float32(0)
            seen = np.float32(unseen[i, j] == 0)
            weight[j] = rate * seen * (one - p)
            cover[i, j] += slow * seen * (p - cover[i, j])
            usual[i, j] += rate * seen * (np.sqrt(square[0, i, j]) - usual[i, j])
            unrest[i, j] += rate * seen * (change[i, j] - unrest[i, j])
        for k in range(variance.shape[0]):
            s, e = variance[k, i], square[k, i]
            for j in range(width):
                s[j] = max(s[j] + weight[j] * (min(e[j], clip * s[j]) - s[j]), floor)


@njit(cache=True, nogil=True)
def age_band(
    start: int, stop: int, shown: Floats, marked: Bytes, near: Floats, seen: Floats, age: NDArray[np.uint16]
) -> None:
    """Count for how many frames each marked cell has looked the same, for a band of rows.

    Parameters
    ----------
    start, stop : int
        The band.
    shown : (P, h, w) float32
        The cells of the frame.
    marked : (h, w) uint8
        Where this is 0 the count is 0.
    near : (P,) float32
        Larger differences than these are another appearance, which halves the count.
    seen : (P, h, w) float32
        What it is compared with; taken from the frame where the count starts anew.
    age : (h, w) uint16
        Changed.
    """
    for i in range(start, stop):
        asked, ages = marked[i], age[i]
        for j in range(asked.size):
            if asked[j] == 0:
                ages[j] = 0
                continue
            same = ages[j] > 0
            for k in range(shown.shape[0]):
                same &= abs(shown[k, i, j] - seen[k, i, j]) <= near[k]
            if same:
                ages[j] = min(np.int64(ages[j]) + 1, 65535)
            elif ages[j] > 1:
                ages[j] //= 2
            else:
                ages[j] = 1
                for k in range(shown.shape[0]):
                    seen[k, i, j] = shown[k, i, j]
