"""What kernels of the mask ask of the pixels around one: the range of their samples, and what most of them are."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Samples

RING = 5
"""Rows of marks that `majority_row` needs at a time: those that a pixel's neighbourhood reaches over."""


@njit(cache=True, nogil=True)
def leave_range(seen: Samples, known: Samples, i: int, high: Samples, low: Samples, beyond: Samples) -> None:
    """Write by how much each sample of row ``i`` leaves the range of the background's 3×3 neighbourhood; 0 inside."""
    n = seen.size
    above, here, below = known[max(i - 1, 0)], known[i], known[min(i + 1, known.shape[0] - 1)]
    most, least = high[1 : n + 1], low[1 : n + 1]
    for j in range(n):
        a, b, c = above[j], here[j], below[j]
        ab = a if a > b else b
        most[j] = ab if ab > c else c
        ab = a if a < b else b
        least[j] = ab if ab < c else c
    high[0], low[0], high[n + 1], low[n + 1] = high[1], low[1], high[n], low[n]
    left, right, left_low, right_low = high[0:n], high[2 : n + 2], low[0:n], low[2 : n + 2]
    for j in range(n):
        a, b, c = left[j], most[j], right[j]
        ab = a if a > b else b
        top = ab if ab > c else c
        a, b, c = left_low[j], least[j], right_low[j]
        ab = a if a < b else b
        bottom = ab if ab < c else c
        x = seen[j]
        nearest = top if x > top else x
        nearest = bottom if nearest < bottom else nearest
        beyond[j] = x - nearest if x > nearest else nearest - x


@njit(cache=True, nogil=True)
def beyond_range(seen: Samples, known: Samples, y: int, x: int) -> np.float32:
    """Return by how much the sample at (y, x) leaves the range of the background's 3×3 neighbourhood; 0 inside."""
    height, width = known.shape
    high = low = np.int32(known[y, x])
    for v in range(max(y - 1, 0), min(y + 2, height)):
        for u in range(max(x - 1, 0), min(x + 2, width)):
            sample = np.int32(known[v, u])
            high, low = max(high, sample), min(low, sample)
    sample = np.int32(seen[y, x])
    return np.float32(max(sample - high, low - sample, np.int32(0)))


@njit(cache=True, nogil=True)
def majority_row(marks: Bytes, i: int, height: int, padded: Bytes, out: Bytes) -> None:
    """Write row ``i`` of the mask; row y of the picture is row ``y % RING`` of ``marks``."""
    width = out.size
    counts = padded[2 : width + 2]
    a, b = marks[mirrored(i - 2, height) % RING], marks[mirrored(i - 1, height) % RING]
    c = marks[i % RING]
    d, e = marks[mirrored(i + 1, height) % RING], marks[mirrored(i + 2, height) % RING]
    for j in range(width):
        counts[j] = (a[j] & 1) + (b[j] & 1) + (c[j] & 1) + (d[j] & 1) + (e[j] & 1)
    for side in (1, 2):
        padded[2 - side] = counts[mirrored(-side, width)]
        padded[width + 1 + side] = counts[mirrored(width - 1 + side, width)]
    p, q, r, s, t = padded[0:width], padded[1 : width + 1], counts, padded[3 : width + 3], padded[4 : width + 4]
    for j in range(width):
        n = np.uint8(p[j] + q[j] + r[j] + s[j] + t[j])
        out[j] = np.uint8(255) if n > np.uint8(12) else np.uint8(0)


@njit(cache=True, nogil=True)
def mirrored(i: int, n: int) -> int:
    """Return the index that lies beyond the edge as ``i`` does, mirrored on the outermost pixel's centre."""
    while n > 1 and not 0 <= i < n:
        i = -i if i < 0 else 2 * (n - 1) - i
    return i if n > 1 else 0
