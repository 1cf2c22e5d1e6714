"""Kernels that take a probability from cells to pixels, along the edges that the picture has."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Samples, Scalar

SURE = np.float32(6)
"""Logits count as this much at most: beyond, a cell would outvote whatever its pixels show."""


@njit(cache=True, nogil=True)
def refine_band(
    start: int, stop: int, seen: Samples, known: Samples, side: int, unit: Scalar, logit: Floats, likeness: Floats,
    variance: Floats, bar: Scalar, pull: Scalar, mask: Bytes,
) -> None:  # fmt: skip
    """Write 255 where the logit of a pixel is over a bar, 0 elsewhere, for a band of rows of cells.

    A pixel's logit is interpolated between the cells around it; a pixel that departs from the background by more than
    what is around it is drawn to the foreground, one that departs by less to the background.

    Parameters
    ----------
    start, stop : int
        The band, rows of cells.
    seen, known : (H, W) uint8 or uint16
        Luma of the frame and of the background.
    side : int
        Rows and columns of a cell, samples.
    unit : float32
        Grey levels to a sample.
    logit : (h, w) float32
    likeness : (h, w) float32
        How far cells depart from the background: mean over pixels of d / (d + 4 σ).
    variance : (h, w) float32
        σ², grey levels².
    bar : float32
    pull : float32
        How much of a logit it is worth.
    mask : (H, W) uint8
        Written.
    """
    height, width = mask.shape
    rows, columns = logit.shape
    inverse = np.float32(1) / np.float32(side)
    for i in range(start, stop):
        top, bottom = max(i - 1, 0), min(i + 1, rows - 1)
        first, last = i * side, min(i * side + side, height)
        for y in range(first, last):
            mask[y] = 0
        for j in range(columns):
            left, right = max(j - 1, 0), min(j + 1, columns - 1)
            least = most = logit[i, j]
            for r in range(top, bottom + 1):
                for c in range(left, right + 1):
                    x = logit[r, c]
                    least, most = min(least, x), max(most, x)
            if most <= bar - pull:
                continue
            low, high = j * side, min(j * side + side, width)
            if least > bar + pull:
                for y in range(first, last):
                    mask[y, low:high] = 255
                continue
            four_sigma = np.float32(4) * np.sqrt(variance[i, j])
            for y in range(first, last):
                v = (np.float32(y - first) + np.float32(0.5)) * inverse - np.float32(0.5)
                r = bottom if v > 0 else top
                v = abs(v)
                for x in range(low, high):
                    u = (np.float32(x - low) + np.float32(0.5)) * inverse - np.float32(0.5)
                    c = right if u > 0 else left
                    u = abs(u)
                    z = (np.float32(1) - v) * ((np.float32(1) - u) * _cut(logit[i, j]) + u * _cut(logit[i, c])) + v * (
                        (np.float32(1) - u) * _cut(logit[r, j]) + u * _cut(logit[r, c])
                    )
                    usual = (np.float32(1) - v) * ((np.float32(1) - u) * likeness[i, j] + u * likeness[i, c]) + v * (
                        (np.float32(1) - u) * likeness[r, j] + u * likeness[r, c]
                    )
                    d = unit * abs(np.float32(seen[y, x]) - np.float32(known[y, x]))
                    z += pull * (d / (d + four_sigma) - usual)
                    if z > bar:
                        mask[y, x] = 255


@njit(cache=True, nogil=True, inline="always")
def _cut(x: Scalar) -> np.float32:
    return min(max(x, -SURE), SURE)
