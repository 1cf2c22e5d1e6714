"""The kernels of regions and of the matte, slow and obvious: flood fills and rings, pixel by pixel."""

import numpy as np

from tests.reference.kernels_masks import around, runs_in

EDGES = [(-1, 0), (1, 0), (0, -1), (0, 1)]
CORNERS = [*EDGES, (-1, -1), (-1, 1), (1, -1), (1, 1)]


def neighbours(at, shape, steps):
    for step in steps:
        y, x = at[0] + step[0], at[1] + step[1]
        if 0 <= y < shape[0] and 0 <= x < shape[1]:
            yield y, x


def connected(inside, steps):
    """The regions of a map of truth values, each a list of its pixels."""
    regions, seen = [], np.zeros(inside.shape, bool)
    for start in np.ndindex(*inside.shape):
        if inside[start] and not seen[start]:
            region, seen[start] = [start], True
            for at in region:  # It grows as it is walked.
                for other in neighbours(at, inside.shape, steps):
                    if inside[other] and not seen[other]:
                        seen[other] = True
                        region.append(other)
            regions.append(region)
    return regions


def drop_apart(logit, low, mask, side, doubted):
    kept = np.zeros(logit.shape, bool)
    for region in connected(logit > low, CORNERS):
        if any(mask[i * side : i * side + side, j * side : j * side + side].any() for i, j in region):
            kept[tuple(np.transpose(region))] = True
    for y, x in np.ndindex(*doubted.shape):
        if not any(kept[at] for at in around(y // side, x // side, logit.shape)):
            doubted[y, x] = 0


def drop_small(runs, smallest, holes, stays, logit, side, doubt, mask, covered):
    for region in connected(mask > 0, CORNERS):
        if len(region) < smallest and not any(stays[y // side, x // side] for y, x in region):
            for at in region:
                mask[at] = 0
    height, width = mask.shape
    if mask.any():  # Else no region is left that could have holes.
        for hole in connected(mask == 0, EDGES):
            inside = all(0 < y < height - 1 and 0 < x < width - 1 for y, x in hole)
            mean = sum(logit[y // side, x // side] for y, x in hole) / len(hole)
            if len(hole) < holes or (inside and mean > doubt):
                for at in hole:
                    mask[at] = 255
    covered[mask > 0] = 255


def runs_of(mask):
    return runs_in(mask, range(mask.shape[0]))


def keep_resting(regions, marked, still, share, out):
    out[:] = 0
    some = False
    for region in connected(regions > 0, CORNERS):
        n_marked = sum(marked[at] != 0 for at in region)
        n_still = sum(still[at] != 0 for at in region)
        if n_marked and n_still >= share * n_marked:
            some = True
            for at in region:
                out[at] = 255
    return some


def edge_of(inside, outside):
    edge = [at for at in np.ndindex(*inside.shape) if inside[at] != outside[at]]
    return [y for y, _ in edge], [x for _, x in edge]


def spread_colours(rows, columns, picture, mask, inside, place, out):
    edge = list(zip(rows.tolist(), columns.tolist(), strict=True))
    for k, at in enumerate(edge):
        place[at] = 1 + k
    colours = {}

    def spread_on(ring):
        while ring:
            colours.update(ring)
            ring = {}
            for at in edge:
                near = [colours[other] for other in neighbours(at, mask.shape, CORNERS) if other in colours]
                if at not in colours and near:
                    ring[at] = np.mean(near, axis=0)

    ring = {}
    for at in edge:
        near = [picture[other].astype(float) for other in neighbours(at, mask.shape, CORNERS) if inside[other]]
        if near:
            ring[at] = np.mean(near, axis=0)
    spread_on(ring)
    near_inside = set(colours)
    spread_on({at: picture[at].astype(float) for at in edge if at not in colours and mask[at]})
    for k, at in enumerate(edge):
        out[k] = colours.get(at, 0)
    return [0 if at not in colours else 1 if at in near_inside or mask[at] else 2 for at in edge]


def cover(rows, columns, picture, known, soft, reached, near, colour, share):
    for k, at in enumerate(zip(rows, columns, strict=True)):
        v, b, f = picture[at].astype(float), known[at].astype(float), colour[k].astype(float)
        if not reached[k]:
            share[k] = soft[at] / 255
            continue
        along, apart = np.sum((v - b) * (f - b)), np.sum((f - b) ** 2)
        beside = np.sum((v - b) ** 2) - along**2 / max(apart, 1)
        kappa = near + max(beside, 0)
        a = min(max((along + kappa * soft[at] / 255) / (apart + kappa), 0), 1)
        if reached[k] == 2:
            a = min(a, soft[at] / 255)
        share[k] = a


def without_background(rows, columns, picture, known, reached, share, colour):
    for k, at in enumerate(zip(rows, columns, strict=True)):
        v, b, a = picture[at].astype(float), known[at].astype(float), share[k]
        colour[k] = a * v + (1 - a) * (v - b + colour[k]) if reached[k] else v


def find_meeting(a, b, order):
    pairs = []
    for i, one in enumerate(a):
        for j in order:
            across = min(one[2], b[j][2]) - max(one[0], b[j][0])
            down = min(one[3], b[j][3]) - max(one[1], b[j][1])
            if across > 0 and down > 0:
                pairs.append([i, j])
    return np.array(pairs, np.int32).reshape(-1, 2)
