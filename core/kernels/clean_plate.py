"""Kernels of the plate."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Samples


@njit(cache=True, nogil=True)
def median_of_seen(frames: Samples, hidden: Bytes, out: Samples) -> None:
    """Write the median of each value over the frames that show the scene; none does: left as it is.

    Parameters
    ----------
    frames : (N, P) uint8 or uint16
    hidden : (N, P) uint8
        Not 0 where a frame does not show the scene.
    out : (P,), of the type of the frames
        Of an even number of frames the mean of the middle two, rounded up.
    """
    seen = np.empty(frames.shape[0], frames.dtype)
    for p in range(out.size):
        n = 0
        for i in range(frames.shape[0]):
            if not hidden[i, p]:
                seen[n] = frames[i, p]
                n += 1
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


@njit(cache=True, nogil=True)
def support_row(frames: Samples, weight: Floats, near: int, out: Floats) -> None:
    """Write which share of the weight of all frames shows the look that each frame has, at each pixel of a row.

    Two frames show the same look where no plane differs by more than ``near``.

    Parameters
    ----------
    frames : (C, N, P) uint8 or uint16
    weight : (N, P) float32
    near : int
        Samples.
    out : (N, P) float32
        Written; 0 where all weights are 0.
    """
    n_planes, n, width = frames.shape
    total, differs = np.zeros(width, np.float32), np.empty(width, np.int32)
    for t in range(n):
        now, at_t = weight[t], out[t]
        for p in range(width):
            at_t[p] = now[p]
            total[p] += now[p]
        for u in range(t):
            differs[:] = 0
            for c in range(n_planes):
                a, b = frames[c, t], frames[c, u]
                for p in range(width):
                    apart = abs(np.int32(a[p]) - np.int32(b[p]))
                    differs[p] = max(differs[p], apart)
            then, at_u = weight[u], out[u]
            for p in range(width):
                alike = np.float32(differs[p] <= near)
                at_t[p] += alike * then[p]
                at_u[p] += alike * now[p]
    for t in range(n):
        row = out[t]
        for p in range(width):
            row[p] = row[p] / total[p] if total[p] > 0 else np.float32(0)
