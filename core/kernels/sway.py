"""Kernels of what sways: the noise around each cell, and how much less sure the head is to be there."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Floats, Scalar

_u = np.uint64  # for indices


@njit(cache=True, nogil=True)
def noise_around(variance: Floats, every: int, side: int, out: Floats) -> np.float32:
    """Write the mean noise scale around each n-th cell of each n-th row of cells; return the largest.

    Parameters
    ----------
    variance : (h, w) float32
        Squares of noise scales.
    every : int
        The n.
    side : int
        Rows and columns of such cells over which is averaged; the outermost are repeated beyond the edges.
    out : (⌈h/n⌉, ⌈w/n⌉) float32
        Written.
    """
    rows, columns = out.shape
    before, after = side // 2, side - 1 - side // 2
    padded = columns + side - 1
    scale, high = np.empty(rows * padded, np.float32), np.zeros(rows * padded + side, np.float64)
    for i in range(rows):
        seen, first = variance[i * every], i * padded + before
        for j in range(_u(columns)):
            scale[_u(first) + j] = seen[j * _u(every)]
        for j in range(before):
            scale[i * padded + j] = scale[first]
        for j in range(after):
            scale[first + columns + j] = scale[first + columns - 1]
    for p in range(scale.size):
        scale[p] = np.sqrt(scale[p])
    sums, n = np.zeros(padded, np.float64), _u(padded)
    for i in range(-before, after):
        row = _u(min(max(i, 0), rows - 1)) * n
        for j in range(n):
            sums[j] += np.float64(scale[row + j])
    for i in range(rows):
        here, new, old = _u(i) * n, _u(min(i + after, rows - 1)) * n, _u(max(i - before, 0)) * n
        for j in range(n):
            total = sums[j] + np.float64(scale[new + j])
            high[here + j] = total
            sums[j] = total - np.float64(scale[old + j])
    # Sums of rows are taken all over the map at once: what begins in one and ends in the next is not looked at.
    wide = np.zeros(rows * padded, np.float64)
    for k in range(_u(0), _u(side - side % 3), _u(3)):  # Three at a time: `wide` is read and written less often.
        for p in range(_u(wide.size)):
            wide[p] += high[p + k] + high[p + k + _u(1)] + high[p + k + _u(2)]
    for k in range(_u(side - side % 3), _u(side)):
        for p in range(_u(wide.size)):
            wide[p] += high[p + k]
    share, most = 1 / np.float64(side * side), np.zeros(columns, np.float32)
    for i in range(rows):
        mean, here = out[i], _u(i) * n
        for j in range(_u(columns)):  # The largest of each column, as that of a row is found one after the other.
            x = np.float32(wide[here + j] * share)
            mean[j] = x
            most[j] = x if x > most[j] else most[j]
    largest = np.float32(0)
    for j in range(columns):
        largest = max(largest, most[j])
    return largest


@njit(cache=True, nogil=True)
def discount(
    around: Floats, calm: Scalar, each: Scalar, most: Scalar, every: int, foreground: Floats, shadow: Floats,
    less_foreground: Floats, less_shadow: Floats,
) -> None:  # fmt: skip
    """Write logits less ``each`` for each grey level by which the noise around a cell exceeds what is calm.

    Parameters
    ----------
    around : (⌈h/n⌉, ⌈w/n⌉) float32
        As `noise_around` writes it.
    calm : float32
        Grey levels.
    each, most : float32
        Logits for a grey level, and at most.
    every : int
        The n.
    foreground, shadow : (h, w) float32
        Logits.
    less_foreground, less_shadow : (h, w) float32
        Written.
    """
    height, width = foreground.shape
    columns = around.shape[1]
    asked, few, zero = np.empty(columns * every, np.float32), np.empty(columns, np.float32), np.float32(0)
    for i in range(height):
        if i % every == 0:
            row = around[i // every]
            for j in range(columns):
                over = each * (row[j] - calm)
                over = over if over > zero else zero
                few[j] = over if over < most else most
            for k in range(_u(every)):
                for j in range(_u(columns)):
                    asked[j * _u(every) + k] = few[j]
        a, b, c, d = foreground[i], shadow[i], less_foreground[i], less_shadow[i]
        for j in range(width):
            c[j] = a[j] - asked[j]
        for j in range(width):
            d[j] = b[j] - asked[j]
