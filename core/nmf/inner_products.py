"""Inner products of long vectors: sums in their own type over short blocks, in float64 over the blocks.

One float32 sum over the values of a large frame is wrong from the sixth down to the third digit, whichever library
adds it up. An iteration gains less than that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK = 512
"""Values of a block, at most. In shorter ones little more is gained, and the calls for each begin to cost."""


def inner(X: NDArray[np.floating], Y: NDArray[np.floating]) -> float:
    """Return ``⟨X, Y⟩`` of arrays (..., P) of the same shape."""
    return float(np.add.reduce(inner_by_row(X, Y), axis=None))


def inner_by_row(X: NDArray[np.floating], Y: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the inner product of each row of ``X`` (..., P) with that of ``Y``, of the same shape; (...)."""
    size = X.shape[-1]
    if size <= BLOCK:
        short: NDArray[np.float64] = np.vecdot(X, Y).astype(np.float64)
        return short
    whole = size // BLOCK * BLOCK
    blocks = (*X.shape[:-1], size // BLOCK, BLOCK)
    sums = np.vecdot(X[..., :whole].reshape(blocks), Y[..., :whole].reshape(blocks))
    out: NDArray[np.float64] = np.vecdot(X[..., whole:], Y[..., whole:]).astype(np.float64)
    out += np.add.reduce(sums, axis=-1, dtype=np.float64)
    return out
