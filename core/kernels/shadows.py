"""Kernel of cast shadows; its cost is that of the pixels in question."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Floats, Samples, Scalar
from core.kernels.arrays import any_in


@njit(cache=True, nogil=True)
def find_dimmed(
    luma: Samples, blue: Samples, red: Samples, known: Samples, known_blue: Samples, known_red: Samples, marked: Bytes,
    variance: Floats, step: int, reach: int, least: Scalar, most: Scalar, texture: Scalar, floor: Scalar, tint: Scalar,
    neutral: Scalar, columns: NDArray[np.integer], out: Bytes,
) -> None:  # fmt: skip
    """Mark the pixels around which the picture is the background in less light.

    With ``d`` the ratio of the sums of luma over a neighbourhood, a pixel is dimmed where ``least < d < most``, where
    the mean square of ``v − d b`` over the neighbourhood is small, and where its chroma is dimmed by ``d`` as well.
    Where it is not small it is asked again of what is left by light that changes evenly, ``v − (d + p x + q y) b``: by
    the edge of a shadow no single ratio holds. Slopes are fitted one by one, as if ``b`` were even: ``b²x`` and ``b²y``
    then are at right angles over a square neighbourhood.

    Parameters
    ----------
    luma, known : (h, w) uint8 or uint16
        The frame and the background on the grid.
    blue, red, known_blue, known_red : of the same type
        Chroma of half the picture's size, or empty.
    marked : (h, w) uint8
        Where this is 0 nothing is asked.
    variance : (H, W) float32
        Square of the noise scale of luma, samples².
    step : int
        Rows and columns of the picture to one of the grid.
    reach : int
        The neighbourhood is ``2 · reach + 1`` pixels wide, less at the edges.
    least, most : float32
        Bounds of ``d``.
    texture, floor : float32
        The mean square lies below ``texture`` times the variance, or ``floor`` where that is more, samples².
    tint : float32
        Chroma may depart by this much, samples, from the background's.
    neutral : float32
        Sample of chroma that stands for no colour.
    columns : (7, w + 2 · reach) int32, or int64 for uint16
        Overwritten: room for sums of squares.
    out : (h, w) uint8
        Written: 255 dimmed, 0 not.
    """
    height, width = luma.shape
    coloured = blue.size > 0
    for i in range(height):
        asked, found = marked[i], out[i]
        found[:] = 0
        left, right = _extent(asked)
        if left == right:
            continue
        top, bottom = max(i - reach, 0), min(i + reach + 1, height)
        _column_sums(luma[top:bottom], known[top:bottom], left, right, reach, top - i, columns)
        summed = left - 2
        sum_v = sum_b = sum_vv = sum_vb = sum_bb = np.int64(0)
        for j in range(left, right):
            if asked[j] == 0:
                continue
            if summed != j - 1:
                sum_v = sum_b = sum_vv = sum_vb = sum_bb = np.int64(0)
                for x in range(j, j + 2 * reach):
                    sum_v += columns[0, x]
                    sum_b += columns[1, x]
                    sum_vv += columns[2, x]
                    sum_vb += columns[3, x]
                    sum_bb += columns[4, x]
            else:
                sum_v -= columns[0, j - 1]
                sum_b -= columns[1, j - 1]
                sum_vv -= columns[2, j - 1]
                sum_vb -= columns[3, j - 1]
                sum_bb -= columns[4, j - 1]
            summed, x = j, j + 2 * reach
            sum_v += columns[0, x]
            sum_b += columns[1, x]
            sum_vv += columns[2, x]
            sum_vb += columns[3, x]
            sum_bb += columns[4, x]
            d = sum_v / sum_b
            if not least < d < most:
                continue
            y, x = (i * step) >> 1, (j * step) >> 1
            if coloured and not _same_tint(blue[y, x], red[y, x], known_blue[y, x], known_red[y, x], d, tint, neutral):
                continue
            size = (bottom - top) * (min(j + reach + 1, width) - max(j - reach, 0))
            rest = sum_vv - d * (2 * sum_vb - d * sum_bb)
            bound = size * texture * max(variance[i * step, j * step], floor)
            if rest >= bound:
                along = down = square = 0.0
                for x in range(-reach, reach + 1):
                    k = j + reach + x
                    along += x * (columns[3, k] - d * columns[4, k])
                    down += columns[5, k] - d * columns[6, k]
                    square += x * x * columns[4, k]
                rest -= (along * along + down * down) / max(square, 1.0)  # one column has none along it
            if rest < bound:
                found[j] = 255


@njit(cache=True, nogil=True)
def widen_to_penumbra(
    luma: Samples, blue: Samples, red: Samples, known: Samples, known_blue: Samples, known_red: Samples, marked: Bytes,
    step: int, least: Scalar, most: Scalar, share: Scalar, tint: Scalar, neutral: Scalar, found: Bytes, out: Bytes,
) -> None:  # fmt: skip
    """Add to a shadow the pixels next to it that are lighter than it, and still dimmed: its soft edge.

    Around an edge no single ratio holds, which is why `find_dimmed` leaves it.

    Parameters
    ----------
    luma, blue, red, known, known_blue, known_red, marked, step, least, most, tint, neutral
        As in `find_dimmed`; ``d`` is the ratio at the pixel itself.
    share : float
        A pixel is lighter where ``d`` is more than this share of the shadow's, over what was found near by.
    found : (h, w) uint8
        255 shadow, 0 not.
    out : (h, w) uint8
        A copy of ``found``, which gets a pixel more all around where it applies.
    """
    height, width = luma.shape
    coloured = blue.size > 0
    near = np.empty(width, np.uint8)
    shaded = np.zeros(height + 2, np.bool_)  # rows, and one before the first and one behind the last
    for i in range(height):
        shaded[i + 1] = any_in(found[i])
    for i in range(height):
        if not (shaded[i] or shaded[i + 1] or shaded[i + 2]):
            continue
        asked, row = marked[i], out[i]
        above, here, below = found[max(i - 1, 0)], found[i], found[min(i + 1, height - 1)]
        for j in range(width):
            near[j] = above[j] | here[j] | below[j]
        left, right = _extent(near)
        for j in range(max(left - 1, 0), min(right + 1, width)):
            if asked[j] == 0 or row[j] or not (near[max(j - 1, 0)] | near[j] | near[min(j + 1, width - 1)]):
                continue
            d = luma[i, j] / (known[i, j] + 1)
            if not least < d < most:
                continue
            light, n = 0.0, 0
            for y in range(max(i - 2, 0), min(i + 3, height)):
                for x in range(max(j - 2, 0), min(j + 3, width)):
                    if found[y, x]:
                        light += luma[y, x] / (known[y, x] + 1)
                        n += 1
            y, x = (i * step) >> 1, (j * step) >> 1
            if d * n > share * light and (
                not coloured or _same_tint(blue[y, x], red[y, x], known_blue[y, x], known_red[y, x], d, tint, neutral)
            ):
                row[j] = 255


@njit(cache=True, nogil=True)
def drop_enclosed(
    labels: NDArray[np.uint16], around: NDArray[np.uint16], marked: Bytes, count: int, share: float, step: int,
    shadow: Bytes,
) -> None:  # fmt: skip
    """Take the regions of a shadow around which hardly anything is background.

    Parameters
    ----------
    labels : (⌈h/step⌉, ⌈w/step⌉) uint16
        Regions of the shadow, numbered from 1, at every ``step``-th row and column.
    around : (⌈h/step⌉, ⌈w/step⌉) uint16
        The same, wider by what counts as around a region.
    marked : (⌈h/step⌉, ⌈w/step⌉) uint8
        0 background.
    count : int
        Labels, 0 among them.
    share : float
        A region goes where less than this share of what is around it is background.
    step : int
    shadow : (h, w) uint8
        255 or 0; changed.
    """
    near, in_the_open = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for i in range(labels.shape[0]):
        if not any_in(around[i]):
            continue
        for j in range(labels.shape[1]):
            if around[i, j] and not labels[i, j]:
                near[around[i, j]] += 1
                in_the_open[around[i, j]] += marked[i, j] == 0
    for i in range(shadow.shape[0]):
        row = labels[i // step]
        if not any_in(row):
            continue
        for j in range(row.size):
            if row[j] and in_the_open[row[j]] < share * near[row[j]]:
                shadow[i, j * step : min(j * step + step, shadow.shape[1])] = 0


@njit(cache=True, nogil=True)
def _same_tint(
    blue: np.integer, red: np.integer, known_blue: np.integer, known_red: np.integer, d: Scalar, tint: Scalar,
    neutral: Scalar,
) -> bool:  # fmt: skip
    """Return whether chroma is the background's, dimmed by ``d``.

    Takes samples: with arrays a call would count references to them, which takes longer than the answer.
    """
    same: bool = (
        abs(blue - neutral - d * (known_blue - neutral)) < tint
        and abs(red - neutral - d * (known_red - neutral)) < tint
    )
    return same


@njit(cache=True, nogil=True)
def _extent(row: Bytes) -> tuple[int, int]:
    """Return where the pixels that are not 0 begin and end; the same number twice where there are none."""
    if not any_in(row):
        return 0, 0
    left, right = 0, row.size
    while right > 0 and row[right - 1] == 0:
        right -= 1
    while left < right and row[left] == 0:
        left += 1
    return left, right


@njit(cache=True, nogil=True)
def _column_sums(
    v: Samples, b: Samples, left: int, right: int, reach: int, above: int, columns: NDArray[np.integer],
) -> None:  # fmt: skip
    """Write the sums over rows of ``v``, ``b + 1``, and of their squares and their product, column j at j + reach.

    Then those of the product and of the square of ``b + 1`` times the row, the first of which counts as ``above``.

    Of the columns from ``left - reach`` to ``right + reach``; there is nothing beyond the picture. Several loops, as
    one is too many arrays to vectorise.
    """
    first, last = max(left - reach, 0), min(right + reach, v.shape[1])
    columns[:, left : right + 2 * reach] = 0
    at = slice(first + reach, last + reach)
    plain, ground, squares = columns[0, at], columns[1, at], columns[2, at]
    products, ground_squares = columns[3, at], columns[4, at]
    products_down, ground_down = columns[5, at], columns[6, at]
    for y in range(v.shape[0]):
        row, below = v[y, first:last], b[y, first:last]
        place = np.int32(y + above)
        for x in range(row.size):
            plain[x] += row[x]
            squares[x] += np.int32(row[x]) * np.int32(row[x])
        for x in range(row.size):
            product = np.int32(row[x]) * (np.int32(below[x]) + np.int32(1))
            products[x] += product
            products_down[x] += place * product
        for x in range(row.size):
            base = np.int32(below[x]) + np.int32(1)
            ground[x] += base
            ground_squares[x] += base * base
            ground_down[x] += place * base * base
