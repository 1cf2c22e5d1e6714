"""The kernels of colours, of the plate and of the stillest samples, slow and obvious: value by value."""

from math import floor
from statistics import median

import numpy as np


def rounded(x, white):
    return min(max(floor(x + 0.5), 0), int(white))


def quantise_band(start, stop, x, white, out):
    for p in range(start, stop):
        out[p] = rounded(float(x[p]) * float(white), white)


def matrix_to_rgb(y, cb, cr, gain, black, centre, red_gain, blue_gain, red, blue, white, out):
    for at in np.ndindex(*y.shape):
        luma = gain * (int(y[at]) - black)
        r = luma + red_gain * (int(cr[at]) - centre)
        b = luma + blue_gain * (int(cb[at]) - centre)
        g = (luma - red * r - blue * b) / (1 - red - blue)
        out[at] = rounded(r, white), rounded(g, white), rounded(b, white)


def median_of_seen(frames, hidden, out):
    for p in range(out.size):
        seen = [int(x) for x, covered in zip(frames[:, p], hidden[:, p], strict=True) if not covered]
        if seen:
            out[p] = floor(median(seen) + 0.5)


def support_row(frames, weight, near, out):
    for t, p in np.ndindex(*out.shape):
        far = np.abs(frames[:, :, p].astype(int) - frames[:, t, p].astype(int)[:, None]).max(axis=0)
        total = weight[:, p].sum()
        out[t, p] = weight[far <= near, p].sum() / total if total else 0


def spread_of_seen(frames, hidden, plate, out):
    for p in range(out.size):
        far = [
            abs(int(x) - int(plate[p])) for x, covered in zip(frames[:, p], hidden[:, p], strict=True) if not covered
        ]
        out[p] = median(far) if far else 0


def keep_band(start, stop, change, v, full, half, step, least, looks):
    """Each sample goes with the point of the grid in which its pixel lies; of four pixels, the first."""
    height, width = full
    shapes = [full, *[((height + 1) // 2, (width + 1) // 2)] * 2] if half else [full] * (v.size // (height * width))
    for i in range(start, stop):
        for j in range(change.shape[1]):
            at_each = least[:, i, j].tolist()
            worst = at_each.index(max(at_each))  # The first, where several are as bad.
            if change[i, j] >= at_each[worst]:
                continue
            least[worst, i, j] = change[i, j]
            begin = 0
            for plane, (rows, columns) in enumerate(shapes):
                part = 2 if half and plane else 1
                for y in range(rows):
                    for x in range(columns):
                        if (y * part // step, x * part // step) == (i, j):
                            looks[worst, begin + y * columns + x] = v[begin + y * columns + x]
                begin += rows * columns
