"""Kernels of pixels at the edges: rounding to samples, and video to RGB."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Real, Samples, Scalar


@njit(cache=True, nogil=True)
def quantise_band(start: int, stop: int, x: Real, white: Scalar, out: Samples) -> None:
    """Write ``white x``, rounded and clipped to [0, white], for a band of values.

    Parameters
    ----------
    start, stop : int
        The band.
    x : (F,) float32 or float64
        Units of white.
    white : float32
        Sample of white.
    out : (F,) uint8 or uint16
        Written, samples.
    """
    for p in range(start, stop):
        out[p] = min(max(x[p] * white, np.float32(0)), white) + np.float32(0.5)


@njit(cache=True, nogil=True)
def matrix_to_rgb(
    y: Samples, cb: Samples, cr: Samples, gain: Scalar, black: Scalar, centre: Scalar, red_gain: Scalar,
    blue_gain: Scalar, red: Scalar, blue: Scalar, white: Scalar, out: Samples,
) -> None:  # fmt: skip
    """Write the red, green and blue of luma and chroma, rounded and clipped to [0, white].

    ``Y' = gain (y − black)``, ``R = Y' + red_gain (cr − centre)``, ``B = Y' + blue_gain (cb − centre)``, and G is what
    lets ``red R + green G + blue B = Y'`` (ITU-R BT.601, BT.709 and BT.2020).

    Parameters
    ----------
    y, cb, cr : (H, W) uint8 or uint16
        Samples, all at full size.
    gain, red_gain, blue_gain : float32
        Samples of the picture to one of luma, and of each chroma.
    black, centre : float32
        Samples that stand for no light, and for no colour.
    red, blue : float32
        Weights in luma; that of green is the rest to 1.
    white : float32
        Sample of white.
    out : (H, W, 3), of the same type as ``y``
        Written, samples.
    """
    green = np.float32(1) - red - blue
    half = np.float32(0.5)
    zero = np.float32(0)
    width = y.shape[1]
    # A row of each colour of its own: stores to every third sample keep the loop from being vectorised (9.2 to 2.0 ms
    # at 1080p).
    r = np.empty(width, out.dtype)
    g = np.empty(width, out.dtype)
    b = np.empty(width, out.dtype)
    for i in range(y.shape[0]):
        for j in range(width):
            luma = gain * (np.float32(y[i, j]) - black)
            u = blue_gain * (np.float32(cb[i, j]) - centre)
            v = red_gain * (np.float32(cr[i, j]) - centre)
            r[j] = min(max(luma + v + half, zero), white)
            g[j] = min(max(luma - (red * v + blue * u) / green + half, zero), white)
            b[j] = min(max(luma + u + half, zero), white)
        for j in range(width):
            out[i, j, 0] = r[j]
            out[i, j, 1] = g[j]
            out[i, j, 2] = b[j]


@njit(cache=True, nogil=True)
def opponent_band(
    start: int, stop: int, r: Samples, g: Samples, b: Samples, centre: Scalar, luma: Samples, blue: Samples,
    red: Samples,
) -> None:  # fmt: skip
    """Write luma and half-size chroma (BT.601) of RGB planes, for a band of rows of chroma.

    Parameters
    ----------
    start, stop : int
        The band.
    r, g, b : (H, W) uint8 or uint16
    centre : float32
        Sample that stands for no colour.
    luma : (H, W), of the same type
        Written.
    blue, red : (⌈H/2⌉, ⌈W/2⌉), of the same type
        Written: means over 2×2 pixels, fewer at an odd edge.
    """
    height, width = r.shape
    half = np.float32(0.5)
    for i in range(start, stop):
        for j in range(blue.shape[1]):
            u = v = np.float32(0)
            n = np.float32(0)
            for y in range(2 * i, min(2 * i + 2, height)):
                for x in range(2 * j, min(2 * j + 2, width)):
                    red_, green_, blue_ = np.float32(r[y, x]), np.float32(g[y, x]), np.float32(b[y, x])
                    grey = np.float32(0.299) * red_ + np.float32(0.587) * green_ + np.float32(0.114) * blue_
                    luma[y, x] = grey + half
                    u += blue_ - grey
                    v += red_ - grey
                    n += np.float32(1)
            blue[i, j] = centre + np.float32(0.564) * u / n + half
            red[i, j] = centre + np.float32(0.713) * v / n + half
