"""Kernels of the mask: which differences stand out of the noise, cleaned and widened.

The planes are luma at full size and two chroma planes at half size, in whole samples. Loops run over a band of rows.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Samples
from core.kernels.arrays import any_in
from core.kernels.neighbourhoods import RING, leave_range, majority_row
from core.kernels.noise import BLOCK


@njit(cache=True, nogil=True)
def mark_band(
    start: int, stop: int, luma: Samples, blue: Samples, red: Samples, known: Samples, known_blue: Samples,
    known_red: Samples, limit: Samples, limit_blue: Samples, limit_red: Samples, raw: Bytes, mask: Bytes, step: int,
    least: np.integer, luma_out: Samples, known_out: Samples, differs: Bytes, asked: Bytes,
) -> None:  # fmt: skip
    """Mark the pixels that differ from the background, and from its neighbours, by more than a limit in any plane.

    What a sample differs by is how far it leaves the range of the background's 3×3 neighbourhood: a camera that
    trembles by a pixel, and texture that sways by one, stay inside.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    luma, known : (H, W) uint8 or uint16
        The frame and the background.
    blue, red, known_blue, known_red : (⌈H/2⌉, ⌈W/2⌉), of the same type, or empty
        The same for chroma; empty for grey.
    limit, limit_blue, limit_red : of the shapes and the type of the planes
        Largest difference that is noise, samples.
    raw : (H, W) uint8
        Written: 255 marked, 0 not.
    mask : (H, W) uint8
        Written: 255 where most of the 5×5 neighbourhood are marked, 0 elsewhere; edges mirror.
    step : int
        Every ``step``-th row and column, from the first, is a point of a coarser grid.
    least : int
        On the grid differences up to this do not count, samples.
    luma_out, known_out : (⌈H/step⌉, ⌈W/step⌉), of the type of the planes
        Written: luma of the frame and of the background on the grid.
    differs : (⌈H/step⌉, ⌈W/step⌉) uint8
        Written: 255 where the pixel is marked, or differs from the background itself by more than the limit: thin
        remnants lie within the range of their neighbours. Else 0.
    asked : (⌈H/step⌉, ⌈W/step⌉) uint8
        Written: the mask on the grid.
    """
    height, width = luma.shape
    first, last = start * BLOCK, min(stop * BLOCK, height)
    top, bottom = max(first - 2, 0), min(last + 2, height)
    marks, padded = np.empty((RING, width), np.uint8), np.empty(width + 4, np.uint8)
    high, low = np.empty(width + 2, luma.dtype), np.empty(width + 2, luma.dtype)
    e, u, v = np.empty(width, luma.dtype), np.empty(blue.shape[1], luma.dtype), np.empty(blue.shape[1], luma.dtype)
    tinted = np.empty(blue.shape[1], np.uint8)
    for i in range(top, bottom):
        row = marks[i % RING]
        leave_range(luma[i], known, i, high, low, e)
        ends = limit[i]
        for j in range(width):
            row[j] = np.uint8(255) if e[j] > ends[j] else np.uint8(0)
        if blue.size:
            half = i // 2
            if i % 2 == 0 or i == top:
                leave_range(blue[half], known_blue, half, high, low, u)
                leave_range(red[half], known_red, half, high, low, v)
                ends_blue, ends_red = limit_blue[half], limit_red[half]
                for j in range(tinted.size):
                    tinted[j] = np.uint8(255) if (u[j] > ends_blue[j]) | (v[j] > ends_red[j]) else np.uint8(0)
            for j in range(width // 2):
                row[2 * j] |= tinted[j]
                row[2 * j + 1] |= tinted[j]
            if width % 2:
                row[width - 1] |= tinted[width // 2]
        if first <= i < last:
            kept = raw[i]
            for j in range(width):
                kept[j] = row[j]
        if i - 2 >= first:
            majority_row(marks, i - 2, height, padded, mask[i - 2])
    for i in range(max(bottom - 2, first), last):  # at the lower edge
        majority_row(marks, i, height, padded, mask[i])
    e, bar = np.empty(differs.shape[1], luma.dtype), np.empty(differs.shape[1], luma.dtype)
    for i in range(-(-first // step), -(-last // step)):
        y = i * step
        if step == 1:  # the loop over neighbours is vectorised, that over every n-th pixel is not
            _thin(luma[y], known[y], limit[y], raw[y], mask[y], least, luma_out[i], known_out[i], differs[i], asked[i],
                  e, bar)  # fmt: skip
        else:
            _thin(luma[y, ::step], known[y, ::step], limit[y, ::step], raw[y, ::step], mask[y, ::step], least,
                  luma_out[i], known_out[i], differs[i], asked[i], e, bar)  # fmt: skip


@njit(cache=True, nogil=True, inline="always")  # A call of so many arrays, for each row, takes as long as its work.
def _thin(
    luma: Samples, known: Samples, limit: Samples, raw: Bytes, mask: Bytes, least: np.integer, luma_out: Samples,
    known_out: Samples, differs: Bytes, asked: Bytes, e: Samples, bar: Samples,
) -> None:  # fmt: skip
    for j in range(differs.size):
        x, y, end = luma[j], known[j], limit[j]
        luma_out[j], known_out[j], asked[j] = x, y, mask[j]
        e[j] = x - y if x > y else y - x
        bar[j] = end if end > least else least
    for j in range(differs.size):
        differs[j] = raw[j] | (np.uint8(255) if e[j] > bar[j] else np.uint8(0))


@njit(cache=True, nogil=True)
def uncover_band(start: int, stop: int, mask: Bytes, taken: Bytes, step: int, out: Bytes) -> None:
    """Take some pixels from a mask; write 255 where most of the 5×5 neighbourhood are left, for a band of rows.

    Parameters
    ----------
    start, stop : int
        The band.
    mask : (H, W) uint8
        255 or 0.
    taken : (⌈H/step⌉, ⌈W/step⌉) uint8
        Not 0 what is taken from the mask.
    step : int
        Rows and columns of the mask to one of ``taken``.
    out : (H, W) uint8
        Written. Edges mirror.
    """
    height, width = mask.shape
    top, bottom = max(start - 2, 0), min(stop + 2, height)
    left, padded = np.empty((RING, width), np.uint8), np.empty(width + 4, np.uint8)
    for i in range(top, bottom):
        row, before, gone = left[i % RING], mask[i], taken[i // step]
        for j in range(width):
            row[j] = before[j]
        if any_in(gone):
            for j in range(gone.size):
                if gone[j]:
                    row[j * step : min(j * step + step, width)] = 0
        if i - 2 >= start:
            majority_row(left, i - 2, height, padded, out[i - 2])
    for i in range(max(bottom - 2, start), stop):  # at the lower edge
        majority_row(left, i, height, padded, out[i])


@njit(cache=True, nogil=True)
def widen_band(start: int, stop: int, mask: Bytes, out: Bytes) -> None:
    """Write a mask (H, W) uint8 of 255 and 0, a pixel wider all around, for a band of rows."""
    height, width = mask.shape
    padded = np.zeros(width + 2, np.uint8)
    middle, left, right = padded[1 : width + 1], padded[0:width], padded[2 : width + 2]
    for i in range(start, stop):
        above, here, below = mask[max(i - 1, 0)], mask[i], mask[min(i + 1, height - 1)]
        for j in range(width):
            middle[j] = above[j] | here[j] | below[j]
        wide = out[i]
        for j in range(width):
            wide[j] = left[j] | middle[j] | right[j]
