"""Helpers of kernels that pass over mostly empty rows and make lists of unknown length."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Integers

CHUNK = 64
"""Pixels of a row that are looked at together, and passed over at once where they are all alike."""


@njit(cache=True, nogil=True)
def any_in(row: NDArray[np.integer]) -> bool:
    """Return whether any number of a row is not 0; vectorised, and most rows are empty."""
    some = row.dtype.type(0)
    for j in range(row.size):
        some |= row[j]
    found: bool = some != 0
    return found


@njit(cache=True, nogil=True)
def longer(numbers: Integers, least: int) -> Integers:
    """Return a copy (2 n + least,) of a list (n,) int32; what is behind its end is not set."""
    out = np.empty(2 * numbers.size + least, np.int32)
    for i in range(numbers.size):  # Assigning a slice compiles for seconds: it formats what it would say.
        out[i] = numbers[i]
    return out
