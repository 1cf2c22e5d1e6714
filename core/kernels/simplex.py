"""Kernels of stochastic gradient descent for a dictionary whose columns lie on the probability simplex."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Floats, Real


@njit(cache=True, nogil=True)
def project(w: Real) -> None:
    """Project ``w`` (F,) onto ``{w ≥ 0, Σ w = 1}``, in place.

    Michelot's method: subtract what makes the sum 1, drop what falls below zero, repeat; it ends after a few passes,
    at the latest when all but one have been dropped, and sorts nothing.
    """
    total = 0.0
    for p in range(w.size):
        total += w[p]
    count = w.size
    shift = (total - 1) / count
    for _ in range(w.size):
        total = 0.0
        left = 0
        for p in range(w.size):
            if w[p] > shift:
                total += w[p]
                left += 1
        if not 0 < left < count:
            break
        count = left
        shift = (total - 1) / count
    for p in range(w.size):
        w[p] = max(w[p] - w.dtype.type(shift), w.dtype.type(0))


@njit(cache=True, nogil=True)
def descend(
    V: Floats, H: Floats, order: NDArray[np.intp], steps: Floats, W: Floats, residual: Floats, mean: Floats,
) -> None:  # fmt: skip
    """Take projected steps along the gradients of single samples, and write the mean of where they led.

    Each step minimises a little of ``½‖v − W h‖²`` over dictionaries with every basis image on the simplex.

    Parameters
    ----------
    V : (n, F) float32
        Samples.
    H : (n, K) float32
        Their coefficients, fixed.
    order : (T,) intp
        Which sample each step takes.
    steps : (T,) float32
        Length of each step, and its weight in the mean.
    W : (K, F) float32
        Start, one basis image a row; overwritten.
    residual : (F,) float32
        Room to work in.
    mean : (K, F) float32
        Written: the weighted mean of the dictionaries that the steps led to.
    """
    mean[:] = 0
    weight = 0.0
    for t in range(order.size):
        v, h = V[order[t]], H[order[t]]
        for p in range(v.size):
            residual[p] = v[p]
        for k in range(h.size):
            if h[k] != 0:
                for p in range(v.size):
                    residual[p] -= h[k] * W[k, p]
        for k in range(h.size):
            if h[k] != 0:
                for p in range(v.size):
                    W[k, p] += steps[t] * h[k] * residual[p]
                project(W[k])
        weight += steps[t]
        share = steps[t] / weight
        for k in range(h.size):
            for p in range(v.size):
                mean[k, p] += share * (W[k, p] - mean[k, p])
