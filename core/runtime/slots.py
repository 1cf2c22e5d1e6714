"""Memory beside the heap for vectors that live long: among arrays that come and go they would leave holes in it."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.runtime import heap

Item = TypeVar("Item", bound=np.generic)

LARGE = 1 << 20
"""Smaller vectors, bytes, stay where they are: holes that they leave are soon filled by others."""


class Slots(Generic[Item]):
    """Keeps vectors of one size: large ones as copies, in blocks that the C library maps each by itself.

    Memory is taken from the system as it is written to, and used again by later copies; it goes back with the object.

    Parameters
    ----------
    n_values : int
        Of a vector.
    dtype : dtype
    """

    def __init__(self, n_values: int, dtype: type[Item]) -> None:
        n_bytes = n_values * np.dtype(dtype).itemsize
        self._shape = (-(-heap.OWN_MAPPING // n_bytes), n_values) if n_bytes >= LARGE else None
        self._dtype = np.dtype(dtype)
        self._free: list[NDArray[Item]] = []

    def keep(self, v: NDArray[Item]) -> NDArray[Item]:
        """Return a vector (n_values,) to be kept until `release`: a copy, or ``v``, which nobody writes to any more."""
        if self._shape is None:
            return v
        if not self._free:
            self._free.extend(np.empty(self._shape, self._dtype)[::-1])
        copy = self._free.pop()
        copy[:] = v
        return copy

    def release(self, kept: NDArray[Item]) -> None:
        """Let the memory of a vector be used again, at which nobody looks any more."""
        if self._shape is not None:
            self._free.append(kept)
