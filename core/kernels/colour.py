"""Kernels of pixels at the edges: rounding to samples, and video to RGB."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def quantise_band(start, stop, x, white, out):
    """Write ``white x``, rounded and clipped to [0, white], into ``out`` for a band of values."""
    for p in range(start, stop):
        out[p] = min(max(x[p] * white, np.float32(0)), white) + np.float32(0.5)


@njit(cache=True, nogil=True)
def matrix_to_rgb(y, cb, cr, gain, black, centre, red_gain, blue_gain, red, blue, white, out):
    """Write RGB = matrix · (Y, Cb, Cr) into ``out`` (H, W, 3), rounded and clipped to [0, white]."""
    green = np.float32(1) - red - blue
    half = np.float32(0.5)
    zero = np.float32(0)
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            luma = gain * (np.float32(y[i, j]) - black)
            u = blue_gain * (np.float32(cb[i, j]) - centre)
            v = red_gain * (np.float32(cr[i, j]) - centre)
            out[i, j, 0] = min(max(luma + v + half, zero), white)
            out[i, j, 1] = min(max(luma - (red * v + blue * u) / green + half, zero), white)
            out[i, j, 2] = min(max(luma + u + half, zero), white)
