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


STRIDE = 64
"""Pixels that are skipped at once where they are all alike."""


@njit(cache=True, nogil=True)
def _runs(mask, value):
    """Return start, stop (exclusive) and row of every run of ``value``; what is all alike costs next to nothing."""
    height, width = mask.shape
    starts, stops, rows = np.empty(width, np.int32), np.empty(width, np.int32), np.empty(width, np.int32)
    count = 0
    for i in range(height):
        row = mask[i]
        if count + width > starts.size:  # a row has no more runs than pixels
            starts, stops, rows = _longer(starts, width), _longer(stops, width), _longer(rows, width)
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
def _end_of_run(row, j):
    """Return where the pixels are no longer as pixel ``j`` is."""
    first = row[j]
    while j + STRIDE <= row.size:
        ahead, differs = row[j : j + STRIDE], np.uint8(0)
        for p in range(STRIDE):
            differs |= ahead[p] ^ first
        if differs:
            break
        j += STRIDE
    while j < row.size and row[j] == first:
        j += 1
    return j


@njit(cache=True, nogil=True)
def _longer(numbers, least):
    out = np.empty(2 * numbers.size + least, np.int32)
    out[: numbers.size] = numbers
    return out


@njit(cache=True, nogil=True)
def _root(parent, run):
    while parent[run] != run:
        parent[run] = parent[parent[run]]
        run = parent[run]
    return run
