"""Kernels of what is learnt of cells over time: noise, unrest, cover, and for how long they have looked the same."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Floats, Scalar
from core.kernels.arrays import any_in

AHEAD = 32
"""Cells that are passed over at once where none is marked."""

LEAST = np.float32(-9)
"""Smaller logits count as a probability of 0: it is 0.01 % there, and most cells lie below."""


@njit(cache=True, nogil=True)
def learn_cells_band(
    start: int, stop: int, square: Floats, luma: Floats, before: Floats, logit: Floats, unseen: Bytes, rate: Scalar,
    slow: Scalar, clip: Scalar, floor: Scalar, bar: Scalar, variance: Floats, usual: Floats, unrest: Floats,
    cover: Floats, marked: Bytes,
) -> None:  # fmt: skip
    """Learn what is typical of a band of rows of cells.

    The noise takes a step ``s ← s + rate w (min(e², clip s) − s)``, where p is the probability of foreground and
    ``w = max(1 − 2 p, 0)``: with 1 − p, the doubt of what hides a cell for long would become its noise. What is
    usual and the unrest take one towards |e| and |c|, whatever the cell shows; cover towards p.

    Parameters
    ----------
    start, stop : int
        The band.
    square : (P, h, w) float32
        e², mean over the cell, of each plane.
    luma, before : (h, w) float32
        Of this frame and of the one before; c is their difference.
    logit : (h, w) float32
        Of foreground.
    unseen : (h, w) uint8
        Not 0 where the frame shows nothing of the scene: nothing is learnt there.
    rate, slow : float32
        Of all others, and of cover.
    clip, floor : float32
        Squares count as so many variances at most; least variance.
    bar : float32
        A cell differs where e² exceeds so many variances of luma.
    variance : (P or more, h, w) float32
        Changed: s.
    usual, unrest, cover : (h, w) float32
        Changed.
    marked : (h, w) uint8
        Written: 255 where the cell differs, by what was known before, or its logit is over 0; else 0.
    """
    one, zero = np.float32(1), np.float32(0)
    width = logit.shape[1]
    share, seen, gained = np.empty(width, np.float32), np.empty(width, np.float32), np.empty(width, np.float32)
    for i in range(start, stop):  # Each loop by itself: all in one are too many arrays to vectorise.
        z, hidden = logit[i], unseen[i]
        some = np.uint8(0)
        for j in range(width):
            likely = np.uint8(z[j] > LEAST)
            some |= likely
            share[j] = zero
            seen[j] = one if hidden[j] == 0 else zero
        if some:
            for j in range(width):
                if z[j] > LEAST:
                    share[j] = one / (one + np.exp(-z[j]))
        e, s, asked = square[0, i], variance[0, i], marked[i]
        for j in range(width):
            asked[j] = np.uint8(255) if (e[j] > bar * s[j]) | (z[j] > zero) else np.uint8(0)
        now, then, changes = luma[i], before[i], unrest[i]
        for j in range(width):
            changes[j] += rate * seen[j] * (abs(now[j] - then[j]) - changes[j])
        mean = usual[i]
        for j in range(width):
            mean[j] += rate * seen[j] * (np.sqrt(e[j]) - mean[j])
        hides = cover[i]
        for j in range(width):
            hides[j] += slow * seen[j] * (share[j] - hides[j])
        for j in range(width):
            likely_not = one - share[j] - share[j]
            gained[j] = rate * seen[j] * (likely_not if likely_not > zero else zero)
        for k in range(square.shape[0]):
            s, e = variance[k, i], square[k, i]
            for j in range(width):
                most = clip * s[j]
                x = e[j] if e[j] < most else most
                x = s[j] + gained[j] * (x - s[j])
                s[j] = x if x > floor else floor


@njit(cache=True, nogil=True)
def age_band(
    start: int, stop: int, shown: Floats, marked: Bytes, near: Scalar, seen: Floats, age: NDArray[np.uint16]
) -> None:
    """Count for how many frames each marked cell has looked the same, for a band of rows.

    Parameters
    ----------
    start, stop : int
        The band.
    shown : (P, h, w) float32
        The cells of the frame.
    marked : (h, w) uint8
        Where this is 0 the count is 0.
    near : float32
        Larger differences are another appearance, which halves the count.
    seen : (P or more, h, w) float32
        What it is compared with; taken from the frame where the count starts anew.
    age : (h, w) uint16
        Changed.
    """
    for i in range(start, stop):
        asked, ages = marked[i], age[i]
        for j in range(asked.size):
            ages[j] = ages[j] if asked[j] else np.uint16(0)
        j = _next(asked, 0)
        while j < asked.size:
            same = ages[j] > 0
            for k in range(shown.shape[0]):
                same &= abs(shown[k, i, j] - seen[k, i, j]) <= near
            if same:
                ages[j] = min(np.int64(ages[j]) + 1, 65535)
            elif ages[j] > 1:
                ages[j] //= 2
            else:
                ages[j] = 1
                for k in range(shown.shape[0]):
                    seen[k, i, j] = shown[k, i, j]
            j = _next(asked, j + 1)


@njit(cache=True, nogil=True)
def _next(marked: Bytes, j: int) -> int:
    """Return the first place from ``j`` on that is marked, or the size where none is; most are not."""
    while j < marked.size and marked[j] == 0:
        if j % AHEAD == 0 and j + AHEAD <= marked.size and not any_in(marked[j : j + AHEAD]):
            j += AHEAD
        else:
            j += 1
    return j
