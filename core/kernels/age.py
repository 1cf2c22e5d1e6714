"""Kernel of static objects: for how long each pixel has looked the same."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Integers, Samples
from core.kernels.arrays import CHUNK


@njit(cache=True, nogil=True)
def age_band(
    start: int, stop: int, luma: Samples, blue: Samples, red: Samples, step: int, seen: Samples, marked: Bytes,
    near: Integers, age: NDArray[np.uint16],
) -> None:  # fmt: skip
    """Count for how many frames each marked pixel has looked the same, for a band of rows of a grid.

    Parameters
    ----------
    start, stop : int
        The band.
    luma : (h, w) uint8 or uint16
        The frame on the grid.
    blue, red : of the same type
        Chroma of half the picture's size, or empty.
    step : int
        Rows and columns of the picture to one of the grid.
    seen : (P, h, w), of the same type
        What it is compared with; taken from the frame where the count starts anew.
    marked : (h, w) uint8
        Where this is 0 the count is 0.
    near : (P,) int32
        Larger differences than these (samples) are another appearance, which halves the count.
    age : (h, w) uint16
        Changed.
    """
    width = luma.shape[1]
    for i in range(start, stop):
        asked, ages, y = marked[i], age[i], i * step // 2
        for low in range(0, width, CHUNK):
            high = min(low + CHUNK, width)
            ahead, some = asked[low:high], np.uint8(0)
            for j in range(ahead.size):
                some |= ahead[j]
            if some == 0:
                ages[low:high] = 0
                continue
            for j in range(low, high):
                if asked[j] == 0:
                    ages[j] = 0
                    continue
                same = ages[j] > 0 and abs(np.int32(luma[i, j]) - np.int32(seen[0, i, j])) <= near[0]
                if blue.size and same:
                    x = j * step // 2
                    same = abs(np.int32(blue[y, x]) - np.int32(seen[1, i, j])) <= near[1]
                    same &= abs(np.int32(red[y, x]) - np.int32(seen[2, i, j])) <= near[2]
                if same:
                    ages[j] = min(np.int64(ages[j]) + 1, 65535)
                elif ages[j] > 1:
                    ages[j] //= 2
                else:
                    ages[j] = 1
                    seen[0, i, j] = luma[i, j]
                    if blue.size:
                        x = j * step // 2
                        seen[1, i, j], seen[2, i, j] = blue[y, x], red[y, x]
