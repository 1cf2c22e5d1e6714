"""Kernels of the mask: residuals to a score in noise units, and the noise of each pixel."""

from __future__ import annotations

import numpy as np
from numba import njit

SCORE_UNIT = 16
"""Steps of the score to one noise scale: a score of 255 is 16 scales."""


@njit(cache=True, nogil=True)
def opponent_band(start, stop, r, g, b, luma, blue, red):
    """Write luma, blue and red differences of RGB residuals (BT.601) for a band of pixels.

    Parameters
    ----------
    start, stop : int
        The band.
    r, g, b : (P,) float32
    luma, blue, red : (P,) float32
        Written.
    """
    for p in range(start, stop):
        y = np.float32(0.299) * r[p] + np.float32(0.587) * g[p] + np.float32(0.114) * b[p]
        luma[p] = y
        blue[p] = np.float32(0.564) * (b[p] - y)
        red[p] = np.float32(0.713) * (r[p] - y)


@njit(cache=True, nogil=True)
def score_band(start, stop, e, variance, score):
    """Write ``SCORE_UNIT |e| / σ``, at most 255, for a band.

    Parameters
    ----------
    start, stop : int
        The band.
    e, variance : (P,) float32
        Residual, and the square of the noise scale; units of white.
    score : (P,) uint8
        Written.
    """
    unit = np.float32(SCORE_UNIT)
    for p in range(start, stop):
        score[p] = np.uint8(min(unit * abs(e[p]) / np.sqrt(variance[p]), np.float32(255)))


@njit(cache=True, nogil=True)
def learn_noise_band(start, stop, e, mask, rate, floor, ceiling, variance):
    """Move the variance towards ``e²`` where the mask is 0, for a band.

    Parameters
    ----------
    start, stop : int
        The band.
    e : (P,) float32
        Residual, units of white.
    mask : (P,) uint8
    rate : float32
        Share of the way.
    floor, ceiling : float32
        Bounds of the variance.
    variance : (P,) float32
        Changed.
    """
    for p in range(start, stop):
        moved = variance[p] + rate * (e[p] * e[p] - variance[p])
        moved = min(max(moved, floor), ceiling)
        variance[p] = variance[p] if mask[p] else moved
