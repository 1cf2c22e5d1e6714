"""What an encoder gives, and the start that all of them share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.kernels import least_squares
from core.nmf.outlier_losses import Loss
from core.nmf.penalties import NoPenalty, Penalty

NO_PENALTY = NoPenalty()
"""Of coefficients, as in section III of the paper."""


@dataclass(frozen=True)
class Encoding:
    """Coefficients and outliers of n samples for a dictionary, one sample a row.

    Attributes
    ----------
    H : (n, K)
        Coefficients, nonnegative.
    background : (n, F)
        ``W h``.
    residual : (n, F)
        ``v − W h``.
    capped : (n, F), or None
        ``v − W h − r``: what is left beside the outliers; None where the method knows no outliers.
    loss : float
        Sum over the samples, with the penalty on the coefficients where there is one.
    iterations : int
    """

    H: NDArray[np.floating]
    background: NDArray[np.floating]
    residual: NDArray[np.floating]
    capped: NDArray[np.floating] | None
    loss: float
    iterations: int

    @property
    def outliers(self) -> NDArray[np.floating]:
        """``r`` (n, F); 0 everywhere where the method knows none."""
        return np.zeros_like(self.residual) if self.capped is None else self.residual - self.capped

    @property
    def clean(self) -> NDArray[np.floating]:
        """``v − r`` (n, F)."""
        return self.background + (self.residual if self.capped is None else self.capped)


class Encoder(Protocol):
    """Solves (9) of Zhao & Tan (2017) for coefficients and outliers, with the dictionary fixed."""

    def prepare(self, W: NDArray[np.floating]) -> None:
        """Use a dictionary (K, F), one basis image a row; it must not change until the next call."""

    def encode(self, V: NDArray[np.floating], H: NDArray[np.floating], loss: Loss) -> Encoding:
        """Encode samples ``V`` (n, F) from the start ``H`` (n, K)."""


def encoding_of(
    V: NDArray[np.floating], W: NDArray[np.floating], H: NDArray[np.floating], loss: Loss, iterations: int,
    penalty: Penalty = NO_PENALTY,
) -> Encoding:  # fmt: skip
    """Return what coefficients ``H`` (n, K) make of samples ``V`` (n, F), with the best outliers for them.

    The loss counts ``penalty``, that on the coefficients, too.
    """
    background = H @ W
    residual = V - background
    capped, value = loss.capped(residual)
    return Encoding(H, background, residual, capped, value + penalty.value(H), iterations)


def gram(W: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return ``Wᵀ W`` of a dictionary (K, F), as (K, K) float64."""
    return (W @ W.T).astype(np.float64)


def least_squares_start(G: NDArray[np.float64], VW: NDArray[np.floating], n_sweeps: int = 3) -> NDArray[np.float64]:
    """Return coefficients (n, K) near the nonnegative least squares fit, which knows no outliers.

    Parameters
    ----------
    G : (K, K) float64
        ``Wᵀ W``.
    VW : (n, K)
        Products of the samples with the basis.
    n_sweeps : int
        Sweeps of coordinate descent after the clipped solution without constraint.
    """
    b = VW.astype(np.float64)
    ridge = 1e-6 * np.trace(G) + 1e-12
    H = np.ascontiguousarray(np.maximum(0, np.linalg.solve(G + ridge * np.eye(len(G)), b.T).T))
    for h, target in zip(H, b, strict=True):
        least_squares.sweep(G, target, n_sweeps, h)
    return H
