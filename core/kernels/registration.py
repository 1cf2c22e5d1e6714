"""Kernels that find by how much a picture has moved against another one."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Floats, Integers, Samples

CAP = 40.0
"""Differences count up to this much for their typical size, steps of 255."""

TUKEY = 3.75
"""Differences of this many times their mean size or more do not count: three standard deviations of Gaussian noise."""

DAMPING = 100.0
"""Regularises the normal equations (squared slopes in steps of 255); without slopes the shift is 0."""

PRECISE = 0.02
"""Smaller steps than this end the search, pixels."""


@njit(cache=True, nogil=True)
def steepest(picture: Samples, cell: int, stride: int, least: int, rows: Integers, columns: Integers) -> int:
    """Find the pixel with the steepest gradient in each cell of a picture; return how many cells have one.

    Parameters
    ----------
    picture : (H, W) uint8 or uint16
    cell : int
        Side of a cell, pixels.
    stride : int
        Only every so many rows and columns are looked at.
    least : int
        Gradients (differences over two pixels) below this count for nothing, samples.
    rows, columns : (N,) int32
        Written, for as many as are returned.
    """
    height, width = picture.shape
    n = 0
    for top in range(1, height - 1, cell):
        for left in range(1, width - 1, cell):
            best: int | np.int64 = least * least
            best_row, best_column = -1, -1
            for i in range(top, min(top + cell, height - 1), stride):
                for j in range(left, min(left + cell, width - 1), stride):
                    down = np.int64(picture[i + 1, j]) - np.int64(picture[i - 1, j])
                    right = np.int64(picture[i, j + 1]) - np.int64(picture[i, j - 1])
                    square = down * down + right * right
                    if square > best:
                        best, best_row, best_column = square, i, j
            if best_row >= 0 and n < rows.size:
                rows[n], columns[n] = best_row, best_column
                n += 1
    return n


@njit(cache=True, nogil=True)
def differences(
    now: Samples, known: Samples, rows: Integers, columns: Integers, motion: NDArray[np.float64], out: Floats
) -> None:
    """Write by how much a picture that has moved differs from another one at some points.

    Parameters
    ----------
    now, known : (H, W) uint8 or uint16
    rows, columns : (N,) int32
        Points of ``known``.
    motion : (4,) float64
        Of ``now``, as `core.frames.motion.Motion.numbers` says; between pixels it is interpolated linearly.
    out : (N,) float32
        Written, samples; infinite where ``now`` does not show a point.
    """
    for n in range(rows.size):
        out[n] = _difference(now, known, rows[n], columns[n], motion)


@njit(cache=True, nogil=True)
def track(
    now: Samples, known: Samples, rows: Integers, columns: Integers, down: float, right: float, unit: float,
    n_rounds: int,
) -> tuple[float, float]:  # fmt: skip
    """Find by how much a picture has moved against another one, from a first guess that is off by a pixel or so.

    Steps of Gauss and Newton, for the sum of ``w (d − b + gᵀ s)²`` over points: d is by how much the pictures differ, g
    the slope of the one that is known, s the step, b a change of light, and w are Tukey's weights, which leave out what
    something else covers (Lucas & Kanade 1981, with a robust loss). Where a picture is even in a direction, it does not
    move that way.

    Parameters
    ----------
    now, known : (H, W) uint8 or uint16
    rows, columns : (N,) int32
        Points of ``known``.
    down, right : float
        The guess, pixels.
    unit : float
        Samples of one step of 255.
    n_rounds : int
        Steps, at most.

    Returns
    -------
    down, right : float
        Pixels.
    """
    height, width = now.shape
    d, gy, gx = np.empty(rows.size, np.float32), np.empty(rows.size, np.float32), np.empty(rows.size, np.float32)
    for _ in range(n_rounds):
        y0, x0 = int(np.floor(down)), int(np.floor(right))
        part_y, part_x = np.float32(down - y0), np.float32(right - x0)
        count, size = 0, 0.0
        for n in range(rows.size):
            i, j = rows[n], columns[n]
            y, x = i + y0, j + x0
            if not (0 <= y < height - 1 and 0 <= x < width - 1 and 1 <= i < height - 1 and 1 <= j < width - 1):
                continue
            d[count] = _between(now, y, x, part_y, part_x) - np.float32(known[i, j])
            gy[count] = (np.float32(known[i + 1, j]) - np.float32(known[i - 1, j])) * np.float32(0.5)
            gx[count] = (np.float32(known[i, j + 1]) - np.float32(known[i, j - 1])) * np.float32(0.5)
            size += min(abs(d[count]), np.float32(CAP * unit))
            count += 1
        if count == 0:
            break
        limit = np.float32(TUKEY * max(size / count, unit))
        yy = xx = DAMPING * unit * unit
        yx = yb = xb = 0.0
        bb = 1.0
        ry = rx = rb = 0.0
        for n in range(count):
            if abs(d[n]) >= limit:
                continue
            w = 1 - (d[n] / limit) ** 2
            w *= w
            yy += w * gy[n] * gy[n]
            yx += w * gy[n] * gx[n]
            xx += w * gx[n] * gx[n]
            yb -= w * gy[n]
            xb -= w * gx[n]
            bb += w
            ry -= w * gy[n] * d[n]
            rx -= w * gx[n] * d[n]
            rb += w * d[n]
        # The light is eliminated first, then two equations are left.
        yy, yx, xx = yy - yb * yb / bb, yx - yb * xb / bb, xx - xb * xb / bb
        ry, rx = ry - yb * rb / bb, rx - xb * rb / bb
        determinant = yy * xx - yx * yx
        step_y = min(max((xx * ry - yx * rx) / determinant, -1.0), 1.0)
        step_x = min(max((yy * rx - yx * ry) / determinant, -1.0), 1.0)
        down += step_y
        right += step_x
        if max(abs(step_y), abs(step_x)) < PRECISE:
            break
    return down, right


@njit(cache=True, nogil=True)
def turning_equations(
    now: Samples, known: Samples, rows: Integers, columns: Integers, motion: NDArray[np.float64], radius: float,
    unit: float, normal: NDArray[np.float64], slope: NDArray[np.float64],
) -> None:  # fmt: skip
    """Write the equations of a step that `track` takes, for a picture that may turn and zoom too.

    The step s is ``normal s = slope``. Its last number is the change of light.

    Parameters
    ----------
    now, known : (H, W) uint8 or uint16
    rows, columns : (N,) int32
        Points of ``known``.
    motion : (4,) float64
        Of ``now``, as far as it is known; see `core.frames.motion.Motion.numbers`.
    radius : float
        Growth and turn are steps of pixels so far from the middle, pixels.
    unit : float
        Samples of one step of 255.
    normal : (5, 5) float64
        Written, symmetric and positive definite.
    slope : (5,) float64
        Written.
    """
    height, width = now.shape
    middle_y, middle_x = (height - 1) / 2, (width - 1) / 2
    d, J = np.empty(rows.size, np.float32), np.empty((rows.size, 5), np.float32)
    count, size = 0, 0.0
    for n in range(rows.size):
        i, j = rows[n], columns[n]
        if not (1 <= i < height - 1 and 1 <= j < width - 1):
            continue
        d[count] = _difference(now, known, i, j, motion)
        if np.isinf(d[count]):
            continue
        gy = (np.float32(known[i + 1, j]) - np.float32(known[i - 1, j])) * np.float32(0.5)
        gx = (np.float32(known[i, j + 1]) - np.float32(known[i, j - 1])) * np.float32(0.5)
        far_y, far_x = np.float32((i - middle_y) / radius), np.float32((j - middle_x) / radius)
        J[count, 0], J[count, 1] = gy, gx
        J[count, 2], J[count, 3] = gy * far_y + gx * far_x, gx * far_y - gy * far_x
        J[count, 4] = -1
        size += min(abs(d[count]), np.float32(CAP * unit))
        count += 1
    normal[:], slope[:] = 0, 0
    for k in range(4):
        normal[k, k] = DAMPING * unit * unit
    normal[4, 4] = 1
    limit = np.float32(TUKEY * max(size / max(count, 1), unit))
    for n in range(count):
        if abs(d[n]) >= limit:
            continue
        w = 1 - (d[n] / limit) ** 2
        w *= w
        for k in range(5):
            part = w * J[n, k]
            slope[k] -= part * d[n]
            for m in range(k + 1):
                normal[k, m] += part * J[n, m]
    for k in range(5):
        for m in range(k):
            normal[m, k] = normal[k, m]


@njit(cache=True, nogil=True, inline="always")
def _difference(now: Samples, known: Samples, i: int, j: int, motion: NDArray[np.float64]) -> np.float32:
    """Return by how much a picture that has moved differs from another one at a point; infinite beyond its border."""
    height, width = now.shape
    far_y, far_x = i - (height - 1) / 2, j - (width - 1) / 2
    down = motion[0] + (motion[2] * far_y - motion[3] * far_x)
    right = motion[1] + (motion[3] * far_y + motion[2] * far_x)
    y0, x0 = int(np.floor(down)), int(np.floor(right))
    y, x = i + y0, j + x0
    if not (0 <= y < height - 1 and 0 <= x < width - 1):
        return np.float32(np.inf)
    return _between(now, y, x, np.float32(down - y0), np.float32(right - x0)) - np.float32(known[i, j])


@njit(cache=True, nogil=True, inline="always")
def _between(picture: Samples, y: int, x: int, part_y: np.float32, part_x: np.float32) -> np.float32:
    """Return the sample between four pixels, linearly interpolated."""
    upper = np.float32(picture[y, x]) * (1 - part_x) + np.float32(picture[y, x + 1]) * part_x
    lower = np.float32(picture[y + 1, x]) * (1 - part_x) + np.float32(picture[y + 1, x + 1]) * part_x
    return upper * (1 - part_y) + lower * part_y


@njit(cache=True, nogil=True)
def search(now: Integers, known: Integers, reach_y: int, reach_x: int, limit: int, out: NDArray[np.float64]) -> None:
    """Write for each whole shift within reach how much two pictures differ, each difference counting up to a limit.

    Parameters
    ----------
    now, known : (h, w) int32
    reach_y, reach_x : int
        Largest shifts, pixels.
    limit : int
    out : (2 reach_y + 1, 2 reach_x + 1) float64
        Mean over the part of ``known`` that ``now`` shows at every shift.
    """
    height, width = known.shape
    for down in range(-reach_y, reach_y + 1):
        for right in range(-reach_x, reach_x + 1):
            total = 0
            for i in range(reach_y, height - reach_y):
                row, other = known[i], now[i + down]
                line = 0
                for j in range(reach_x, width - reach_x):
                    line += min(abs(other[j + right] - row[j]), limit)
                total += line
            out[down + reach_y, right + reach_x] = total
    out /= max((height - 2 * reach_y) * (width - 2 * reach_x), 1)
