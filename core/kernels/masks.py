"""Kernels of the mask: which differences stand out of the noise, and what each pixel's noise is.

The planes are luma at full size and two chroma planes at half size, in whole samples; flicker is one number for each
block of `BLOCK` by `BLOCK` pixels. Loops run over a band of rows.
"""

from __future__ import annotations

import numpy as np
from numba import njit

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
def decide_band(start, stop, luma, blue, red, noise, noise_blue, noise_red, flicker, threshold, calm, raw):
    """Mark the pixels whose difference exceeds ``threshold · σ · (1 + calm · flicker)`` in any plane.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    luma : (H, W) uint8 or uint16
        Size of the difference, samples.
    blue, red : (⌈H/2⌉, ⌈W/2⌉), of the same type, or empty
        The same for chroma; empty for grey.
    noise, noise_blue, noise_red : float32, of the shapes of luma, blue and red
        Squares of the noise scale, samples².
    flicker : (⌈H/BLOCK⌉, ⌈W/BLOCK⌉) float32
        Share of the pixels of a block that change sides from frame to frame.
    threshold, calm : float32
    raw : (H, W) uint8
        Written: 255 marked, 0 not.
    """
    height, width = luma.shape
    bar = np.empty(width, np.float32)
    marked = np.empty(blue.shape[1], np.uint8)
    bar_half = np.empty(blue.shape[1], np.float32)
    for block in range(start, stop):
        for j in range(width):
            scale = threshold * (np.float32(1) + calm * flicker[block, j // BLOCK])
            bar[j] = scale * scale
        for j in range(marked.size):
            bar_half[j] = bar[2 * j]
        for i in range(block * BLOCK, min(block * BLOCK + BLOCK, height)):
            differs, scale, row = luma[i], noise[i], raw[i]
            for j in range(width):
                e = np.float32(differs[j])
                row[j] = np.uint8(255) if e * e > bar[j] * scale[j] else np.uint8(0)
            if blue.size == 0:
                continue
            if i % 2 == 0:
                u, v, scale_u, scale_v = blue[i // 2], red[i // 2], noise_blue[i // 2], noise_red[i // 2]
                for j in range(marked.size):
                    x, y = np.float32(u[j]), np.float32(v[j])
                    over = (x * x > bar_half[j] * scale_u[j]) | (y * y > bar_half[j] * scale_v[j])
                    marked[j] = np.uint8(255) if over else np.uint8(0)
            for j in range(width // 2):
                row[2 * j] |= marked[j]
                row[2 * j + 1] |= marked[j]
            if width % 2:
                row[width - 1] |= marked[width // 2]


@njit(cache=True, nogil=True)
def learn_noise_band(start, stop, e, mask, step, flicker, spread, rate, clip, floor, ceiling, variance):
    """Move the variance towards ``e²`` where the mask is 0, for a band of rows of blocks.

    Squares count as ``(clip + spread · flicker)`` variances at most. What passes by less than ``1 / clip`` of the
    time cannot inflate the noise without bound; texture that sways flickers, and may.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    e : (H, W) uint8 or uint16
        Size of the difference, samples.
    mask : (H·step, W·step) uint8
        Foreground, at full size.
    step : int
        Rows and columns of the mask to one of ``e``: 1 or 2.
    flicker : (h, w) float32
        As in `decide_band`.
    spread, rate, clip : float32
        See above; ``rate`` is the share of the way.
    floor, ceiling : float32
        Bounds of the variance, samples².
    variance : (H, W) float32
        Changed.
    """
    height, width = e.shape
    side = BLOCK // step
    most = np.empty(width, np.float32)
    gain = np.empty(width, np.float32)
    for block in range(start, stop):
        for j in range(width):
            most[j] = clip + spread * flicker[block, j // side]
        for i in range(block * side, min(block * side + side, height)):
            covered = mask[i * step]
            for j in range(width):
                gain[j] = np.float32(0) if covered[j * step] else rate
            squares, differs = variance[i], e[i]
            for j in range(width):
                s = squares[j]
                x = np.float32(differs[j])
                moved = s + gain[j] * (min(x * x, most[j] * s) - s)
                squares[j] = min(max(moved, floor), ceiling)


@njit(cache=True, nogil=True)
def learn_flicker_band(start, stop, raw, before, near, rate, flicker):
    """Move each block's flicker towards the share of its pixels that changed sides, for a band of rows of blocks.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    raw, before : (H, W) uint8
        Pixels over the threshold (255), before any clean-up, of this frame and the one before.
    near : (H, W) uint8
        255 near foreground, where changes do not count, else 0.
    rate : float32
        Share of the way.
    flicker : (⌈H/BLOCK⌉, ⌈W/BLOCK⌉) float32
        Changed.
    """
    height, width = raw.shape
    columns = np.empty(width, np.int32)
    for block in range(start, stop):
        columns[:] = 0
        low, high = block * BLOCK, min(block * BLOCK + BLOCK, height)
        for i in range(low, high):
            now, then, hidden = raw[i], before[i], near[i]
            for j in range(width):
                columns[j] += ((now[j] ^ then[j]) & ~hidden[j]) & 1
        for b in range(flicker.shape[1]):
            left, right = b * BLOCK, min(b * BLOCK + BLOCK, width)
            changed = 0
            for j in range(left, right):
                changed += columns[j]
            share = np.float32(changed) / np.float32((high - low) * (right - left))
            flicker[block, b] += rate * (share - flicker[block, b])


@njit(cache=True, nogil=True)
def age_band(start, stop, planes, seen, marked, near, age):
    """Count for how many frames each marked pixel has looked the same, for a band of rows.

    Parameters
    ----------
    start, stop : int
        The band.
    planes : (P, H, W) uint8 or uint16
        The frame.
    seen : (P, H, W), of the same type
        What it is compared with; taken from the frame where the count starts anew.
    marked : (H, W) uint8
        Where this is 0 the count is 0.
    near : (P,) int32
        Differences up to these are the same look, samples. A different look halves the count.
    age : (H, W) uint16
        Changed.
    """
    n_planes, _, width = planes.shape
    for i in range(start, stop):
        for j in range(width):
            if marked[i, j] == 0:
                age[i, j] = 0
                continue
            same = age[i, j] > 0
            for p in range(n_planes):
                same &= abs(np.int32(planes[p, i, j]) - np.int32(seen[p, i, j])) <= near[p]
            if same:
                age[i, j] = min(np.int64(age[i, j]) + 1, 65535)
            elif age[i, j] > 1:
                age[i, j] //= 2
            else:
                age[i, j] = 1
                for p in range(n_planes):
                    seen[p, i, j] = planes[p, i, j]
