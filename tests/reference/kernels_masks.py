"""The kernels of the mask, slow and obvious: pixel by pixel, as their docstrings say, in Python's numbers."""

from math import floor, sqrt

import numpy as np

BLOCK = 8
"""Side of a flicker block, pixels."""


def around(i, j, shape, reach=1):
    """Pixels of the square around a pixel, itself among them, without those beyond the edge."""
    height, width = shape
    for y in range(i - reach, i + reach + 1):
        for x in range(j - reach, j + reach + 1):
            if 0 <= y < height and 0 <= x < width:
                yield y, x


def mirrored(i, n):
    """The index that lies beyond the edge as ``i`` does, mirrored on the outermost pixel's centre."""
    if n == 1:
        return 0
    i %= 2 * (n - 1)
    return min(i, 2 * (n - 1) - i)


def leaves_range_by(seen, known, i, j):
    """By how much a sample lies outside of the range of the background's 3×3 neighbourhood."""
    near = [int(known[at]) for at in around(i, j, known.shape)]
    return max(int(seen[i, j]) - max(near), min(near) - int(seen[i, j]), 0)


def most_are_set(marks, i, j):
    """Whether most of the 25 pixels around one are set; edges mirror."""
    height, width = marks.shape
    n = 0
    for y in range(i - 2, i + 3):
        for x in range(j - 2, j + 3):
            n += marks[mirrored(y, height), mirrored(x, width)] != 0
    return n >= 13


def opponent_band(start, stop, r, g, b, centre, luma, blue, red):
    height, width = r.shape
    for i in range(start, stop):
        for j in range(blue.shape[1]):
            from_blue, from_red = [], []
            for y in (2 * i, 2 * i + 1):
                for x in (2 * j, 2 * j + 1):
                    if y < height and x < width:
                        grey = 0.299 * int(r[y, x]) + 0.587 * int(g[y, x]) + 0.114 * int(b[y, x])
                        luma[y, x] = floor(grey + 0.5)
                        from_blue.append(int(b[y, x]) - grey)
                        from_red.append(int(r[y, x]) - grey)
            blue[i, j] = floor(centre + 0.564 * sum(from_blue) / len(from_blue) + 0.5)
            red[i, j] = floor(centre + 0.713 * sum(from_red) / len(from_red) + 0.5)


def mark_band(
    start, stop, luma, blue, red, known, known_blue, known_red, limit, limit_blue, limit_red, raw, mask, step, least,
    luma_out, known_out, differs, asked,
):  # fmt: skip
    height, width = luma.shape
    marks = raw.copy()
    for i in range(height):
        for j in range(width):
            stands_out = leaves_range_by(luma, known, i, j) > limit[i, j]
            if blue.size:
                y, x = i // 2, j // 2
                stands_out |= leaves_range_by(blue, known_blue, y, x) > limit_blue[y, x]
                stands_out |= leaves_range_by(red, known_red, y, x) > limit_red[y, x]
            marks[i, j] = 255 if stands_out else 0
    for i in range(BLOCK * start, min(BLOCK * stop, height)):
        for j in range(width):
            raw[i, j] = marks[i, j]
            mask[i, j] = 255 if most_are_set(marks, i, j) else 0
            if i % step == 0 and j % step == 0:
                at = i // step, j // step
                apart = abs(int(luma[i, j]) - int(known[i, j]))
                luma_out[at], known_out[at], asked[at] = luma[i, j], known[i, j], mask[i, j]
                differs[at] = 255 if marks[i, j] or apart > max(limit[i, j], least) else 0


def uncover_band(start, stop, mask, taken, step, out):
    left = mask.copy()
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if taken[i // step, j // step]:
                left[i, j] = 0
    for i in range(start, stop):
        for j in range(mask.shape[1]):
            out[i, j] = 255 if most_are_set(left, i, j) else 0


def widen_band(start, stop, mask, out):
    for i in range(start, stop):
        for j in range(mask.shape[1]):
            out[i, j] = max(mask[at] for at in around(i, j, mask.shape))


def limit_band(start, stop, variance, step, flicker, threshold, calm, limit):
    side = BLOCK // step
    for i in range(side * start, min(side * stop, variance.shape[0])):
        for j in range(variance.shape[1]):
            raised = threshold * (1 + calm * flicker[i // side, j // side])
            limit[i, j] = min(floor(raised * sqrt(variance[i, j])), np.iinfo(limit.dtype).max)


def age_band(start, stop, luma, blue, red, step, seen, marked, near, age):
    for i in range(start, stop):
        for j in range(luma.shape[1]):
            looks = [luma[i, j]]
            if blue.size:
                looks += [blue[i * step // 2, j * step // 2], red[i * step // 2, j * step // 2]]
            alike = all(abs(int(x) - int(seen[p, i, j])) <= near[p] for p, x in enumerate(looks))
            if marked[i, j] == 0:
                age[i, j] = 0
            elif age[i, j] > 0 and alike:
                age[i, j] = min(int(age[i, j]) + 1, 65535)
            elif age[i, j] > 1:
                age[i, j] = age[i, j] // 2
            else:  # The count starts anew.
                age[i, j] = 1
                for p, x in enumerate(looks):
                    seen[p, i, j] = x


def grow(mask, luma, blue, red, known, known_blue, known_red, limit, limit_blue, limit_red, share, reach):
    for _ in range(reach):
        before = mask.copy()
        for i in range(mask.shape[0]):
            for j in range(mask.shape[1]):
                is_weak = leaves_range_by(luma, known, i, j) > share * limit[i, j]
                if blue.size:
                    y, x = i // 2, j // 2
                    is_weak |= leaves_range_by(blue, known_blue, y, x) > share * limit_blue[y, x]
                    is_weak |= leaves_range_by(red, known_red, y, x) > share * limit_red[y, x]
                if is_weak and any(before[at] for at in around(i, j, mask.shape)):
                    mask[i, j] = 255
