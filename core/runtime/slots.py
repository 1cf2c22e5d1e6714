"""Memory beside the heap for vectors that live long: among arrays that come and go they would leave holes in it."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.runtime import heap

Item = TypeVar("Item", bound=np.generic)

LARGE = 1 << 20
"""Vectors of so many bytes lie in blocks; holes that smaller ones leave are soon filled by others."""


class Slots(Generic[Item]):
    """Keeps copies of vectors of one size in blocks so large that the C library maps each by itself.

    Memory is taken from the system as it is written to, and used again by later copies; it goes back with the object.

    Parameters
    ----------
    n_values : int
        Of a vector.
    dtype : dtype
    """

    def __init__(self, n_values: int, dtype: type[Item]) -> None:
        n_bytes = n_values * np.dtype(dtype).itemsize
        rows = -(-heap.OWN_MAPPING // n_bytes) if n_bytes >= LARGE else 1
        self._shape, self._dtype = (rows, n_values), np.dtype(dtype)
        self._free: list[NDArray[Item]] = []

    def copy(self, v: NDArray[Item]) -> NDArray[Item]:
        """Return a copy of a vector (n_values,), to be given to `release` when nobody looks at it any more."""
        if not self._free:
            self._free.extend(np.empty(self._shape, self._dtype)[::-1])
        copy = self._free.pop()
        copy[:] = v
        return copy

    def release(self, copy: NDArray[Item]) -> None:
        """Let the memory of a copy be used again."""
        self._free.append(copy)
