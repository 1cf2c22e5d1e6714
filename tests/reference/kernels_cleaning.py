"""Slow, obvious versions of the kernels of cleaned frames."""

import numpy as np


def sum_visible(picture, plate, alpha, size, step, now, known, count):
    for (i, j), hidden in np.ndenumerate(alpha):
        if i % step or j % step or hidden:
            continue
        now[i // size, j // size] += picture[i, j]
        known[i // size, j // size] += plate[i, j]
        count[i // size, j // size] += 1


def put_plate(picture, plate, alpha, gain, size, white):
    rows, columns = gain.shape[:2]
    for (i, j), share in np.ndenumerate(alpha):
        y, x = np.clip((i + 0.5) / size - 0.5, 0, rows - 1), np.clip((j + 0.5) / size - 0.5, 0, columns - 1)
        near = [
            (1 - abs(y - k)) * (1 - abs(x - m)) * gain[k, m].astype(np.float64)
            for k in range(rows) for m in range(columns) if abs(y - k) < 1 and abs(x - m) < 1
        ]  # fmt: skip
        v = picture[i, j].astype(np.float64)
        mixed = v + share / 255 * (sum(near) * plate[i, j] - v)
        if share:
            picture[i, j] = np.clip(np.floor(mixed + 0.5), 0, white).astype(picture.dtype)
