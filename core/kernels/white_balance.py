"""Kernel of white balance: a picture whose red, green and blue are turned up."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Floats, Samples, Scalar


@njit(cache=True, nogil=True)
def mix_band(
    start: int, stop: int, luma: Samples, blue: Samples, red: Samples, mix: Floats, dark: Scalar, neutral: Scalar,
    white: Scalar, luma_out: Samples, blue_out: Samples, red_out: Samples,
) -> None:  # fmt: skip
    """Write luma and half-size chroma as a mix of both, to the nearest sample, for a band of rows of chroma.

    Parameters
    ----------
    start, stop : int
        The band.
    luma : (H, W) uint8 or uint16
    blue, red : (⌈H/2⌉, ⌈W/2⌉), of the same type
    mix : (3, 3) float32
        What luma, blue and red count for in each of the planes.
    dark, neutral, white : float32
        Samples of no light and of no colour, and the largest one.
    luma_out, blue_out, red_out
        As the planes that they are made of. Written; chroma goes by the first of its four pixels.
    """
    height, width = luma.shape
    zero, half = np.float32(0), np.float32(0.5)
    for i in range(start, stop):
        for j in range(blue.shape[1]):
            y = np.float32(luma[2 * i, 2 * j]) - dark
            b, r = np.float32(blue[i, j]) - neutral, np.float32(red[i, j]) - neutral
            b_now, r_now = mix[1, 0] * y + mix[1, 1] * b + mix[1, 2] * r, mix[2, 0] * y + mix[2, 1] * b + mix[2, 2] * r
            blue_out[i, j] = min(max(b_now + neutral + half, zero), white)
            red_out[i, j] = min(max(r_now + neutral + half, zero), white)
            more = mix[0, 1] * b + mix[0, 2] * r + dark + half
            for p in range(2 * i, min(2 * i + 2, height)):
                for q in range(2 * j, min(2 * j + 2, width)):
                    luma_out[p, q] = min(max(mix[0, 0] * (np.float32(luma[p, q]) - dark) + more, zero), white)
