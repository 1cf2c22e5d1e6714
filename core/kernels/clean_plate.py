"""Kernels of the plate."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Samples

FEW = 8
"""One near sample in so many is enough to leave the others out."""


@njit(cache=True, nogil=True)
def median_of_seen(frames: Samples, hidden: Bytes, near: int, out: Samples) -> None:
    """Write the median of each value over the frames that show the scene; none does: left as it is.

    A frame shows the scene where it was not hidden and lies near the background that is known in the end. Where
    hardly any lies near, all that were not hidden count.

    Parameters
    ----------
    frames : (N, P) uint8 or uint16
    hidden : (N, P) uint8
        Not 0 where a frame does not show the scene.
    near : int
        Samples.
    out : (P,), of the type of the frames
        Holds the background; changed. Of an even number of frames the mean of the middle two, rounded up.
    """
    seen = np.empty(frames.shape[0], frames.dtype)
    for p in range(out.size):
        n = n_near = 0
        known = np.int32(out[p])
        for i in range(frames.shape[0]):
            if hidden[i, p]:
                continue
            x = frames[i, p]
            if abs(np.int32(x) - known) <= near:  # the near ones come first
                seen[n] = seen[n_near]
                seen[n_near] = x
                n_near += 1
            else:
                seen[n] = x
            n += 1
        if n_near * FEW >= n:
            n = n_near
        if n:
            ordered = np.sort(seen[:n])
            out[p] = (np.int32(ordered[(n - 1) // 2]) + np.int32(ordered[n // 2]) + 1) // 2


@njit(cache=True, nogil=True)
def spread_of_seen(frames: Samples, hidden: Bytes, plate: Samples, out: Floats) -> None:
    """Write the median distance of each value from the plate over the frames that show the scene; none does: 0.

    Parameters
    ----------
    frames : (N, P) uint8 or uint16
    hidden : (N, P) uint8
        Not 0 where a frame does not show the scene.
    plate : (P,), of the type of the frames
    out : (P,) float32
        Written, samples.
    """
    apart = np.empty(frames.shape[0], np.int32)
    for p in range(out.size):
        n = 0
        for i in range(frames.shape[0]):
            if not hidden[i, p]:
                apart[n] = abs(np.int32(frames[i, p]) - np.int32(plate[p]))
                n += 1
        out[p] = np.median(apart[:n]) if n else np.float32(0)
