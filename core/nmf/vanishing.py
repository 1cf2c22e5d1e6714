"""Factors that shrink for ever become 0 where nothing is left of them (`core.kernels.vanishing`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels.vanishing import VANISHED


def clear_vanished(*factors: NDArray[np.floating]) -> None:
    """Set what is below `VANISHED` of nonnegative arrays to 0, in place."""
    for X in factors:
        X[X < VANISHED] = 0
