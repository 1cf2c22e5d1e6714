"""Kernels of the fast method: one pass over the dictionary for a split, one for learning.

The dictionary lies as planes of pixels, (K, F), and the loop over pixels is innermost: that vectorises. Pixels go
by in blocks that stay in the first-level cache while the K planes are added up.
"""

from __future__ import annotations

import numpy as np
from numba import njit

BLOCK = 2048
"""Pixels in a block: one float32 block is 8 KiB."""


@njit(cache=True, nogil=True)
def background_band(start, stop, W, h, white, signed_from, black, neutral, out):
    """Write ``W h``, rounded to samples in [0, white], for the pixels of a band: one read of the dictionary.

    Parameters
    ----------
    start, stop : int
        The band.
    W : (K, F) float32
    h : (K,) float32
        Coefficients times ``white``.
    white : float32
    signed_from : int
        From here on ``W h`` departs from ``neutral`` both ways.
    black, neutral : float32
        Samples from which ``W h`` counts, before and from there on.
    out : (F,) uint8 or uint16
        Written.
    """
    sums = np.empty(BLOCK, np.float32)
    a = start
    while a < stop:
        b = _block_end(a, stop, signed_from)
        _product(W, h, a, b, sums)
        rounded = out[a:b]
        base = np.float32(0.5) + (neutral if a >= signed_from else black)
        for p in range(rounded.size):
            rounded[p] = np.int32(min(max(sums[p] + base, np.float32(0)), white))
        a = b


@njit(cache=True, nogil=True)
def _block_end(a, stop, signed_from):
    b = min(a + BLOCK, stop)
    return signed_from if a < signed_from < b else b


@njit(cache=True, nogil=True)
def _product(W, h, a, b, out):
    """Write ``W h`` for pixels a to b; in slices, as a loop from 0 over a slice vectorises and one from a does not."""
    column, c = W[0, a:b], h[0]
    for p in range(column.size):
        out[p] = column[p] * c
    for k in range(1, h.size):
        column, c = W[k, a:b], h[k]
        for p in range(column.size):
            out[p] += column[p] * c


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def learn_band(start, stop, v, scale, W, B, A, inverse, h, keep, weight, lam, hidden, signed_from, black, neutral):
    """Add one sample to ``B`` and sweep the dictionary once by coordinate descent, in one pass.

    With ``e = v − W h`` and ``c = clip(e, ±lam)``, 0 where hidden, the sample without its outliers is ``W h + c``;
    then ``B ← keep B + weight (W h + c) hᵀ`` and ``w_k ← max(0, w_k + inverse_k (b_k − W a_k))``
    for each k in turn.

    Parameters
    ----------
    start, stop : int
        The band.
    v : (F,) uint8, uint16 or float32
    scale : float32
        Unit of ``v`` over white.
    W, B : (K, F) float32
        Dictionary and statistics; changed.
    A : (K, K) float32
        Statistics that already hold this sample.
    inverse : (K,) float32
        Step of each column, ``1 / A_kk`` or less.
    h : (K,) float32
    keep, weight : float32
        Forgetting, and the weight of the sample.
    lam : float32
        Residuals count as this much at most, units of white.
    hidden : (F,) uint8, or empty
        Not 0 where the sample teaches nothing.
    signed_from : int
        From here on ``v`` and ``W h`` depart from ``neutral`` both ways, and ``W`` may be negative.
    black, neutral : float32
        Where ``W h`` counts from, before and from there on; units of white.

    Returns
    -------
    (K,) float64
        Sums of squares of the new columns over the band.
    """
    K = h.size
    norms = np.zeros(K)
    clean = np.empty(BLOCK, np.float32)
    rest = np.empty(BLOCK, np.float32)
    step = np.empty(BLOCK, np.float32)
    a = start
    while a < stop:
        b = _block_end(a, stop, signed_from)
        _product(W, h, a, b, clean)
        base, least = (neutral, -np.float32(np.inf)) if a >= signed_from else (black, np.float32(0))
        seen = v[a:b]
        n = seen.size
        for p in range(n):
            rest[p] = min(max(np.float32(seen[p]) * scale - base - clean[p], -lam), lam)
        if hidden.size:
            covered = hidden[a:b]
            for p in range(n):
                rest[p] = np.float32(0) if covered[p] else rest[p]
        for p in range(n):
            clean[p] += rest[p]
        for k in range(K):
            gain, sums = weight * h[k], B[k, a:b]
            for p in range(n):
                sums[p] = keep * sums[p] + gain * clean[p]
        for k in range(K):
            sums = B[k, a:b]
            for p in range(n):
                step[p] = sums[p]
            for j in range(K):
                column, c = W[j, a:b], A[j, k]
                for p in range(n):
                    step[p] -= column[p] * c
            column, c = W[k, a:b], inverse[k]
            total = np.float32(0)
            for p in range(n):
                w = max(least, column[p] + step[p] * c)
                column[p] = w
                total += w * w
            norms[k] += total
        a = b
    return norms


