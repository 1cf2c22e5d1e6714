"""Factors near 0: what shrinks for ever becomes 0 where nothing is left of it (`core.kernels.vanishing`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels.vanishing import VANISHED

TINY = 1e-12
"""Kept in divisions, also 0/0 of what is black or was never used, and where factors start that multiplying cannot raise
from 0: far below any product of factors that matters."""


def clear_vanished(*factors: NDArray[np.floating]) -> None:
    """Set what is below `VANISHED` of nonnegative arrays to 0, in place."""
    for X in factors:
        X[X < VANISHED] = 0
