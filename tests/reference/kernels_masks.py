"""The kernels of the mask, slow and obvious: pixel by pixel, as their docstrings say, in Python's numbers."""

from math import exp, floor, sqrt

import numpy as np

LEAST = -9
"""Smaller logits are a probability of 0."""


def around(i, j, shape):
    """A place and its neighbours, without those beyond the edge."""
    for y in range(max(i - 1, 0), min(i + 2, shape[0])):
        for x in range(max(j - 1, 0), min(j + 2, shape[1])):
            yield y, x


def leaves_range_by(seen, known, at):
    """By how much a sample lies outside of the range of the background's 3×3 neighbourhood."""
    near = [int(known[other]) for other in around(*at, known.shape)]
    return max(int(seen[at]) - max(near), min(near) - int(seen[at]), 0)


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


def mix_band(start, stop, luma, blue, red, mix, dark, neutral, white, luma_out, blue_out, red_out):
    zero = (float(dark), float(neutral), float(neutral))

    def mixed(plane, at, half):
        there = (int(luma[at]), int(blue[half]), int(red[half]))
        now = sum(float(mix[plane, k]) * (there[k] - zero[k]) for k in range(3))
        return floor(min(max(now + zero[plane] + 0.5, 0), white))

    for i in range(start, stop):
        for j in range(blue.shape[1]):
            blue_out[i, j] = mixed(1, (2 * i, 2 * j), (i, j))
            red_out[i, j] = mixed(2, (2 * i, 2 * j), (i, j))
            for at in pixels_of(i, j, 2, luma.shape):
                luma_out[at] = mixed(0, at, (i, j))


def pixels_of(i, j, side, shape):
    """The pixels of a cell; at the lower and right edge there are fewer."""
    for y in range(i * side, min((i + 1) * side, shape[0])):
        for x in range(j * side, min((j + 1) * side, shape[1])):
            yield y, x


def mean(numbers):
    return sum(numbers) / len(numbers)


def measure_band(start, stop, seen, known, side, zero, unit, shown, expected, peak, square):
    zero, unit = float(zero), float(unit)
    for i in range(start, stop):
        for j in range(shown.shape[1]):
            pixels = list(pixels_of(i, j, side, seen.shape))
            apart = [leaves_range_by(seen, known, at) for at in pixels]
            shown[i, j] = unit * (mean([int(seen[at]) for at in pixels]) - zero)
            expected[i, j] = unit * (mean([int(known[at]) for at in pixels]) - zero)
            if peak.size:
                peak[i, j] = unit * max(apart)
            square[i, j] = unit**2 * mean([d**2 for d in apart])


def learn_cells_band(
    start, stop, square, luma, before, logit, unseen, rate, slow, clip, floor, bar, variance, usual, unrest, cover,
    marked,
):  # fmt: skip
    rate, slow = float(rate), float(slow)
    for i in range(start, stop):
        for j in range(logit.shape[1]):
            p = 1 / (1 + exp(-logit[i, j])) if logit[i, j] > LEAST else 0
            marked[i, j] = 255 if square[0, i, j] > bar * variance[0, i, j] or logit[i, j] > 0 else 0
            if not unseen[i, j]:
                unrest[i, j] += rate * (abs(float(luma[i, j]) - float(before[i, j])) - unrest[i, j])
                usual[i, j] += rate * (sqrt(square[0, i, j]) - usual[i, j])
                cover[i, j] += slow * (p - cover[i, j])
            for k in range(square.shape[0]):
                s, e2 = float(variance[k, i, j]), float(square[k, i, j])
                w = 0 if unseen[i, j] else max(1 - 2 * p, 0)
                variance[k, i, j] = max(s + rate * w * (min(e2, clip * s) - s), floor)


def is_darker(usual, expected, full, share):
    known = (usual > 0) & (usual < full)
    return bool(2 * (expected[known] < float(share) * usual[known]).sum() > known.sum())


def find_beyond(usual, shown, expected, square, variance, full, bar, found):
    for at in np.ndindex(found.shape):
        is_cut_off = usual[at] >= full and expected[at] < full
        found[at] = is_cut_off and shown[at] > expected[at] and square[at] > bar * variance[at]
    return int(found.sum())


def learn_usual_light(shown, differs, unseen, rate, usual):
    for at in np.ndindex(usual.shape):
        if not (differs[at] or unseen[at]):
            usual[at] += (1 if usual[at] == 0 else float(rate)) * (float(shown[at]) - float(usual[at]))


def age_band(start, stop, shown, marked, near, seen, age):
    for i in range(start, stop):
        for j in range(age.shape[1]):
            alike = all(abs(shown[p, i, j] - seen[p, i, j]) <= near for p in range(len(shown)))
            if marked[i, j] == 0:
                age[i, j] = 0
            elif age[i, j] > 0 and alike:
                age[i, j] = min(int(age[i, j]) + 1, 65535)
            elif age[i, j] > 1:
                age[i, j] = age[i, j] // 2
            else:  # The count starts anew.
                age[i, j] = 1
                seen[: len(shown), i, j] = shown[:, i, j]


def refine_band(start, stop, seen, known, side, unit, logit, shown, expected, variance, half, bar, pull, mask):
    height, width = mask.shape
    far, variance = abs(shown.astype(float) - expected), variance.astype(float)
    level = logit - pull * departs(far, variance, half)
    for y in range(start * side, min(stop * side, height)):
        for x in range(width):
            i, j = y // side, x // side
            if max(logit[at] for at in around(i, j, logit.shape)) <= bar - pull:
                mask[y, x] = 0  # All around say no, and by more than what the pixel shows could change.
                continue
            d = float(unit) * abs(int(seen[y, x]) - int(known[y, x]))
            z = between(level, y, x, side) + pull * departs(d, variance[i, j], half)
            mask[y, x] = 255 if z > bar else 0
    return runs_in(mask, range(start * side, min(stop * side, height)))


def departs(d, variance, half):
    return d / (d + half * variance**0.5)


def runs_in(mask, rows):
    runs = []
    for y in rows:
        for x in range(mask.shape[1]):
            if mask[y, x] and (x == 0 or not mask[y, x - 1]):
                runs.append([y, x, x])
            if mask[y, x]:
                runs[-1][2] = x + 1
    return np.array(runs, np.int32).reshape(-1, 3).T


def cover_band(start, stop, logit, bar, low, side, covered, doubted):
    for y in range(start * side, min(stop * side, covered.shape[0])):
        for x in range(covered.shape[1]):
            most = max([logit[at] for at in around(y // side, x // side, logit.shape)])
            covered[y, x] = 255 if most > bar else 0
            doubted[y, x] = 255 if most > low else 0


def between(cells, y, x, side):
    """Interpolate between the centres of cells for the centre of a pixel; the border is repeated."""
    v, u = (y + 0.5) / side - 0.5, (x + 0.5) / side - 0.5
    i, j = floor(v), floor(u)
    total = 0
    for r, share in ((i, 1 - (v - i)), (i + 1, v - i)):
        for c, part in ((j, 1 - (u - j)), (j + 1, u - j)):
            at = min(max(r, 0), cells.shape[0] - 1), min(max(c, 0), cells.shape[1] - 1)
            total += share * part * float(cells[at])
    return total
