"""Kernels of cleaned frames: how light a frame is beside the plate, block by block, and the plate in that light."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Samples, Scalar
from core.kernels.arrays import CHUNK, any_in


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
    last_row = gain.shape[0] - 1
    above, below = np.empty(width * channels, np.float32), np.empty(width * channels, np.float32)
    share, known = np.empty(CHUNK * channels, np.float32), -1
    for i in range(height):
        if not any_in(alpha[i]):
            continue
        y = min(max((np.float32(i) + np.float32(0.5)) / np.float32(size) - np.float32(0.5), np.float32(0)), last_row)
        top = min(int(y), max(last_row - 1, 0))
        down = np.float32(y - top)
        v, b = picture[i].reshape(width * channels), plate[i].reshape(width * channels)
        for start in range(0, width, CHUNK):
            hidden = alpha[i, start : min(start + CHUNK, width)]
            if not any_in(hidden):
                continue
            if top != known:
                _between_columns(gain[top], size, above)
                _between_columns(gain[min(top + 1, last_row)], size, below)
                known = top
            _spread(hidden, channels, share)
            part = slice(start * channels, (start + hidden.size) * channels)
            _mix(v[part], b[part], above[part], below[part], share, down, np.float32(white))


@njit(cache=True, nogil=True)
def _spread(alpha: Bytes, channels: int, out: Floats) -> None:
    """Write the share of each pixel, once for each channel."""
    if channels == 3:
        for j in range(alpha.size):
            x = np.float32(alpha[j]) / np.float32(255)
            out[3 * j], out[3 * j + 1], out[3 * j + 2] = x, x, x
        return
    for j in range(alpha.size):
        for c in range(channels):
            out[j * channels + c] = np.float32(alpha[j]) / np.float32(255)


@njit(cache=True, nogil=True)
def _between_columns(gain: Floats, size: int, out: Floats) -> None:
    """Write a row of gains (w, C), interpolated to the columns of a picture (W C,)."""
    last, channels = gain.shape[0] - 1, gain.shape[1]
    for j in range(out.size // channels):
        x = (np.float32(j) + np.float32(0.5)) / np.float32(size) - np.float32(0.5)
        x = min(max(x, np.float32(0)), last)
        left = min(int(x), max(last - 1, 0))
        right, beyond = np.float32(x - left), min(left + 1, last)
        for c in range(channels):
            out[j * channels + c] = gain[left, c] + right * (gain[beyond, c] - gain[left, c])


@njit(cache=True, nogil=True)
def _mix(
    picture: Samples, plate: Samples, above: Floats, below: Floats, share: Floats, down: Scalar, white: Scalar
) -> None:
    """Mix part of a row of `put_plate`; ``above`` and ``below`` are gains, of which ``down`` is the second's share."""
    zero, half = np.float32(0), np.float32(0.5)
    for p in range(picture.size):
        v = np.float32(picture[p])
        lit = (above[p] + down * (below[p] - above[p])) * np.float32(plate[p])
        mixed = v + share[p] * (lit - v) + half
        mixed = mixed if mixed > zero else zero
        picture[p] = np.int32(mixed if mixed < white else white)
