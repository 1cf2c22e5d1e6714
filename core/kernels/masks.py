"""Kernels of the mask: differences to scores in noise units, and what each pixel's noise is.

The planes are luma at full size and two chroma planes at half size, in whole samples; flicker is one number for each
block of `BLOCK` by `BLOCK` pixels. Loops run over a band of rows.
"""

from __future__ import annotations

import numpy as np
from numba import njit

SCORE_UNIT = 16
"""Steps of the score to one noise scale: a score of 255 is 16 scales."""

BLOCK = 8
"""Side of a flicker block, pixels."""


@njit(cache=True, nogil=True)
def opponent_band(start, stop, r, g, b, centre, luma, blue, red):
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


@njit(cache=True, nogil=True)
def score_band(start, stop, e, variance, flicker, calm, shift, out):
    """Write ``SCORE_UNIT · e / (σ (1 + calm · flicker))``, at most 255, for a band of rows.

    Parameters
    ----------
    start, stop : int
        The band.
    e : (H, W) uint8 or uint16
        Size of the difference, samples.
    variance : (H, W) float32
        Square of the noise scale, samples².
    flicker : (h, w) float32
        Share of the pixels of a block that change sides from frame to frame.
    calm : float32
        How much flicker raises the bar.
    shift : int
        Rows and columns of ``e`` to a block of ``flicker``, as a power of two.
    out : (H, W) uint8
        Written.
    """
    unit, one, top = np.float32(SCORE_UNIT), np.float32(1), np.float32(255)
    for i in range(start, stop):
        blocks = flicker[i >> shift]
        for j in range(e.shape[1]):
            bar = one + calm * blocks[j >> shift]
            out[i, j] = min(unit * np.float32(e[i, j]) / (bar * np.sqrt(variance[i, j])), top)


@njit(cache=True, nogil=True)
def learn_noise_band(start, stop, e, mask, step, flicker, spread, rate, clip, floor, ceiling, shift, variance):
    """Move the variance towards ``e²`` where the mask is 0, for a band of rows.

    Squares count as ``(clip + spread · flicker)`` variances at most. What passes by less than ``1 / clip`` of the
    time cannot inflate the noise without bound; texture that sways flickers, and may.

    Parameters
    ----------
    start, stop : int
        The band.
    e : (H, W) uint8 or uint16
        Size of the difference, samples.
    mask : (H·step, W·step) uint8
        Foreground, at full size.
    step : int
        Rows and columns of the mask to one of ``e``: 1 or 2.
    flicker : (h, w) float32
        As in `score_band`.
    spread, rate, clip : float32
        See above; ``rate`` is the share of the way in one frame.
    floor, ceiling : float32
        Bounds of the variance, samples².
    shift : int
        As in `score_band`.
    variance : (H, W) float32
        Changed.
    """
    for i in range(start, stop):
        blocks = flicker[i >> shift]
        covered = mask[i * step]
        for j in range(e.shape[1]):
            s = variance[i, j]
            x = np.float32(e[i, j])
            square = min(x * x, (clip + spread * blocks[j >> shift]) * s)
            moved = min(max(s + rate * (square - s), floor), ceiling)
            variance[i, j] = s if covered[j * step] else moved


@njit(cache=True, nogil=True)
def learn_flicker_band(start, stop, raw, before, near, rate, flicker):
    """Move each block's flicker towards the share of its pixels that changed sides, for a band of blocks.

    Parameters
    ----------
    start, stop : int
        The band.
    raw, before : (H, W) uint8
        Pixels over the threshold, before any clean-up, of this frame and the one before.
    near : (H, W) uint8
        Not 0 near foreground: changes there do not count.
    rate : float32
        Share of the way in one frame.
    flicker : (⌈H/BLOCK⌉, ⌈W/BLOCK⌉) float32
        Changed.
    """
    height, width = raw.shape
    for i in range(start, stop):
        for j in range(flicker.shape[1]):
            n = changed = 0
            for y in range(i * BLOCK, min(i * BLOCK + BLOCK, height)):
                for x in range(j * BLOCK, min(j * BLOCK + BLOCK, width)):
                    n += 1
                    changed += (raw[y, x] != before[y, x]) & (near[y, x] == 0)
            flicker[i, j] += rate * (np.float32(changed) / np.float32(n) - flicker[i, j])
