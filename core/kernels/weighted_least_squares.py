"""Kernel of weighted nonnegative least squares: many small problems, each with a matrix of its own."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Real

POWER_STEPS = 12
"""Power iterations for the largest eigenvalue; the bound taken from them holds after any number."""


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def descend(grams: Real, products: Real, tolerance: float, max_iterations: int, H: Real) -> int:
    """Improve every row ``h ≥ 0`` of ``H`` for ``min ½ hᵀ G h − bᵀ h`` by Nesterov's optimal gradient.

    Guan et al. (2019), algorithm 1, with their stop (15). Departures: what is returned is the last feasible point
    (the paper's line 8 hands out the extrapolated one, which may be negative); where the objective would rise, the
    extrapolation starts anew from the best point, so that no call ever raises it; and the step is one over
    an upper bound of ``‖G‖₂``, as `bound` finds it.

    Parameters
    ----------
    grams : (n, K(K+1)/2) floating, or (1, K(K+1)/2)
        Upper triangles of the matrices ``G``, row after row, nonnegative; one where all rows share it.
    products : (n, K) as ``grams``
        ``b``.
    tolerance : float
        Stop when the norm of the projected gradient has fallen to this part of what it was at the start.
    max_iterations : int
        Of each row.
    H : (n, K) as ``grams``
        Start, nonnegative; written.

    Returns
    -------
    int
        Iterations, of all rows together.
    """
    n, K = H.shape
    G = np.empty((K, K), grams.dtype)
    slope, z_slope, next_slope = np.empty(K, grams.dtype), np.empty(K, grams.dtype), np.empty(K, grams.dtype)
    z, ahead = np.empty(K, grams.dtype), np.empty(K, grams.dtype)
    spent, L = 0, 0.0
    for i in range(n):
        h, b = H[i], products[i]
        if i < len(grams):
            position = 0
            for k in range(K):
                for j in range(k, K):
                    G[k, j] = G[j, k] = grams[i, position]
                    position += 1
            L = bound(G, z, ahead)
        if not L > 0:
            continue
        step = grams.dtype.type(1 / L)
        gradient(G, b, h, slope)
        limit = tolerance * tolerance * projected(slope, h)
        z[:] = h
        z_slope[:] = slope
        alpha, fresh = 1.0, True
        for _ in range(max_iterations):
            spent += 1
            for k in range(K):
                ahead[k] = max(z[k] - step * z_slope[k], 0)
            gradient(G, b, ahead, next_slope)
            rise = 0.0  # Twice the objective's; from the slopes at both ends, as differences of sums are but rounding.
            for k in range(K):
                rise += (ahead[k] - h[k]) * (slope[k] + next_slope[k])
            if rise > 0:
                if fresh:  # Nothing is left to gain but rounding.
                    break
                z[:] = h
                z_slope[:] = slope
                alpha, fresh = 1.0, True
                continue
            next_alpha = (1 + np.sqrt(4 * alpha * alpha + 1)) / 2
            push = grams.dtype.type((alpha - 1) / next_alpha)
            for k in range(K):  # The gradient is affine: extrapolated as the point is, it needs no product.
                z[k] = ahead[k] + push * (ahead[k] - h[k])
                z_slope[k] = next_slope[k] + push * (next_slope[k] - slope[k])
                h[k], slope[k] = ahead[k], next_slope[k]
            alpha, fresh = next_alpha, False
            if projected(slope, h) <= limit:
                break
    return spent


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def gradient(G: Real, b: Real, h: Real, slope: Real) -> None:
    """Write ``G h − b`` (K,) into ``slope``."""
    K = h.size
    for k in range(K):
        slope[k] = -b[k]
    for j in range(K):
        if h[j] != 0:
            for k in range(K):
                slope[k] += G[j, k] * h[j]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def projected(slope: Real, h: Real) -> float:
    """Return the squared norm of the projected gradient (K,): where ``h`` is 0, only what would raise ``h`` counts."""
    total = 0.0
    for k in range(h.size):
        if h[k] > 0 or slope[k] < 0:
            total += slope[k] * slope[k]
    return total


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def bound(G: Real, x: Real, y: Real) -> float:
    """Return an upper bound of ``‖G‖₂``, close to it, for a symmetric matrix (K, K) without negative entries.

    For any ``x > 0`` the largest ``(G x)_k / x_k`` is one (Collatz and Wielandt); power iterations bring it down.
    ``x`` and ``y`` (K,) are scratch.
    """
    K = x.size
    x[:] = 1
    largest = 0.0
    for step in range(POWER_STEPS):
        top = 0.0
        for k in range(K):
            y[k] = 0
        for j in range(K):
            for k in range(K):
                y[k] += G[j, k] * x[j]
        ratio = 0.0
        for k in range(K):
            ratio = max(ratio, y[k] / x[k])
            top = max(top, y[k])
        if not top > 0:
            return 0.0
        largest = ratio if step == 0 else min(largest, ratio)
        for k in range(K):  # A part of 1: rows of zeros would end the division.
            x[k] = y[k] / top + 1e-6
    return largest * (1 + 1e-5)
