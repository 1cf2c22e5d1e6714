"""Small connected regions of a mask, found run by run: the cost is a look at each pixel and little more."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def repaint_small(mask, value, other, smallest, reach):
    """Give regions of ``value`` with fewer than ``smallest`` pixels the value ``other``, in place.

    Rows are cut into runs; runs of neighbouring rows that touch are joined (union-find), and their lengths added up.

    Parameters
    ----------
    mask : (H, W) uint8
        Changed.
    value, other : uint8
    smallest : int
        Pixels.
    reach : int
        1: regions hang together over corners (8 neighbours); 0: they do not (4 neighbours).
    """
    starts, stops, rows = _runs(mask, value)
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
    area = np.zeros(count, np.int64)
    for run in range(count):
        area[_root(parent, run)] += stops[run] - starts[run]
    for run in range(count):
        if area[_root(parent, run)] < smallest:
            mask[rows[run], starts[run] : stops[run]] = other


@njit(cache=True, nogil=True)
def _runs(mask, value):
    """Return start, stop (exclusive) and row of every run of ``value``; rows of one value cost next to nothing."""
    height, width = mask.shape
    even = np.empty(height, np.bool_)
    count = 0
    for i in range(height):
        row = mask[i]
        first = row[0]
        differs = np.uint8(0)
        for j in range(width):
            differs |= row[j] ^ first
        even[i] = differs == 0
        if even[i]:
            count += first == value
            continue
        for j in range(width):
            count += row[j] == value and (j == 0 or row[j - 1] != value)
    starts, stops, rows = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    run = 0
    for i in range(height):
        row = mask[i]
        if even[i]:
            if row[0] == value:
                starts[run], stops[run], rows[run] = 0, width, i
                run += 1
            continue
        j = 0
        while j < width:
            if row[j] != value:
                j += 1
                continue
            starts[run], rows[run] = j, i
            while j < width and row[j] == value:
                j += 1
            stops[run] = j
            run += 1
    return starts, stops, rows


@njit(cache=True, nogil=True)
def _root(parent, run):
    while parent[run] != run:
        parent[run] = parent[parent[run]]
        run = parent[run]
    return run
