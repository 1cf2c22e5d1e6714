"""Slow, obvious versions of the kernels of cleaned frames."""

import numpy as np


def sum_visible(picture, plate, alpha, pitch, size, step, now, known, count):
    for (i, j), hidden in np.ndenumerate(alpha):
        if i % step or j % step or hidden:
            continue
        block = i * pitch // size, j * pitch // size
        now[block] += picture[i, j]
        known[block] += plate[i, j]
        count[block] += 1


def put_plate(plate, alpha, gain, shift, pitch, size, white, out):
    rows, columns = gain.shape
    for (i, j), share in np.ndenumerate(alpha):
        y, x = (np.clip((at + 0.5) * pitch / size - 0.5, 0, n - 1) for at, n in ((i, rows), (j, columns)))
        near = {
            (k, m): (1 - abs(y - k)) * (1 - abs(x - m))
            for k in range(rows) for m in range(columns) if abs(y - k) < 1 and abs(x - m) < 1
        }  # fmt: skip
        g, s = (sum(w * float(values[at]) for at, w in near.items()) for values in (gain, shift))
        v = float(out[i, j])
        mixed = v + share / 255 * (g * plate[i, j] + s - v)
        if share:
            out[i, j] = np.clip(np.floor(mixed + 0.5), 0, white).astype(out.dtype)
