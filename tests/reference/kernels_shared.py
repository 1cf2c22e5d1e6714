"""What kernels share, slow and obvious."""

import numpy as np


def longer(lists, least):
    """What is behind the ends is not set: masked."""
    out = np.ma.masked_all((lists.shape[0], 2 * lists.shape[1] + least), np.int32)
    out[:, : lists.shape[1]] = lists
    return out


def add_runs(mask, y, left, right, count, out):
    for x in range(left, right):
        if mask[y, x]:
            if x == left or not mask[y, x - 1]:
                out[:2, count] = y, x
                count += 1
            out[2, count - 1] = x + 1
    return count


def any_in(row):
    return any(x != 0 for x in row)


def leave_range(seen, known, height, width, first, last, beyond):
    for y in range(first, last):
        for x in range(width):
            near = known.reshape(height, width)[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].astype(int)
            here = int(seen[y * width + x])
            beyond[(y - first) * width + x] = max(here - near.max(), near.min() - here, 0)


def shade_band(start, stop, plate, more, down, across, out):
    total = 0.0
    for i in range(start, stop):
        for j in range(plate.shape[1]):
            out[i, j] = (float(plate[i, j]) + float(more)) * (1 + float(down[i]) * float(across[j])) / 2
            total += float(out[i, j]) ** 2
    return total


def block_end(a, stop, signed_from):
    end = a + 1
    while end < stop and end != signed_from and end - a < 2048:
        end += 1
    return end


def product(W, h, a, b, out):
    for p in range(a, b):
        out[p - a] = sum(float(W[k, p]) * float(h[k]) for k in range(h.size))
