"""Kernels of the fast method's pixel sample: what is sampled, and the coefficients that it determines."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Floats, Scalar, Vector
from core.kernels.dictionary_pass import product


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


@njit(cache=True, nogil=True)
def encode(
    v: Floats, W: Floats, trust: Floats, lam: Scalar, h: NDArray[np.float64], sweeps: int, tolerance: float,
) -> tuple[float, int]:  # fmt: skip
    """Solve ``min_{h ≥ 0} Σ_p huber_lam(v_p − (W h)_p)`` by reweighted least squares.

    Each round weights a pixel by ``min(1, lam / |e|)``, builds the K×K normal equations and solves them over
    ``h ≥ 0`` by coordinate descent to the end.

    Parameters
    ----------
    v : (S,) float32
        Sampled pixels, units of white.
    W : (K, S) float32
    trust : (S,) float32
        Weight of each pixel, 0 to 1, in the search; the loss that is returned counts all alike.
    lam : float32
    h : (K,) float64
        Start; overwritten with the solution.
    sweeps : int
        Rounds at most.
    tolerance : float
        Stop when no coefficient moved by more than this share of the largest.

    Returns
    -------
    (objective, rounds)
        Huber's loss over the sample at the solution, and the rounds spent.
    """
    K, S = W.shape
    e = np.empty(S, np.float32)
    q = np.empty(S, np.float32)
    G = np.empty((K, K))
    g = np.empty(K)
    rounds = 0
    for _ in range(sweeps):
        rounds += 1
        _residual(v, W, h, e)
        for p in range(S):
            q[p] = trust[p] * lam / max(abs(e[p]), lam)
        for k in range(K):
            for j in range(k + 1):
                G[k, j] = _weighted_dot(q, W[k], W[j])
                G[j, k] = G[k, j]
            g[k] = _weighted_dot(q, W[k], e)
        # minimise ½ dᵀGd − gᵀd over h + d ≥ 0
        largest = 0.0
        for k in range(K):
            largest = max(largest, h[k])
        d = np.zeros(K)
        for _ in range(100):
            moved = 0.0
            for k in range(K):
                if G[k, k] <= 0:
                    continue
                slope = g[k]
                for j in range(K):
                    slope -= G[k, j] * d[j]
                new = max(-h[k], d[k] + slope / G[k, k])
                moved = max(moved, abs(new - d[k]))
                d[k] = new
            if moved <= 1e-3 * tolerance * max(largest, 1e-12):
                break
        change = 0.0
        for k in range(K):
            h[k] = max(0.0, h[k] + d[k])
            change = max(change, abs(d[k]))
        if change <= tolerance * max(largest, 1e-12):
            break
    _residual(v, W, h, e)
    return _huber(e, lam), rounds


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


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _huber(e: Floats, lam: Scalar) -> float:
    total = np.float64(0)
    for p in range(0, e.size, 512):
        part, some = np.float32(0), e[p : p + 512]
        for i in range(some.size):
            size = abs(some[i])
            near = min(size, lam)
            part += near * (size - np.float32(0.5) * near)
        total += part
    return total
