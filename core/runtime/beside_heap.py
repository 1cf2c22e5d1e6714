"""Memory beside the heap for arrays that live long: among those that come and go they would leave holes in it."""

from __future__ import annotations

import mmap
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item", bound=np.generic)

LARGE_BYTES = 1 << 20
"""Smaller arrays stay where they are: holes that they leave are soon filled by others."""


def kept(v: NDArray[Item]) -> NDArray[Item]:
    """Return an array to be kept for long: of a large one a copy that is mapped by itself, else ``v``.

    Parameters
    ----------
    v : array of any shape
        Not to be written to any more.

    Returns
    -------
    (...) array
        Its memory goes back to the system with it.
    """
    if v.nbytes < LARGE_BYTES:
        return v
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    copy = np.frombuffer(mmap.mmap(-1, v.nbytes, **private), v.dtype).reshape(v.shape)
    copy[...] = v
    return copy
