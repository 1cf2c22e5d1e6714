"""The scale of noise where some values are outliers."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item", bound=np.generic)

MAD_TO_SIGMA = 1.4826
"""The standard deviation of a normal variable over the median of its absolute deviations."""


def spread_over(values: NDArray[Item], n: int) -> NDArray[Item]:
    """Return a view of about ``n`` values of a vector, spread evenly over it; all, where it has no more.

    Every so many, and that is an odd number: many pictures are a power of two wide, and all that is seen of one would
    lie in a few of its columns, or in one that is dead.

    Parameters
    ----------
    values : (N,) or (m, N)
        Along the last axis.
    n : int
    """
    return values[..., :: max(1, values.shape[-1] // n) | 1]


def mad_sigma(residual: NDArray[np.floating]) -> float:
    """Return 1.4826 · median |e − median e|: the standard deviation of normal noise.

    Parameters
    ----------
    residual : array of any shape
        In the units of the result.
    """
    return float(MAD_TO_SIGMA * np.median(np.abs(residual - np.median(residual))))
