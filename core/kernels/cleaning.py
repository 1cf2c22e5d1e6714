"""Kernels of cleaned frames: how light a frame is beside the plate, block by block, and the plate in that light.

Planes are luma, a colour, or chroma, which has a sample for every other pixel each way; blocks are of pixels.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Samples, Scalar
from core.kernels.arrays import CHUNK, any_in

_u = np.uint64  # for indices: the check for negative ones keeps loops from being vectorised


@njit(cache=True, nogil=True)
def sum_visible(
    picture: Samples, plate: Samples, alpha: Bytes, pitch: int, size: int, step: int, now: Floats, known: Floats,
    count: Floats,
) -> None:  # fmt: skip
    """Write the sums of a plane and of the plate's over the samples of each block that nothing hides.

    Parameters
    ----------
    picture, plate : (h, w) uint8 or uint16
    alpha : (h, w) uint8
        Not 0 where something hides the scene.
    pitch : int
        Pixels to a sample, each way.
    size : int
        Rows and columns of pixels of a block; those at the border may have fewer.
    step : int
        Every so many rows and columns of the plane a sample counts.
    now, known : (r, c) float32
        Written: sums of the picture and of the plate.
    count : (r, c) float32
        Written: samples that count.
    """
    height, width = picture.shape
    now[:], known[:], count[:] = 0, 0, 0
    for i in range(0, height, step):
        row = i * pitch // size
        for column in range(now.shape[1]):  # Block by block: a division for each sample would take most of the time.
            first, end = -(-column * size // pitch), min(-(-(column + 1) * size // pitch), width)
            for j in range(-(-first // step) * step, end, step):
                if alpha[i, j] == 0:
                    count[row, column] += 1
                    now[row, column] += picture[i, j]
                    known[row, column] += plate[i, j]


@njit(cache=True, nogil=True, error_model="numpy")
def put_plate(
    plate: Samples, alpha: Bytes, gain: Floats, shift: Floats, pitch: int, size: int, white: int, out: Samples
) -> None:
    """Mix a plane of the plate, in other light, into that of a picture: ``v ← v + α (g b + s − v)``.

    Parameters
    ----------
    plate : (h, w) uint8 or uint16
        b.
    alpha : (h, w) uint8
        255 α.
    gain, shift : (r, c) float32
        g, and s in samples, in the middle of each block, interpolated between.
    pitch : int
        Pixels to a sample, each way.
    size : int
        Rows and columns of pixels of a block.
    white : int
        Largest sample.
    out : (h, w), of the type of the plate
        v, the picture; changed where α is not 0.
    """
    height, width = out.shape
    last_row = gain.shape[0] - 1
    scale, known = np.float32(pitch) / np.float32(size), -1
    above, below = np.empty((2, width), np.float32), np.empty((2, width), np.float32)
    for i in range(height):
        row, v, b = alpha[i], out[i], plate[i]
        if not any_in(row):
            continue
        y = min(max((np.float32(i) + np.float32(0.5)) * scale - np.float32(0.5), np.float32(0)), last_row)
        top = min(int(y), max(last_row - 1, 0))
        down = np.float32(y - top)
        if top != known:
            bottom = min(top + 1, last_row)
            _between_columns(gain[top], scale, above[0])
            _between_columns(shift[top], scale, above[1])
            _between_columns(gain[bottom], scale, below[0])
            _between_columns(shift[bottom], scale, below[1])
            known = top
        for start in range(0, width, CHUNK):
            stop = min(start + CHUNK, width)
            if any_in(row[start:stop]):
                _mix(_u(start), _u(stop), v, b, row, above, below, down, np.float32(white))


@njit(cache=True, nogil=True)
def _between_columns(values: Floats, scale: Scalar, out: Floats) -> None:
    """Write a row of values (c,), one to a block, interpolated to the columns of a plane (w,)."""
    last = values.shape[0] - 1
    for j in range(out.size):
        x = (np.float32(j) + np.float32(0.5)) * scale - np.float32(0.5)
        x = min(max(x, np.float32(0)), last)
        left = min(int(x), max(last - 1, 0))
        right, beyond = np.float32(x - left), min(left + 1, last)
        out[j] = values[left] + right * (values[beyond] - values[left])


@njit(cache=True, nogil=True, error_model="numpy")
def _mix(
    start: np.uint64, stop: np.uint64, picture: Samples, plate: Samples, alpha: Bytes, above: Floats, below: Floats,
    down: Scalar, white: Scalar,
) -> None:  # fmt: skip
    """Mix part of a row of `put_plate`; ``above`` and ``below`` (2, w) are gain and shift, ``down`` of the second."""
    zero, half, all_of_it = np.float32(0), np.float32(0.5), np.float32(255)
    for p in range(start, stop):
        v, share = np.float32(picture[p]), np.float32(alpha[p]) / all_of_it
        g = above[0, p] + down * (below[0, p] - above[0, p])
        lit = g * np.float32(plate[p]) + (above[1, p] + down * (below[1, p] - above[1, p]))
        mixed = v + share * (lit - v) + half
        mixed = mixed if mixed > zero else zero
        picture[p] = np.int32(mixed if mixed < white else white)
