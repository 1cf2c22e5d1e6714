"""Kernels that read the whole dictionary of the fast method once: for the background, and to learn.

The dictionary lies as planes of pixels, (K, F), and the loop over pixels is innermost: that vectorises. Pixels go
by in blocks that stay in the first-level cache while the K planes are added up.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Floats, Samples, Scalar, Vector

BLOCK = 2048
"""Pixels in a block: one float32 block is 8 KiB."""


@njit(cache=True, nogil=True)
def background_band(
    start: int, stop: int, W: Floats, h: Floats, white: Scalar, signed_from: int, black: Scalar, neutral: Scalar,
    out: Samples,
) -> None:  # fmt: skip
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
        b = block_end(a, stop, signed_from)
        product(W, h, a, b, sums)
        rounded = out[a:b]
        base = np.float32(0.5) + (neutral if a >= signed_from else black)
        for p in range(rounded.size):
            rounded[p] = np.int32(min(max(sums[p] + base, np.float32(0)), white))
        a = b


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def learn_band(
    start: int, stop: int, v: Vector, scale: Scalar, W: Floats, B: Floats, A: Floats, inverse: Floats, h: Floats,
    keep: Scalar, lam: Scalar, hidden: Bytes, signed_from: int, black: Scalar, neutral: Scalar,
) -> NDArray[np.float64]:  # fmt: skip
    """Add one sample to ``B`` and sweep the dictionary once by coordinate descent, in one pass.

    With ``e = v − W h`` and ``c = clip(e, ±lam)``, 0 where hidden, the sample without its outliers is ``W h + c``;
    then ``B ← keep B + (W h + c) hᵀ`` and ``w_k ← max(0, w_k + inverse_k (b_k − W a_k))``
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
    keep : float32
        What the past counts.
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
        b = block_end(a, stop, signed_from)
        product(W, h, a, b, clean)
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
            gain, sums = h[k], B[k, a:b]
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
def block_end(a: int, stop: int, signed_from: int) -> int:
    """Return where the block of pixels ends that begins at ``a``: no block has values of both signs."""
    b = min(a + BLOCK, stop)
    return signed_from if a < signed_from < b else b


@njit(cache=True, nogil=True)
def product(W: Floats, h: Floats, a: int, b: int, out: Floats) -> None:
    """Write ``W h`` for pixels a to b; in slices, as a loop from 0 over a slice vectorises and one from a does not.

    ``W`` is (K, F), ``h`` (K,), ``out`` as long as the longest slice.
    """
    if h.size == 0:
        out[: b - a] = 0
        return
    column, c = W[0, a:b], h[0]
    for p in range(column.size):
        out[p] = column[p] * c
    for k in range(1, h.size):
        column, c = W[k, a:b], h[k]
        for p in range(column.size):
            out[p] += column[p] * c
