"""The scale of noise where some values are outliers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def noise_scale(residual: NDArray[np.floating]) -> float:
    """Return 1.4826 · median |e − median e|: the standard deviation of normal noise, in the units of ``residual``."""
    return float(1.4826 * np.median(np.abs(residual - np.median(residual))))
