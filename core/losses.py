"""The loss of one sample with explicit outliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.kernels import outliers


@dataclass(frozen=True)
class OutlierLoss:
    """``min over r of ½‖e − r‖² + λ‖r‖₁`` with ``low ≤ r ≤ high``, for a residual ``e = v − W h``.

    Zhao & Tan (2017), eq. (5) with the minimum over the outliers taken: Huber's loss, as long as the bounds do not
    bind. Its derivative by ``e`` is ``e − r``.

    Attributes
    ----------
    lam : float
        Outlier penalty λ, units of white.
    low, high : float
        Bounds of the outliers, units of white; ``low ≤ 0 ≤ high``.
    """

    lam: float
    low: float
    high: float

    def capped(self, e: NDArray[np.floating]) -> tuple[NDArray[np.floating], float]:
        """Return ``e − r`` with the minimising ``r``, and the loss summed over all entries.

        Parameters
        ----------
        e : (...) float32 or float64, contiguous
            Residual.
        """
        out = np.empty_like(e)
        number = e.dtype.type
        loss = outliers.cap(e.ravel(), number(self.lam), number(self.low), number(self.high), out.reshape(-1))
        return out, float(loss)
