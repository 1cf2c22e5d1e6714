"""What kernels share, slow and obvious."""

import numpy as np


def any_in(row):
    return any(x != 0 for x in row)


def longer(numbers, least):
    """What is behind the end of the list is not set: masked."""
    out = np.ma.masked_all(2 * numbers.size + least, np.int32)
    out[: numbers.size] = numbers
    return out


def mirrored(i, n):
    if n == 1:
        return 0
    i %= 2 * (n - 1)
    return min(i, 2 * (n - 1) - i)


def leave_range(seen, known, i, high, low, beyond):
    for j in range(seen.size):
        near = known[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2].astype(int)
        beyond[j] = max(int(seen[j]) - near.max(), near.min() - int(seen[j]), 0)


def beyond_range(seen, known, y, x):
    near = known[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].astype(int)
    return max(int(seen[y, x]) - near.max(), near.min() - int(seen[y, x]), 0)


def majority_row(marks, i, height, padded, out):
    width = out.size
    for j in range(width):
        around = [(mirrored(y, height), mirrored(x, width)) for y in range(i - 2, i + 3) for x in range(j - 2, j + 3)]
        out[j] = 255 if sum(marks[y % 5, x] != 0 for y, x in around) >= 13 else 0


def block_end(a, stop, signed_from):
    end = a + 1
    while end < stop and end != signed_from and end - a < 2048:
        end += 1
    return end


def product(W, h, a, b, out):
    for p in range(a, b):
        out[p - a] = sum(float(W[k, p]) * float(h[k]) for k in range(h.size))
