"""Kernels of the plate."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def median_of_seen(frames, hidden, out):
    """Write the median of each value over the frames in which it was not hidden; never seen: left as it is.

    Parameters
    ----------
    frames : (N, P) uint8 or uint16
    hidden : (N, P) uint8
        Not 0 where a frame does not show the scene.
    out : (P,), of the type of the frames
        Changed. Of an even number of frames the mean of the middle two, rounded up.
    """
    seen = np.empty(frames.shape[0], frames.dtype)
    for p in range(out.size):
        n = 0
        for i in range(frames.shape[0]):
            seen[n] = frames[i, p]
            n += hidden[i, p] == 0
        if n:
            ordered = np.sort(seen[:n])
            out[p] = (np.int32(ordered[(n - 1) // 2]) + np.int32(ordered[n // 2]) + 1) // 2
