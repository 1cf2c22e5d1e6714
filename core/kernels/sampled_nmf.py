"""Kernels of the fast method's pixel sample: what is sampled, and the coefficients that it determines."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Floats, Scalar, Vector
from core.kernels.dictionary_pass import product

TINY = np.float32(1e-30)
"""No difference is so small: what is divided by is not 0."""


@njit(cache=True, nogil=True)
def sample(v: Vector, index: NDArray[np.intp], scale: Scalar, zero: Floats, out: Floats) -> None:
    """Write the sampled values of a vector, in units of white, counted from zero.

    Parameters
    ----------
    v : (F,) uint8, uint16 or float32
    index : (S,) intp
    scale : float32
        One sample in units of white.
    zero : (S,) float32
        Where each value counts from, units of white.
    out : (S,) float32
        Written.
    """
    for s in range(index.size):
        out[s] = np.float32(v[index[s]]) * scale - zero[s]


@njit(cache=True, nogil=True)
def gather(W: Floats, index: NDArray[np.intp], out: Floats) -> None:
    """Copy the columns ``index`` (S,) of ``W`` (K, F) to ``out`` (K, S)."""
    for k in range(W.shape[0]):
        row, picked = W[k], out[k]
        for s in range(index.size):
            picked[s] = row[index[s]]


@njit(cache=True, nogil=True)
def weigh(
    values: Floats, white: Floats, hidden: Bytes, pixel_index: NDArray[np.intp], weak: Scalar,
    covered: NDArray[np.bool_], trust: Floats,
) -> None:  # fmt: skip
    """Write which sampled values a mask covers, and how far each is to be trusted.

    Parameters
    ----------
    values, white : (S,) float32
        Sampled values, and what is white there.
    hidden : (P,) uint8
        Not 0 where a pixel is covered; empty: none is.
    pixel_index : (S,) intp
        Pixel of each value.
    weak : float32
        Trust in values that are covered, or white: what is white may be anything beyond.
    covered : (S,) bool
        Written.
    trust : (S,) float32
        Written: ``weak`` or 1.
    """
    for s in range(values.size):
        covered[s] = hidden.size > 0 and hidden[pixel_index[s]] != 0
    for s in range(values.size):
        trust[s] = weak if covered[s] or values[s] >= white[s] else np.float32(1)


@njit(cache=True, nogil=True, error_model="numpy")
def encode(
    v: Floats, W: Floats, trust: Floats, lam: Scalar, far: Scalar, sweeps: int, tolerance: float,
    out: NDArray[np.float64],
) -> tuple[float, float, int]:  # fmt: skip
    """Solve ``min_{h ≥ 0} Σ_p trust_p loss(v_p − (W h)_p)`` by reweighted least squares.

    The loss is Huber's, ``½e²`` up to ``lam`` and linear from there on, up to ``far``. From there it levels off,
    ``lam (far − ½lam) + lam far (1 − far / |e|)``: a pixel pulls by ``lam (far / e)²``, the less the further it lies.
    Each round weights a pixel by its pull over ``|e|``, builds the K×K normal equations and solves them over ``h ≥ 0``
    by coordinate descent to the end. Where something lies beyond ``far`` the solution is that next to the start.

    Parameters
    ----------
    v : (S,) float32
        Sampled pixels, units of white.
    W : (K, S) float32
    trust : (S,) float32
        Weight of each pixel, 0 to 1.
    lam : float32
    far : float32
        `lam` at least; infinite for Huber's loss.
    sweeps : int
        Rounds at most.
    tolerance : float
        Stop when no coefficient moved by more than this share of the largest.
    out : (K,) float64
        h: the start, overwritten with the solution.

    Returns
    -------
    (loss, trusted, rounds)
        The loss over the sample at the solution, where all pixels count alike, and by their weights; the rounds spent.
    """
    K, S = W.shape
    e = np.empty(S, np.float32)
    q = np.empty(S, np.float32)
    G = np.empty((K, K))
    g = np.empty(K)
    rounds = 0
    for _ in range(sweeps):
        rounds += 1
        _residual(v, W, out, e)
        for p in range(S):
            size = abs(e[p])
            beyond = far / size if size > far else np.float32(1)
            q[p] = trust[p] * lam / max(size, lam) * beyond * beyond
        for k in range(K):
            for j in range(k + 1):
                G[k, j] = _weighted_dot(q, W[k], W[j])
                G[j, k] = G[k, j]
            g[k] = _weighted_dot(q, W[k], e)
        # minimise ½ dᵀGd − gᵀd over h + d ≥ 0
        largest = 0.0
        for k in range(K):
            largest = max(largest, out[k])
        d = np.zeros(K)
        for _ in range(100):
            moved = 0.0
            for k in range(K):
                if G[k, k] <= 0:
                    continue
                slope = g[k]
                for j in range(K):
                    slope -= G[k, j] * d[j]
                new = max(-out[k], d[k] + slope / G[k, k])
                moved = max(moved, abs(new - d[k]))
                d[k] = new
            if moved <= 1e-3 * tolerance * max(largest, 1e-12):
                break
        change = 0.0
        for k in range(K):
            out[k] = max(0.0, out[k] + d[k])
            change = max(change, abs(d[k]))
        if change <= tolerance * max(largest, 1e-12):
            break
    _residual(v, W, out, e)
    loss, trusted = _losses(e, trust, lam, far)
    return loss, trusted, rounds


@njit(cache=True, nogil=True)
def clipped_residual(values: Floats, W: Floats, h: Floats, white: Floats, out: Floats) -> None:
    """Write the residual of sampled values, ``v − min(W h, white)``: beyond white there is only white.

    Parameters
    ----------
    values, white : (S,) float32
    W : (K, S) float32
    h : (K,) float32
    out : (S,) float32
        Written.
    """
    product(W, h, 0, values.size, out)
    for s in range(values.size):
        out[s] = values[s] - min(out[s], white[s])


@njit(cache=True, nogil=True)
def _residual(v: Floats, W: Floats, h: NDArray[np.float64], e: Floats) -> None:
    for p in range(v.size):
        e[p] = v[p]
    for k in range(h.size):
        c = np.float32(h[k])
        for p in range(v.size):
            e[p] -= c * W[k, p]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _weighted_dot(q: Floats, a: Floats, b: Floats) -> float:
    total = np.float64(0)
    for p in range(0, q.size, 512):
        weight, x, y = q[p : p + 512], a[p : p + 512], b[p : p + 512]  # in slices, see `product`
        part = np.float32(0)
        for i in range(weight.size):
            part += weight[i] * x[i] * y[i]
        total += part
    return total


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _losses(e: Floats, trust: Floats, lam: Scalar, far: Scalar) -> tuple[float, float]:
    loss, trusted = np.float64(0), np.float64(0)
    for p in range(0, e.size, 512):
        part, weighted, some, weight = np.float32(0), np.float32(0), e[p : p + 512], trust[p : p + 512]
        for i in range(some.size):
            size = abs(some[i])
            reach = min(size, far)  # Where it is not exceeded, the last term is 0, for an infinite one too.
            near = lam if size > far else min(size, lam)
            beyond = (size - reach) / max(size, TINY)
            one = near * (reach - np.float32(0.5) * near) + lam * reach * beyond
            part += one
            weighted += weight[i] * one
        loss += part
        trusted += weighted
    return loss, trusted
