"""Kernels of highlights: cells whose background is as bright as can be shown, and is brighter than that."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Scalar


@njit(cache=True, nogil=True)
def is_darker(usual: Floats, expected: Floats, full: Scalar, share: Scalar) -> bool:
    """Tell whether the background of a frame is darker than it usually is, in most cells of which that can be told.

    Parameters
    ----------
    usual : (h, w) float32
        As `learn_usual_light` writes it, grey levels.
    expected : (h, w) float32
        Luma of the background in the light of the frame, grey levels.
    full : float32
        Of cells from that on it is not known how bright they are, grey levels.
    share : float32
        A darker cell has less than so much of its usual light.
    """
    height, width = usual.shape
    balance, zero = np.int64(0), np.float32(0)
    for i in range(height):
        b, e = usual[i], expected[i]
        for j in range(width):
            is_known = (b[j] > zero) & (b[j] < full)
            balance += np.int64(is_known & (e[j] < share * b[j])) - np.int64(is_known & (e[j] >= share * b[j]))
    return bool(balance > 0)


@njit(cache=True, nogil=True)
def find_beyond(
    usual: Floats, shown: Floats, expected: Floats, square: Floats, variance: Floats, full: Scalar, bar: Scalar,
    found: Bytes,
) -> int:  # fmt: skip
    """Write 1 for cells whose background is usually at full light, lies below it now, and is exceeded by the frame.

    Parameters
    ----------
    usual : (h, w) float32
        As `learn_usual_light` writes it, grey levels.
    shown, expected : (h, w) float32
        Luma of the frame and of the background, grey levels.
    square, variance : (h, w) float32
        Mean square of their difference, and square of the noise, grey levels².
    full : float32
        Least luma of full light, grey levels.
    bar : float32
        A cell differs where its square exceeds so many variances.
    found : (h, w) uint8
        Written: 1 there, else 0.

    Returns
    -------
    n : int
        How many there are.
    """
    height, width = shown.shape
    n = 0
    for i in range(height):
        most, now, then, e, s, out = usual[i], shown[i], expected[i], square[i], variance[i], found[i]
        some = np.uint8(0)
        for j in range(width):
            exceeds = (most[j] >= full) & (then[j] < full) & (now[j] > then[j]) & (e[j] > bar * s[j])
            out[j] = np.uint8(exceeds)
            some |= out[j]
        if some:
            for j in range(width):
                n += out[j]
    return n


@njit(cache=True, nogil=True)
def learn_usual_light(shown: Floats, differs: Bytes, unseen: Bytes, rate: Scalar, usual: Floats) -> None:
    """Learn how bright the background of each cell usually is: a step ``b ← b + rate (y − b)``, at first all the way.

    Parameters
    ----------
    shown : (h, w) float32
        Luma y of the frame, grey levels.
    differs, unseen : (h, w) uint8
        Not 0 where the frame differs from the background or hides it: nothing is learnt.
    rate : float32
    usual : (h, w) float32
        Changed: b, grey levels; 0 where it was never seen.
    """
    height, width = shown.shape
    zero, one = np.float32(0), np.float32(1)
    for i in range(height):
        y, b, d, u = shown[i], usual[i], differs[i], unseen[i]
        for j in range(width):
            seen = one if (d[j] | u[j]) == 0 else zero
            b[j] += seen * (one if b[j] == zero else rate) * (y[j] - b[j])
