"""The scale of noise where some values are outliers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAD_TO_SIGMA = 1.4826
"""The standard deviation of a normal variable over the median of its absolute deviations."""


def mad_sigma(residual: NDArray[np.floating]) -> float:
    """Return 1.4826 · median |e − median e|: the standard deviation of normal noise.

    Parameters
    ----------
    residual : array of any shape
        In the units of the result.
    """
    return float(MAD_TO_SIGMA * np.median(np.abs(residual - np.median(residual))))
