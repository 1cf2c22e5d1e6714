"""Kernels of the plate."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Samples

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
        Of an even number of frames the mean of the middle two, rounded up.
    """
    n_frames, n_values = frames.shape
    seen, n_seen = np.empty((n_frames, BLOCK), frames.dtype), np.empty(BLOCK, np.int32)
    last = np.iinfo(frames.dtype).max
    for start in range(0, n_values, BLOCK):
        width = min(BLOCK, n_values - start)
        n_seen[:] = 0
        for i in range(n_frames):
            frame, hides, row = frames[i, start:], hidden[i, start:], seen[i]
            for p in range(width):
                row[p] = last if hides[p] else frame[p]  # Behind all that is seen.
                n_seen[p] += np.int32(hides[p] == 0)
        _sort_columns(seen)
        for p in range(width):
            n = n_seen[p]
            if n:
                out[start + p] = (np.int32(seen[(n - 1) // 2, p]) + np.int32(seen[n // 2, p]) + 1) // 2


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
    apart, n_seen = np.empty((n_frames, BLOCK), frames.dtype), np.empty(BLOCK, np.int32)
    last = np.iinfo(frames.dtype).max
    for start in range(0, n_values, BLOCK):
        width, known = min(BLOCK, n_values - start), plate[start:]
        n_seen[:] = 0
        for i in range(n_frames):
            frame, hides, row = frames[i, start:], hidden[i, start:], apart[i]
            for p in range(width):
                distance = max(frame[p], known[p]) - min(frame[p], known[p])
                row[p] = last if hides[p] else distance
                n_seen[p] += np.int32(hides[p] == 0)
        _sort_columns(apart)
        for p in range(width):
            n = n_seen[p]
            both = np.int32(apart[(n - 1) // 2, p]) + np.int32(apart[n // 2, p]) if n else 0
            out[start + p] = np.float32(0.5) * np.float32(both)


@njit(cache=True, nogil=True)
def _sort_columns(rows: Samples) -> None:
    """Put each column of (N, P) in order: by merge exchange (Knuth, vol. 3, 5.2.2, algorithm M).

    Which rows are compared does not depend on what is in them, so all columns are sorted at once.
    """
    n = len(rows)
    n_levels = 0
    for _ in range(n):
        n_levels += int(1 << n_levels < n)
    for level in range(n_levels):
        part = 1 << n_levels - 1 - level
        for merge in range(level + 1):
            apart = part if merge == 0 else (1 << n_levels - merge) - part
            wanted = 0 if merge == 0 else part
            for i in range(n - apart):
                if i & part == wanted:
                    _exchange(rows[i], rows[i + apart])


@njit(cache=True, nogil=True)
def _exchange(low: Samples, high: Samples) -> None:
    """Put the smaller of two values into the first of two rows, at each column."""
    for p in range(low.size):
        x, y = low[p], high[p]
        low[p] = min(x, y)
        high[p] = max(x, y)


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
