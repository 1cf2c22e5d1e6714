"""Kernels of the matte: colours spread from inside an object over its edge, and how much of each pixel it covers.

Only the pixels of the edge are looked at, listed once: what they cost follows the outline, not the picture.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Floats, Integers, Samples, Scalar
from core.kernels.arrays import CHUNK, longer


@njit(cache=True, nogil=True)
def edge_of(inside: Bytes, outside: Bytes) -> tuple[Integers, Integers]:
    """Return row and column (n,) int32 of each pixel where two maps (H, W) uint8 differ, in order."""
    height, width = inside.shape
    places = np.empty((2, width), np.int32)
    count = 0
    for i in range(height):
        inner, outer = inside[i], outside[i]
        if count + width > places.shape[1]:
            places = longer(places, width)
        for low in range(0, width, CHUNK):
            high = min(low + CHUNK, width)
            differs = np.uint8(0)
            for j in range(low, high):
                differs |= inner[j] ^ outer[j]
            if differs == 0:
                continue
            for j in range(low, high):
                if inner[j] != outer[j]:
                    places[0, count], places[1, count] = i, j
                    count += 1
    return places[0, :count], places[1, :count]


@njit(cache=True, nogil=True)
def spread(
    rows: Integers, columns: Integers, picture: Samples, mask: Bytes, inside: Bytes, place: Integers, out: Floats,
) -> Bytes:  # fmt: skip
    """Give every pixel of the edge the colour of the object next to it, ring by ring from inside.

    A pixel takes the mean of those of its 8 neighbours that the rings before it have reached. Objects too thin to have
    an inside count as inside where the mask is set.

    Parameters
    ----------
    rows, columns : (n,) int32
        The edge.
    picture : (H, W, C) uint8 or uint16
    mask, inside : (H, W) uint8
        The mask, and what is surely inside; 255 or 0.
    place : (H, W) int32
        All 0; the edge holds from here on 1 + its place in the list.
    out : (n, C) float32
        Written, samples.

    Returns
    -------
    reached : (n,) uint8
        0 where no object is near, and ``out`` means nothing; 2 beside one that is too thin to have an inside; else 1.
    """
    height, width, channels = picture.shape
    n = rows.size
    reached, count = np.zeros(n, np.uint8), np.zeros(n, np.int32)
    front, size = np.empty(n, np.int32), 0
    out[:] = 0
    for k in range(n):
        y, x = rows[k], columns[k]
        place[y, x] = k + 1
        for v in range(max(y - 1, 0), min(y + 2, height)):
            for u in range(max(x - 1, 0), min(x + 2, width)):
                if inside[v, u]:
                    for c in range(channels):
                        out[k, c] += picture[v, u, c]
                    count[k] += 1
        if count[k]:
            front[size] = k
            size += 1
    _grow(rows, columns, place, front, size, 1, count, reached, out)
    size = 0
    for k in range(n):
        if reached[k] == 0 and mask[rows[k], columns[k]]:
            for c in range(channels):
                out[k, c] = picture[rows[k], columns[k], c]
            count[k] = 1
            front[size] = k
            size += 1
    _grow(rows, columns, place, front, size, 2, count, reached, out)
    for k in range(n):
        if reached[k] == 2 and mask[rows[k], columns[k]]:
            reached[k] = 1
    return reached


@njit(cache=True, nogil=True)
def _grow(
    rows: Integers, columns: Integers, place: Integers, front: Integers, size: int, how: int, count: Integers,
    reached: Bytes, out: Floats,
) -> None:  # fmt: skip
    """Spread from the first ``size`` pixels of ``front``, whose sums are complete, to all connected to them.

    There ``reached`` becomes ``how``.
    """
    (height, width), channels = place.shape, out.shape[1]
    ahead = np.empty_like(front)
    for _ in range(rows.size):  # Each round reaches a pixel at least.
        if size == 0:
            break
        for at in range(size):
            k = front[at]
            for c in range(channels):
                out[k, c] /= count[k]
            reached[k] = how
        found = 0
        for at in range(size):
            k = front[at]
            y, x = rows[k], columns[k]
            for v in range(max(y - 1, 0), min(y + 2, height)):
                for u in range(max(x - 1, 0), min(x + 2, width)):
                    other = place[v, u] - 1
                    if other < 0 or reached[other]:
                        continue
                    if count[other] == 0:
                        ahead[found] = other
                        found += 1
                    for c in range(channels):
                        out[other, c] += out[k, c]
                    count[other] += 1
        front, ahead, size = ahead, front, found


@njit(cache=True, nogil=True)
def cover(
    rows: Integers, columns: Integers, picture: Samples, known: Samples, soft: Bytes, reached: Bytes, near: Scalar,
    colour: Floats, share: Floats,
) -> None:  # fmt: skip
    """Write how much of each pixel of the edge the object covers.

    With the picture v, the background b and the object's colour f next to it, ``α = (⟨v − b, f − b⟩ + κ m) /
    (|f − b|² + κ)``: the least squares fit of ``v = α f + (1 − α) b``, drawn towards the softened mask m where the two
    colours are too alike to tell, and where v lies beside the line between them. Beside what is thin, α is m at most:
    what looks alike there, such as the rest of a shadow, the mask has left out.

    Parameters
    ----------
    rows, columns : (n,) int32
        The edge.
    picture, known : (H, W, C) uint8 or uint16
        v and b.
    soft : (H, W) uint8
        m, 0 to 255.
    reached : (n,) uint8
        As `spread` returns it. Where it is 0, there is no f, and m is all that is known.
    near : float32
        κ on that line, samples²; beside it the square of the distance is added.
    colour : (n, C) float32
        f.
    share : (n,) float32
        Written: α, 0 to 1.
    """
    channels, one = picture.shape[2], np.float32(1)
    for k in range(rows.size):
        y, x = rows[k], columns[k]
        m = np.float32(soft[y, x]) / np.float32(255)
        if reached[k] == 0:
            share[k] = m
            continue
        along = across = apart = np.float32(0)
        for c in range(channels):
            e = np.float32(picture[y, x, c]) - np.float32(known[y, x, c])
            d = colour[k, c] - np.float32(known[y, x, c])
            along += e * d
            across += e * e
            apart += d * d
        beside = across - along * along / max(apart, one)
        drawn = near + max(beside, np.float32(0))
        a = min(max((along + drawn * m) / (apart + drawn), np.float32(0)), one)
        if reached[k] == 2:
            a = min(a, m)
        share[k] = a


@njit(cache=True, nogil=True)
def without_background(
    rows: Integers, columns: Integers, picture: Samples, known: Samples, reached: Bytes, share: Floats, colour: Floats,
) -> None:  # fmt: skip
    """Write the object's colour at each pixel of the edge: ``c = v + (1 − α) (f − b)``.

    It is that of the picture where the object hides all, and has f in place of what the background adds elsewhere.
    Parameters and shapes are those of `cover`; ``colour`` is changed from f into c, which is v where there is no f.
    """
    for k in range(rows.size):
        y, x = rows[k], columns[k]
        through = np.float32(1) - share[k]
        for c in range(picture.shape[2]):
            v = np.float32(picture[y, x, c])
            colour[k, c] = v + through * (colour[k, c] - np.float32(known[y, x, c])) if reached[k] else v
