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
    half = np.float32(0.5)
    height, width = r.shape
    # Rows of chroma at full size, edges repeated: loops over squares are not vectorised (24 to 1.4 ms at 1080p).
    u = np.empty((2, 2 * blue.shape[1]), np.float32)
    v = np.empty((2, 2 * blue.shape[1]), np.float32)
    for i in range(start, stop):
        for k in range(2):
            y = min(2 * i + k, height - 1)
            reds, greens, blues, greys, us, vs = r[y], g[y], b[y], luma[y], u[k], v[k]
            for x in range(width):
                red_, green_, blue_ = np.float32(reds[x]), np.float32(greens[x]), np.float32(blues[x])
                grey = np.float32(0.299) * red_ + np.float32(0.587) * green_ + np.float32(0.114) * blue_
                greys[x] = grey + half
                us[x] = blue_ - grey
                vs[x] = red_ - grey
            us[width:] = us[width - 1]
            vs[width:] = vs[width - 1]
        for j in range(blue.shape[1]):
            of_blue = u[0, 2 * j] + u[0, 2 * j + 1] + u[1, 2 * j] + u[1, 2 * j + 1]
            of_red = v[0, 2 * j] + v[0, 2 * j + 1] + v[1, 2 * j] + v[1, 2 * j + 1]
            blue[i, j] = centre + np.float32(0.564 / 4) * of_blue + half
            red[i, j] = centre + np.float32(0.713 / 4) * of_red + half