@njit(cache=True, nogil=True)
def encode(v, W, trust, lam, h, sweeps, tolerance):
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
def sample(v, index, scale, zero, out):
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
def weigh(values, white, hidden, pixel_index, weak, covered, trust):
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
def leave(values, W, h, white, out):
    """Write what coefficients leave of sampled values, ``v − min(W h, white)``: beyond white there is only white.

    Parameters
    ----------
    values, white : (S,) float32
    W : (K, S) float32
    h : (K,) float32
    out : (S,) float32
        Written.
    """
    _product(W, h, 0, values.size, out)
    for s in range(values.size):
        out[s] = values[s] - min(out[s], white[s])


@njit(cache=True, nogil=True)
def gather(W, index, out):
    """Copy the columns ``index`` (S,) of ``W`` (K, F) to ``out`` (K, S)."""
    for k in range(W.shape[0]):
        row, picked = W[k], out[k]
        for s in range(index.size):
            picked[s] = row[index[s]]


@njit(cache=True, nogil=True)
def _residual(v, W, h, e):
    for p in range(v.size):
        e[p] = v[p]
    for k in range(h.size):
        c = np.float32(h[k])
        for p in range(v.size):
            e[p] -= c * W[k, p]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _weighted_dot(q, a, b):
    total = np.float64(0)
    for p in range(0, q.size, 512):
        weight, x, y = q[p : p + 512], a[p : p + 512], b[p : p + 512]  # in slices, see `_product`
        part = np.float32(0)
        for i in range(weight.size):
            part += weight[i] * x[i] * y[i]
        total += part
    return total


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _huber(e, lam):
    total = np.float64(0)
    for p in range(0, e.size, 512):
        part, some = np.float32(0), e[p : p + 512]
        for i in range(some.size):
            size = abs(some[i])
            near = min(size, lam)
            part += near * (size - np.float32(0.5) * near)
        total += part
    return total


@njit(cache=True, nogil=True)
def median_band(start, stop, frames, count, out):
    """Write the median over the first ``count`` frames for each value of a band.

    Parameters
    ----------
    start, stop : int
        The band.
    frames : (N, F) uint8, uint16 or float32
    count : int
        Frames to use; for an even count the lower of the middle two.
    out : (F,)
        Written, of the same type.
    """
    middle = (count - 1) // 2
    rows = np.empty((count, BLOCK), frames.dtype)
    for a in range(start, stop, BLOCK):
        b = min(a + BLOCK, stop)
        n = b - a
        for i in range(count):
            for p in range(n):  # Assigning a slice compiles for seconds: it formats what it would say.
                rows[i, p] = frames[i, a + p]
        for i in range(middle + 1):  # after round i, row i holds the (i + 1)-th smallest
            low = rows[i]
            for j in range(i + 1, count):
                high = rows[j]
                for p in range(n):
                    x, y = low[p], high[p]
                    low[p] = x if x < y else y
                    high[p] = y if x < y else x
        for p in range(n):
            out[a + p] = rows[middle, p]
