"""Nonnegative least squares with a weight for each entry, or for each sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.kernels import weighted_least_squares as kernel
from core.runtime import stopping

Matrix = NDArray[np.float32]

SCRATCH_VALUES = 4_000_000
"""Products of pairs of basis images, and matrices of samples, that are held at a time: 16 MB each."""

ROWS_BETWEEN_STOPS = 4096
"""Samples of a call of the kernel, which cannot be stopped: about a second, of the largest ranks."""


@dataclass(frozen=True)
class Precision:
    """When a problem of weighted least squares counts as solved.

    Attributes
    ----------
    tolerance : float
        Part of the projected gradient's first norm that may be left (Guan et al. 2019, eq. 15).
    max_iterations : int
        Gradient steps, at most, for each sample.
    """

    tolerance: float = 1e-3
    max_iterations: int = 100


def solve(V: Matrix, Q: Matrix, W: Matrix, H: Matrix, precision: Precision) -> tuple[Matrix, int]:
    """Return better coefficients for ``min over H ≥ 0 of ‖√Q ∘ (V − H W)‖²``, and the gradient steps of all samples.

    Each sample is a problem of its own (Guan et al. 2019, eq. 13, algorithm 1). Its matrix ``W diag(q) Wᵀ`` is linear
    in the weights: those of all samples are one product of ``Q`` with the pairwise products of the basis images.
    The same function improves the dictionary, from the transposes of ``V``, ``Q``, ``H`` and ``W`` (eq. 14).

    Parameters
    ----------
    V : (n, F) float32
        Samples.
    Q : (n, F) float32
        Weights, nonnegative; or (n, 1), (1, F), (1, 1): alike along an axis.
    W : (K, F) float32
        Dictionary, nonnegative.
    H : (n, K) float32
        Start, nonnegative. A sample whose weights are all 0 keeps it, but where weights are of whole samples: the
        papers solve those as well.
    precision : Precision

    Returns
    -------
    (H, iterations)
        (n, K) float32, contiguous; no sample's objective is higher than it was.
    """
    H = np.array(H, np.float32, order="C")
    if Q.shape[1] == 1:  # A weight of a whole sample does not move its solution.
        return H, _solve_alike(V, W, H, W, precision)
    if Q.shape[0] == 1:
        return H, _solve_alike(V, W, H, W * Q, precision)
    first, second = np.triu_indices(len(W))
    rows = max(1, SCRATCH_VALUES // first.size)
    spent = 0
    for start in range(0, len(V), rows):
        band = slice(start, start + rows)
        grams = np.zeros((len(V[band]), first.size), np.float32)
        products = np.zeros_like(H[band])
        for left in range(0, W.shape[1], rows):
            stopping.check()
            part = slice(left, left + rows)
            weights, basis = Q[band, part], np.ascontiguousarray(W[:, part])
            grams += weights @ (basis[first] * basis[second]).T
            products += (weights * V[band, part]) @ basis.T
        spent += kernel.descend(grams, products, precision.tolerance, precision.max_iterations, H[band])
    return H, spent


def _solve_alike(V: Matrix, W: Matrix, H: Matrix, weighted: Matrix, precision: Precision) -> int:
    """Improve ``H`` in place where all samples have one matrix, ``W weightedᵀ``; return the gradient steps."""
    grams = (weighted @ W.T)[np.triu_indices(len(W))][None]
    products, spent = V @ weighted.T, 0
    for start in range(0, len(V), ROWS_BETWEEN_STOPS):
        stopping.check()
        band = slice(start, start + ROWS_BETWEEN_STOPS)
        spent += kernel.descend(grams, products[band], precision.tolerance, precision.max_iterations, H[band])
    return spent
