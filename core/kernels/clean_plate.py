"""Kernels of the plate."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Integers, Samples
from core.kernels.median import sort_columns

BLOCK = 256
"""Values in a block: of 8 bits from 301 frames it takes 75 KiB."""


@njit(cache=True, nogil=True)
def median_of_seen(frames: Samples, hidden: Bytes, out: Samples) -> None:
    """Write the median of each value over the frames that show the scene; none does: left as it is.

    Parameters
    ----------
    frames : (N, P) uint8 or uint16
    hidden : (N, P) uint8
        Not 0 where a frame does not show the scene.
    out : (P,), of the type of the frames
        The mean of the middle two, rounded up, where the number of frames is even.
    """
    n_frames, n_values = frames.shape
    rows, both = np.empty((n_frames, BLOCK), frames.dtype), np.empty(BLOCK, np.int32)
    for start in range(0, n_values, BLOCK):
        width = min(BLOCK, n_values - start)
        for i in range(n_frames):
            frame, row = frames[i, start:], rows[i]
            for p in range(width):
                row[p] = frame[p]
        _middle_two(rows, hidden[:, start : start + width], both)
        for p in range(width):
            if both[p] >= 0:
                out[start + p] = (both[p] + 1) // 2


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
    n_frames, n_values = frames.shape
    rows, both = np.empty((n_frames, BLOCK), frames.dtype), np.empty(BLOCK, np.int32)
    for start in range(0, n_values, BLOCK):
        width, known = min(BLOCK, n_values - start), plate[start:]
        for i in range(n_frames):
            frame, row = frames[i, start:], rows[i]
            for p in range(width):
                row[p] = max(frame[p], known[p]) - min(frame[p], known[p])
        _middle_two(rows, hidden[:, start : start + width], both)
        for p in range(width):
            out[start + p] = np.float32(0.5) * np.float32(max(both[p], 0))


@njit(cache=True, nogil=True)
def _middle_two(rows: Samples, hidden: Bytes, both: Integers) -> None:
    """Write the sum of the middle two of what is not hidden in each column, twice the middle one of an odd number.

    Parameters
    ----------
    rows : (N, BLOCK) uint8 or uint16
        Overwritten.
    hidden : (N, P) uint8
        Not 0 where a value does not count; P is at most `BLOCK`, further columns are not looked at.
    both : (BLOCK,) int32
        Written up to P; -1 where nothing counts.
    """
    n_seen, last = np.zeros(BLOCK, np.int32), np.iinfo(rows.dtype).max
    for i in range(len(rows)):
        hides, row = hidden[i], rows[i]
        for p in range(hides.size):
            row[p] = last if hides[p] else row[p]  # Behind all that counts.
            n_seen[p] += np.int32(hides[p] == 0)
    sort_columns(rows)
    for p in range(hidden.shape[1]):
        n = n_seen[p]
        both[p] = np.int32(rows[(n - 1) // 2, p]) + np.int32(rows[n // 2, p]) if n else -1


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
