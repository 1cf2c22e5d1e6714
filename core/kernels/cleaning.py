"""Kernels of cleaned frames: how light a frame is beside the plate, block by block, and the plate in that light."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Samples


@njit(cache=True, nogil=True)
def sum_visible(
    picture: Samples, plate: Samples, alpha: Bytes, size: int, step: int, now: Floats, known: Floats, count: Floats
) -> None:
    """Write the sums of a picture and of the plate over the pixels of each block that nothing hides.

    Parameters
    ----------
    picture, plate : (H, W, C) uint8 or uint16
    alpha : (H, W) uint8
        Not 0 where something hides the scene.
    size : int
        Rows and columns of a block; those at the border may have fewer.
    step : int
        Every so many rows and columns of the picture a pixel counts.
    now, known : (⌈H / size⌉, ⌈W / size⌉, C) float32
        Written: sums of the picture and of the plate, samples.
    count : (⌈H / size⌉, ⌈W / size⌉) float32
        Written: pixels that count.
    """
    height, width, channels = picture.shape
    now[:], known[:], count[:] = 0, 0, 0
    for i in range(0, height, step):
        row = i // size
        for j in range(0, width, step):
            if alpha[i, j] == 0:
                column = j // size
                count[row, column] += 1
                for c in range(channels):
                    now[row, column, c] += picture[i, j, c]
                    known[row, column, c] += plate[i, j, c]


@njit(cache=True, nogil=True, error_model="numpy")
def put_plate(picture: Samples, plate: Samples, alpha: Bytes, gain: Floats, size: int, white: int) -> None:
    """Mix the plate, times a gain, into a picture: ``v ← v + α (g b − v)``.

    Parameters
    ----------
    picture : (H, W, C) uint8 or uint16
        v; changed where α is not 0.
    plate : (H, W, C), of the same type
        b.
    alpha : (H, W) uint8
        255 α.
    gain : (⌈H / size⌉, ⌈W / size⌉, C) float32
        g in the middle of each block, interpolated between.
    size : int
        Rows and columns of a block.
    white : int
        Largest sample.
    """
    height, width, channels = picture.shape
    last_row, last_column = gain.shape[0] - 1, gain.shape[1] - 1
    for i in range(height):
        y = min(max((np.float32(i) + np.float32(0.5)) / np.float32(size) - np.float32(0.5), np.float32(0)), last_row)
        top = min(int(y), max(last_row - 1, 0))
        down = np.float32(y - top)
        low = min(top + 1, last_row)
        for j in range(width):
            if alpha[i, j] == 0:
                continue
            x = (np.float32(j) + np.float32(0.5)) / np.float32(size) - np.float32(0.5)
            x = min(max(x, np.float32(0)), last_column)
            left = min(int(x), max(last_column - 1, 0))
            right = np.float32(x - left)
            beyond = min(left + 1, last_column)
            share = np.float32(alpha[i, j]) / np.float32(255)
            for c in range(channels):
                above = gain[top, left, c] + right * (gain[top, beyond, c] - gain[top, left, c])
                below = gain[low, left, c] + right * (gain[low, beyond, c] - gain[low, left, c])
                v = np.float32(picture[i, j, c])
                lit = (above + down * (below - above)) * np.float32(plate[i, j, c])
                mixed = v + share * (lit - v)
                picture[i, j, c] = min(max(mixed + np.float32(0.5), np.float32(0)), np.float32(white))
