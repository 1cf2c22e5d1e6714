"""Huber's loss, and the soft threshold that it comes from: ``min over r of ½(e − r)² + λ|r|`` and its minimiser."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Real = TypeVar("Real", bound=np.floating)


def soft_threshold(x: NDArray[Real], threshold: float) -> NDArray[Real]:
    """Return ``sign(x) max(|x| − threshold, 0)``, of the shape and type of ``x``; ``x`` itself where that is 0."""
    if not threshold:
        return x
    limit = x.dtype.type(threshold)
    out: NDArray[Real] = x - np.clip(x, -limit, limit)
    return out


def huber(magnitudes: NDArray[Real], cutoff: NDArray[Real] | Real) -> NDArray[Real]:
    """Return ``½ e²`` of magnitudes ``|e|`` up to a cutoff ``c``, ``c |e| − ½ c²`` beyond.

    Parameters
    ----------
    magnitudes : (...) floating
    cutoff : as ``magnitudes``, in a shape that broadcasts to theirs
    """
    inner = np.minimum(magnitudes, cutoff)
    out: NDArray[Real] = inner * (magnitudes - inner / 2)
    return out
