"""The kernels of registration, slow and obvious."""

from math import floor, inf

import numpy as np

CAP, TUKEY, DAMPING, PRECISE = 40.0, 3.75, 100.0, 0.02
"""As the kernels state them."""


def sample_between(picture, y, x):
    """The picture between its pixels, by lines; None where it does not show all four around."""
    i, j = floor(y), floor(x)
    if not (0 <= i < picture.shape[0] - 1 and 0 <= j < picture.shape[1] - 1):
        return None
    p, q = y - i, x - j
    corners = picture[i : i + 2, j : j + 2].astype(float)
    return float(np.array([1 - p, p]) @ corners @ np.array([1 - q, q]))


def steepest(picture, cell, stride, least, rows, columns):
    height, width = picture.shape
    samples = picture.astype(int)
    n = 0
    for top in range(1, height - 1, cell):
        for left in range(1, width - 1, cell):
            found = []
            for i in range(top, min(top + cell, height - 1), stride):
                for j in range(left, min(left + cell, width - 1), stride):
                    down = samples[i + 1, j] - samples[i - 1, j]
                    right = samples[i, j + 1] - samples[i, j - 1]
                    if down**2 + right**2 > least**2:
                        found.append((-(down**2 + right**2), i, j))
            if found and n < rows.size:
                _, rows[n], columns[n] = min(found)  # The first, where several are as steep.
                n += 1
    return n


def moved_to(motion, shape, i, j):
    """Where what is known at a pixel is seen now."""
    down, right, grow, turn = motion
    middle = (np.array(shape) - 1) / 2
    similarity = np.array([[1 + grow, -turn], [turn, 1 + grow]])
    return middle + similarity @ ((i, j) - middle) + (down, right)


def differences(now, known, rows, columns, motion, out):
    for n, (i, j) in enumerate(zip(rows, columns, strict=True)):
        seen = sample_between(now, *moved_to(motion, now.shape, i, j))
        out[n] = inf if seen is None else seen - float(known[i, j])


def track(now, known, rows, columns, down, right, unit, n_rounds):
    height, width = known.shape
    samples = known.astype(float)
    for _ in range(n_rounds):
        errors, slopes = [], []
        for i, j in zip(rows, columns, strict=True):
            seen = sample_between(now, i + down, j + right)
            if seen is not None and 1 <= i < height - 1 and 1 <= j < width - 1:
                errors.append(seen - samples[i, j])
                slope_down = (samples[i + 1, j] - samples[i - 1, j]) / 2
                slope_right = (samples[i, j + 1] - samples[i, j - 1]) / 2
                slopes.append((slope_down, slope_right, -1.0))
        if not errors:
            break
        d, J = np.array(errors), np.array(slopes)
        limit = TUKEY * max(np.mean(np.minimum(abs(d), CAP * unit)), unit)
        w = np.where(abs(d) < limit, (1 - (d / limit) ** 2) ** 2, 0)
        # The least Σ w (d + J s)² + |D s|² over s: down, right, and the change of light.
        normal = J.T @ (w[:, None] * J) + np.diag([DAMPING * unit**2, DAMPING * unit**2, 1])
        step = np.clip(np.linalg.solve(normal, -J.T @ (w * d))[:2], -1, 1)
        down, right = down + step[0], right + step[1]
        if abs(step).max() < PRECISE:
            break
    return down, right


def turning_equations(now, known, rows, columns, motion, radius, unit, normal, slope):
    height, width = known.shape
    samples = known.astype(float)
    errors, slopes = [], []
    for i, j in zip(rows, columns, strict=True):
        seen = sample_between(now, *moved_to(motion, now.shape, i, j))
        if seen is not None and 1 <= i < height - 1 and 1 <= j < width - 1:
            errors.append(seen - samples[i, j])
            down = (samples[i + 1, j] - samples[i - 1, j]) / 2
            right = (samples[i, j + 1] - samples[i, j - 1]) / 2
            y, x = (i - (height - 1) / 2) / radius, (j - (width - 1) / 2) / radius
            slopes.append((down, right, down * y + right * x, right * y - down * x, -1.0))
    normal[...] = np.diag([DAMPING * unit**2] * 4 + [1])
    slope[...] = 0
    if errors:
        d, J = np.array(errors), np.array(slopes)
        limit = TUKEY * max(np.mean(np.minimum(abs(d), CAP * unit)), unit)
        w = np.where(abs(d) < limit, (1 - (d / limit) ** 2) ** 2, 0)
        normal += J.T @ (w[:, None] * J)
        slope -= J.T @ (w * d)


def search(now, known, reach_y, reach_x, limit, out):
    height, width = known.shape
    for down in range(-reach_y, reach_y + 1):
        for right in range(-reach_x, reach_x + 1):
            apart = [
                min(abs(int(now[i + down, j + right]) - int(known[i, j])), limit)
                for i in range(reach_y, height - reach_y)
                for j in range(reach_x, width - reach_x)
            ]
            out[down + reach_y, right + reach_x] = sum(apart) / max(len(apart), 1)
