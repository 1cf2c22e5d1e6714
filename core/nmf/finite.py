"""A model whose numbers are no numbers any more is refused, wherever that shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError


def check_finite(*arrays: NDArray[np.generic] | float) -> None:
    """Raise an error where something is infinite or no number.

    Raises
    ------
    CleanplateError
    """
    if not all(np.isfinite(array).all() for array in arrays):
        raise CleanplateError(
            "The model has grown beyond all numbers and is of no use any more; start over with smaller penalties or "
            "steps, or with another method."
        )
