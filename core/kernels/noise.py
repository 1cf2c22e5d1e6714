"""Kernels of the noise: the limit of each pixel, and how it is learnt.

The planes are luma at full size and two chroma planes at half size, in whole samples; flicker is one number for each
block of `BLOCK` by `BLOCK` pixels. Loops run over a band of rows.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Samples, Scalar
from core.kernels.neighbourhoods import leave_range

BLOCK = 8
"""Side of a flicker block, pixels."""


@njit(cache=True, nogil=True)
def limit_band(
    start: int, stop: int, variance: Floats, step: int, flicker: Floats, threshold: Scalar, calm: Scalar,
    limit: Samples,
) -> None:  # fmt: skip
    """Write ``threshold · σ · (1 + calm · flicker)``, rounded down, for a band of rows of blocks.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    variance : (H, W) float32
        Squares of the noise scale σ, samples².
    step : int
        Rows and columns of the picture to one of the plane: 1 or 2.
    flicker : (h, w) float32
        Share of the pixels of a block that change sides from frame to frame.
    threshold, calm : float32
    limit : (H, W) uint8 or uint16
        Written.
    """
    height, width = variance.shape
    side = BLOCK // step
    scale = np.empty(width, np.float32)
    for block in range(start, stop):
        for b in range(flicker.shape[1]):
            scale[b * side : b * side + side] = threshold * (np.float32(1) + calm * flicker[block, b])
        for i in range(block * side, min(block * side + side, height)):
            _limit(variance[i], scale, limit[i])


@njit(cache=True, nogil=True)
def _limit(squares: Floats, scale: Floats, limit: Samples) -> None:
    largest = np.float32(255) if limit.itemsize == 1 else np.float32(65535)
    for j in range(limit.size):
        limit[j] = np.int32(min(scale[j] * np.sqrt(squares[j]), largest))


@njit(cache=True, nogil=True)
def learn_noise_band(
    start: int, stop: int, seen: Samples, known: Samples, mask: Bytes, step: int, flicker: Floats, n: int,
    rate: Scalar, clip: Scalar, spread: Scalar, floor: Scalar, ceiling: Floats, threshold: Scalar, calm: Scalar,
    variance: Floats, limit: Samples,
) -> None:  # fmt: skip
    """Move the variance towards ``e²`` where the mask is 0, and the limit with it, for a band of rows of blocks.

    ``e`` is what a sample differs by, as in `core.kernels.masks.mark_band`: computed again, as that is cheaper than to
    keep it. A step is ``s ← s + rate (min(e², (clip + spread · flicker) s) − s)``, and ``n`` are taken at once. What
    passes by less than ``1 / clip`` of the time cannot inflate the noise without bound; texture that sways flickers,
    and may. What is above the ceiling falls, and does not grow.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    seen, known : (H, W) uint8 or uint16
        A plane of the frame and of the background.
    mask : (H·step, W·step) uint8
        Foreground, at full size.
    step : int
        Rows and columns of the mask to one of the plane: 1 or 2.
    flicker : (h, w) float32
        As in `limit_band`.
    n : int
        Steps.
    rate, clip, spread : float32
        See above.
    floor : float32
        Least variance, samples².
    ceiling : (h, w) float32
        Largest, for each block.
    threshold, calm : float32
        As in `limit_band`.
    variance : (H, W) float32
        Changed.
    limit : (H, W) uint8 or uint16
        Written.
    """
    height, width = seen.shape
    side = BLOCK // step
    one = np.float32(1)
    share = one - (one - rate) ** n
    high, low = np.empty(width + 2, seen.dtype), np.empty(width + 2, seen.dtype)
    e = np.empty(width, seen.dtype)
    growth, gain, scale = np.empty(width, np.float32), np.empty(width, np.float32), np.empty(width, np.float32)
    highest = np.empty(width, np.float32)
    for block in range(start, stop):
        for b in range(flicker.shape[1]):
            most = (one + rate * (clip + spread * flicker[block, b] - one)) ** n
            bar = threshold * (one + calm * flicker[block, b])
            at = slice(b * side, b * side + side)
            growth[at], scale[at], highest[at] = most, bar, ceiling[block, b]
        for i in range(block * side, min(block * side + side, height)):
            covered = mask[i * step]
            for j in range(width):
                gain[j] = np.float32(0) if covered[j * step] else share
            squares = variance[i]
            leave_range(seen[i], known, i, high, low, e)
            for j in range(width):
                s = squares[j]
                x = np.float32(e[j])
                moved = min(s + gain[j] * (x * x - s), growth[j] * s)
                squares[j] = min(max(moved, floor), max(highest[j], s))
            _limit(squares, scale, limit[i])


@njit(cache=True, nogil=True)
def learn_flicker_band(
    start: int, stop: int, raw: Bytes, before: Bytes, near: Bytes, near_before: Bytes, rate: Scalar, flicker: Floats,
    cover: Floats,
) -> None:  # fmt: skip
    """Move each block's flicker and cover towards its shares of pixels that changed sides and that foreground is near.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    raw, before : (H, W) uint8
        Pixels over the threshold (255), before any clean-up, of this frame and the one before.
    near, near_before : (H, W) uint8
        The same of what is near foreground, where changes do not count.
    rate : float32
        Share of the way.
    flicker, cover : (⌈H/BLOCK⌉, ⌈W/BLOCK⌉) float32
        Changed.
    """
    height, width = raw.shape
    columns, hides = np.empty(width, np.uint8), np.empty(width, np.uint8)
    for block in range(start, stop):
        columns[:] = 0
        hides[:] = 0
        low, high = block * BLOCK, min(block * BLOCK + BLOCK, height)
        for i in range(low, high):
            now, then, hidden, hidden_before = raw[i], before[i], near[i], near_before[i]
            for j in range(width):
                columns[j] += (now[j] ^ then[j]) & ~(hidden[j] | hidden_before[j]) & np.uint8(1)
            for j in range(width):  # By itself: both in one loop are too many arrays to vectorise.
                hides[j] += hidden[j] & np.uint8(1)
        for b in range(flicker.shape[1]):
            left, right = b * BLOCK, min(b * BLOCK + BLOCK, width)
            changed = covered = 0
            for j in range(left, right):
                changed += columns[j]
                covered += hides[j]
            size = np.float32((high - low) * (right - left))
            flicker[block, b] += rate * (np.float32(changed) / size - flicker[block, b])
            cover[block, b] += rate * (np.float32(covered) / size - cover[block, b])
