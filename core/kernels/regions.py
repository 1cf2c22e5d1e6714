"""Small connected regions of a mask, found run by run: the cost is a look at each pixel and little more."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Integers, Scalar
from core.kernels.arrays import CHUNK, longer


@njit(cache=True, nogil=True)
def drop_small(mask: Bytes, smallest: int, holes: int) -> None:
    """Drop regions of fewer than ``smallest`` pixels, and then fill holes of fewer than ``holes``, in place.

    Rows are cut into runs; runs of neighbouring rows that touch are joined (union-find), and their lengths added up.
    The runs of the holes are what lies between those of the regions, so that the mask is read once.

    Parameters
    ----------
    mask : (H, W) uint8
        255 and 0; changed. Regions are 8-connected, holes 4-connected.
    smallest, holes : int
        Pixels.
    """
    starts, stops, rows = _runs(mask, np.uint8(255))
    areas = _areas(starts, stops, rows, 1)
    count = 0
    for run in range(starts.size):
        if areas[run] < smallest:
            mask[rows[run], starts[run] : stops[run]] = 0
        else:
            starts[count], stops[count], rows[count] = starts[run], stops[run], rows[run]
            count += 1
    if count == 0 or holes <= 1:  # no region is left that could have holes, or they stay
        return
    starts, stops, rows = _gaps(starts[:count], stops[:count], rows[:count], mask.shape[0], mask.shape[1])
    areas = _areas(starts, stops, rows, 0)
    for run in range(starts.size):
        if areas[run] < holes:
            mask[rows[run], starts[run] : stops[run]] = 255


@njit(cache=True, nogil=True)
def keep_resting(regions: Bytes, marked: Bytes, still: Bytes, share: Scalar, out: Bytes) -> bool:
    """Write 255 for regions of whose marked pixels enough are still; return whether any was found.

    Parameters
    ----------
    regions : (H, W) uint8
        255 and 0; regions are 8-connected.
    marked, still : (H, W) uint8
        Not 0 where a pixel is; it counts for the region in which it lies.
    share : float
    out : (H, W) uint8
        Written; 0 elsewhere.
    """
    starts, stops, rows = _runs(regions, np.uint8(255))
    roots = _roots(starts, stops, rows, 1)
    counts = np.zeros((2, starts.size), np.int64)
    for run in range(starts.size):
        seen, resting = marked[rows[run], starts[run] : stops[run]], still[rows[run], starts[run] : stops[run]]
        n_seen = n_resting = 0
        for j in range(seen.size):
            n_seen += seen[j] != 0
            n_resting += resting[j] != 0
        counts[0, roots[run]] += n_seen
        counts[1, roots[run]] += n_resting
    out[:] = 0
    some = False
    for run in range(starts.size):
        n_seen, n_resting = counts[0, roots[run]], counts[1, roots[run]]
        if n_seen and n_resting >= share * n_seen:
            out[rows[run], starts[run] : stops[run]] = 255
            some = True
    return some


@njit(cache=True, nogil=True)
def _areas(starts: Integers, stops: Integers, rows: Integers, reach: int) -> NDArray[np.int64]:
    """Return for each run the pixels of its region; ``reach`` as in `_roots`."""
    roots = _roots(starts, stops, rows, reach)
    areas = np.zeros(starts.size, np.int64)
    for run in range(starts.size):
        areas[roots[run]] += stops[run] - starts[run]
    for run in range(starts.size):
        areas[run] = areas[roots[run]]  # a root comes before all of its runs
    return areas


@njit(cache=True, nogil=True)
def _roots(starts: Integers, stops: Integers, rows: Integers, reach: int) -> NDArray[np.int64]:
    """Return for each run the first of its region; ``reach`` is 1 for 8-connected regions, 0 for 4-connected ones."""
    count = starts.size
    parent = np.arange(count)
    above = first = 0  # runs above .. first are of the row before, first .. of this one
    for run in range(count):
        if run == first or rows[run] != rows[run - 1]:
            above = first if run and rows[run] == rows[run - 1] + 1 else run
            first = run
        while above < first and stops[above] + reach <= starts[run]:
            above += 1
        other_run = above
        while other_run < first and starts[other_run] < stops[run] + reach:
            a, b = _root(parent, run), _root(parent, other_run)
            parent[max(a, b)] = min(a, b)
            other_run += 1
    for run in range(count):
        parent[run] = parent[parent[run]]  # of what comes before it, the root is known by now
    return parent


@njit(cache=True, nogil=True)
def _gaps(
    starts: Integers, stops: Integers, rows: Integers, height: int, width: int,
) -> tuple[Integers, Integers, Integers]:  # fmt: skip
    """Return start, stop and row of what lies between runs, in the order of the rows."""
    most = starts.size + height
    out_starts, out_stops, out_rows = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int32)
    count = run = 0
    for i in range(height):
        j = 0
        while run < starts.size and rows[run] == i:
            if starts[run] > j:
                out_starts[count], out_stops[count], out_rows[count] = j, starts[run], i
                count += 1
            j = stops[run]
            run += 1
        if j < width:
            out_starts[count], out_stops[count], out_rows[count] = j, width, i
            count += 1
    return out_starts[:count], out_stops[:count], out_rows[:count]


@njit(cache=True, nogil=True)
def _runs(mask: Bytes, value: np.uint8) -> tuple[Integers, Integers, Integers]:
    """Return start, stop (exclusive) and row of every run of ``value``; what is all alike costs next to nothing."""
    height, width = mask.shape
    starts, stops, rows = np.empty(width, np.int32), np.empty(width, np.int32), np.empty(width, np.int32)
    count = 0
    for i in range(height):
        row = mask[i]
        if count + width > starts.size:  # a row has no more runs than pixels
            starts, stops, rows = longer(starts, width), longer(stops, width), longer(rows, width)
        j = 0
        while j < width:
            j = _end_of_run(row, j) if row[j] != value else j
            if j < width:
                starts[count], rows[count] = j, i
                j = _end_of_run(row, j)
                stops[count] = j
                count += 1
    return starts[:count], stops[:count], rows[:count]


@njit(cache=True, nogil=True)
def _end_of_run(row: Bytes, j: int) -> int:
    """Return where the pixels are no longer as pixel ``j`` is."""
    first = row[j]
    while j + CHUNK <= row.size:
        ahead, differs = row[j : j + CHUNK], np.uint8(0)
        for p in range(CHUNK):
            differs |= ahead[p] ^ first
        if differs:
            break
        j += CHUNK
    while j < row.size and row[j] == first:
        j += 1
    return j


@njit(cache=True, nogil=True)
def _root(parent: NDArray[np.int64], run: int) -> int:
    for _ in range(parent.size):  # A parent comes before its runs.
        if parent[run] == run:
            break
        parent[run] = parent[parent[run]]
        run = parent[run]
    return run
