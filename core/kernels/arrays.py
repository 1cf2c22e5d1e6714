"""Helpers of kernels that pass over mostly empty rows and make lists of unknown length."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Integers

CHUNK = 64
"""Pixels of a row that are looked at together, and passed over at once where they are all alike."""

AT_ONCE = 32
"""Pixels that a run goes on by at once."""

_u = np.uint64  # for indices: the check for negative ones keeps loops from being vectorised


@njit(cache=True, nogil=True)
def any_in(row: NDArray[np.integer]) -> bool:
    """Return whether any number of a row (n,) is not 0; vectorised, and most rows are empty."""
    some = row.dtype.type(0)
    for j in range(row.size):
        some |= row[j]
    found: bool = some != 0
    return found


@njit(cache=True, nogil=True)
def longer(lists: Integers, least: int) -> Integers:
    """Return a copy (k, 2 n + least) of lists (k, n) int32; what is behind their ends is not set."""
    out = np.empty((lists.shape[0], 2 * lists.shape[1] + least), np.int32)
    for k in range(lists.shape[0]):
        for i in range(lists.shape[1]):  # Assigning a slice compiles for seconds: it formats what it would say.
            out[k, i] = lists[k, i]
    return out


@njit(cache=True, nogil=True)
def add_runs(mask: Bytes, y: int, left: int, right: int, count: int, out: Integers) -> int:
    """Write row, start and stop of every run of 255 in a part of a row of a mask; return how many there are then.

    Parameters
    ----------
    mask : (H, W) uint8
        255 and 0.
    y, left, right : int
        The row, and the columns from and up to which it is looked at.
    count : int
        Runs there already.
    out : (3, n) int32
        Written from run ``count`` on; n is at least ``count`` and half of the columns, rounded up.
    """
    row, j, state = mask[y], left, np.uint8(0)
    while j < right:
        end = min(j + AT_ONCE, right)
        if end - j == AT_ONCE:  # As one vector: most of a row is as what is before it.
            first, differs = _u(j), np.uint8(0)
            for p in range(_u(AT_ONCE)):
                differs |= row[first + p] ^ state
            if not differs:
                j = end
                continue
        while j < end and row[j] == state:
            j += 1
        if j < end:
            if state:
                out[2, count] = j
                count += 1
            else:
                out[0, count], out[1, count] = y, j
            state = row[j]
    if state:
        out[2, count] = right
        count += 1
    return count
