"""Losses of a sample with explicit outliers, the minimum over the outliers taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.kernels import outliers
from core.nmf.inner_products import inner
from core.nmf.penalties import Penalty


class Loss(Protocol):
    """``min over low ≤ r ≤ high of ½‖e − r‖² + Ω(r)`` of residuals ``e = v − W h``, for a convex penalty Ω.

    It is convex and smooth: its derivative by ``e`` is ``e − r`` with the minimising ``r``, Lipschitz with constant 1.
    """

    @property
    def lam(self) -> float:
        """Weight λ of the penalty."""

    @property
    def low(self) -> float:
        """Least outlier, units of white; 0 or less."""

    @property
    def high(self) -> float:
        """Largest outlier, units of white; 0 or more."""

    def capped(self, e: NDArray[np.floating]) -> tuple[NDArray[np.floating], float]:
        """Return ``e − r`` with the minimising ``r``, and the loss, for residuals (n, F), all rows together."""

    def losses(self, e: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the loss of each of several residuals (n, F), (n,)."""

    def shrink(self, x: NDArray[np.floating], rho: float) -> NDArray[np.floating]:
        """Return ``argmin over r of ½(1 + ρ)‖r‖² − xᵀr + Ω(r)`` without bounds: a step of ADMM; ``x`` is written."""

    def penalty(self, r: NDArray[np.floating]) -> float:
        """Return Ω of outliers (n, F), all rows together."""


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

    def losses(self, e: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the loss of each row; see `Loss.losses`."""
        out, number = np.empty(len(e)), e.dtype.type
        bounds = number(self.lam), number(self.low), number(self.high)
        outliers.losses(np.ascontiguousarray(e), *bounds, np.empty(e.shape[1], e.dtype), out)
        return out

    def shrink(self, x: NDArray[np.floating], rho: float) -> NDArray[np.floating]:
        """Return ``S_λ(x) / (1 + ρ)``; see `Loss.shrink`."""
        lam = x.dtype.type(self.lam)
        x -= np.clip(x, -lam, lam)
        x /= 1 + x.dtype.type(rho)
        return x

    def penalty(self, r: NDArray[np.floating]) -> float:
        """Return ``λ‖r‖₁``, all rows together."""
        return self.lam * float(np.abs(r).sum())


@dataclass(frozen=True)
class PenalisedLoss:
    """`Loss` with any penalty: Tikhonov's, or one on groups of pixels (section VI-B of Zhao & Tan, 2017).

    Attributes
    ----------
    outliers : Penalty
        Ω.
    lam, low, high : float
        See `Loss`.
    """

    outliers: Penalty
    lam: float
    low: float
    high: float

    def capped(self, e: NDArray[np.floating]) -> tuple[NDArray[np.floating], float]:
        """Return ``e − r`` with the minimising ``r``, and the loss; see `Loss.capped`."""
        r = self.outliers.prox(e, 1.0, self.low, self.high)
        left = e - r
        return left, inner(left, left) / 2 + self.outliers.value(r)

    def losses(self, e: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the loss of each row; see `Loss.losses`."""
        return np.array([self.capped(row[None])[1] for row in e])

    def shrink(self, x: NDArray[np.floating], rho: float) -> NDArray[np.floating]:
        """Return the minimiser without bounds; see `Loss.shrink`."""
        x /= x.dtype.type(1 + rho)
        return self.outliers.prox(x, 1 / (1 + rho))

    def penalty(self, r: NDArray[np.floating]) -> float:
        """Return Ω, all rows together."""
        return self.outliers.value(r)
