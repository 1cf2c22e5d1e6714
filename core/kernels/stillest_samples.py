"""Kernels that keep the stillest samples of each pixel."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Vector


@njit(cache=True, nogil=True)
def keep_band(
    start: int, stop: int, change: Bytes, v: Vector, full: tuple[int, int], half: bool, step: int, least: Bytes,
    samples: Vector,
) -> None:  # fmt: skip
    """Replace the least still sample kept by that of a frame, where it is stiller, for a band of rows of a grid.

    Parameters
    ----------
    start, stop : int
        The band.
    change : (h, w) uint8
        How much the surroundings of each point of the grid changed.
    v : (F,) uint8 or uint16
        The frame: planes of full size, or one of full and two of half size.
    full : (int, int)
        Height and width of the picture.
    half : bool
        Are the planes behind the first of half size?
    step : int
        Rows and columns of the picture to one of the grid. A point stands for so many of each from there on, and for
        the samples of half size that begin there.
    least : (N, h, w) uint8
        Change at each sample kept; changed.
    samples : (N, F), of the type of ``v``
        Changed.
    """
    count, _, width = least.shape
    size = full[0] * full[1]
    half_height, half_width = (full[0] + 1) // 2, (full[1] + 1) // 2
    n_full = 1 if half else v.size // size
    worst = np.empty(width, np.uint8)
    for i in range(start, stop):
        worst[:] = 0
        for n in range(count):
            row = least[n, i]
            for j in range(width):
                worst[j] = row[j] if row[j] > worst[j] else worst[j]
        now, some = change[i], np.uint8(0)
        for j in range(width):
            some |= np.uint8(now[j] < worst[j])
        if not some:
            continue
        for j in range(width):
            if now[j] >= worst[j]:
                continue
            n = _index_of(worst[j], least, i, j)  # Looked for here: of few points a sample is replaced.
            least[n, i, j] = now[j]
            if step == 1:  # A call of arrays takes longer than copying one sample.
                for plane in range(n_full):
                    p = plane * size + i * width + j
                    samples[n, p] = v[p]
                if half and i % 2 == 0 and j % 2 == 0:
                    for plane in range(2):
                        p = size + (plane * half_height + i // 2) * half_width + j // 2
                        samples[n, p] = v[p]
                continue
            for plane in range(n_full):
                _copy(v, samples[n], plane * size, full[0], full[1], i, j, step, 1)
            if half:  # Each sample goes with the pixel at its upper left, so that no two bands write the same.
                for plane in range(2):
                    at = size + plane * half_height * half_width
                    _copy(v, samples[n], at, half_height, half_width, i, j, step, 2)


@njit(cache=True, nogil=True, inline="always")
def _index_of(value: np.uint8, least: Bytes, i: int, j: int) -> int:
    """Return the first sample of the point (i, j) whose change is ``value``, the largest: it is there."""
    for n in range(len(least) - 1):
        if least[n, i, j] == value:
            return n
    return len(least) - 1


@njit(cache=True, nogil=True)
def _copy(v: Vector, sample: Vector, at: int, height: int, width: int, i: int, j: int, step: int, part: int) -> None:
    """Copy the samples of a plane, of each ``part``-th row and column, that belong to the point (i, j) of the grid."""
    top, bottom = -(-i * step // part), -(-(i + 1) * step // part)
    left, right = -(-j * step // part), -(-(j + 1) * step // part)
    for row in range(top, min(bottom, height)):
        for p in range(at + row * width + left, at + row * width + min(right, width)):
            sample[p] = v[p]
