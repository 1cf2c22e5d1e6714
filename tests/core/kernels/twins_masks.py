"""The kernels of the mask beside their twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_masks as obvious

LEAST = 20
"""Differences on the grid up to this do not count, samples."""


def marks(rng, size, share):
    return np.where(rng.random(size) < share, 255, 0).astype(np.uint8)


def planes(rng, size, dtype, most, *, colour, least=0):
    half = ((size[0] + 1) // 2, (size[1] + 1) // 2)
    shapes = [size, half, half] if colour else [size, (0, 0), (0, 0)]
    return [rng.integers(least, most, shape).astype(dtype) for shape in shapes]


def rgb():
    for seed, (dtype, white) in enumerate([(np.uint8, 255), (np.uint16, 65535)]):
        rng = np.random.default_rng(seed)
        for size in ((1, 1), (7, 10), (8, 9)):
            picture = [rng.integers(0, white + 1, size).astype(dtype) for _ in range(3)]
            half = ((size[0] + 1) // 2, (size[1] + 1) // 2)
            written = [np.full(shape, 77, dtype) for shape in (size, half, half)]
            yield 0, max(half[0] - 1, 1), *picture, np.float32((white + 1) // 2), *written


def frames():
    rng = np.random.default_rng(0)
    for dtype in (np.uint8, np.uint16):
        for size, step in (((3, 5), 1), ((19, 11), 1), ((18, 23), 2), ((21, 10), 3)):
            for colour in (False, True):
                now, known = (planes(rng, size, dtype, 60, colour=colour) for _ in range(2))
                limits = planes(rng, size, dtype, 25, colour=colour)
                full, grid = [np.full(size, 7, np.uint8) for _ in range(2)], (-(-size[0] // step), -(-size[1] // step))
                coarse = [np.full(grid, 7, kind) for kind in (dtype, dtype, np.uint8, np.uint8)]
                yield (size[0] > 16), -(-size[0] // 8), *now, *known, *limits, *full, step, dtype(LEAST), *coarse


def taken_masks():
    rng = np.random.default_rng(1)
    for size, step in (((1, 1), 1), ((2, 3), 2), ((9, 14), 1), ((11, 13), 2), ((13, 8), 3)):
        taken = marks(rng, (-(-size[0] // step), -(-size[1] // step)), 0.2)
        yield size[0] // 4, size[0], marks(rng, size, 0.7), taken, step, np.full(size, 7, np.uint8)


def sparse_masks():
    rng = np.random.default_rng(2)
    for size in ((1, 1), (1, 7), (9, 1), (11, 13)):
        yield size[0] // 4, max(size[0] - 2, 1), marks(rng, size, 0.3), np.full(size, 7, np.uint8)


def noises():
    rng = np.random.default_rng(5)
    for dtype in (np.uint8, np.uint16):
        for step in (1, 2):
            size, blocks = (21 // step, 30 // step), (3, 4)
            variance = (rng.uniform(0, 9, size) ** 2 * (1 if dtype is np.uint8 else 1e7)).astype(np.float32)
            flicker = rng.random(blocks).astype(np.float32)
            yield 1, 3, variance, step, flicker, np.float32(5), np.float32(20), np.full(size, 7, dtype)


def ageing():
    rng = np.random.default_rng(3)
    for dtype in (np.uint8, np.uint16):
        for step, colour in ((1, False), (1, True), (2, True), (3, True)):
            grid = (9, 150)
            luma = rng.integers(0, 9, grid).astype(dtype)
            half = (-(-grid[0] * step // 2), -(-grid[1] * step // 2)) if colour else (0, 0)
            chroma = [rng.integers(0, 6, half).astype(dtype) for _ in range(2)]
            seen = rng.integers(0, 7, (3 if colour else 1, *grid)).astype(dtype)
            marked, age = marks(rng, grid, 0.6), rng.choice([0, 1, 2, 3, 9, 65535], grid).astype(np.uint16)
            marked[2:4, 64:128] = 0
            yield 1, 8, luma, *chroma, step, seen, marked, np.array([4, 2, 3], np.int32), age


def seeds():
    rng = np.random.default_rng(4)
    for dtype in (np.uint8, np.uint16):
        for size in ((1, 1), (7, 2), (24, 17), (12, 70), (60, 3)):
            for colour in (False, True):
                now, known = (planes(rng, size, dtype, 90, colour=colour) for _ in range(2))
                limits = planes(rng, size, dtype, 70, colour=colour, least=20)
                yield marks(rng, size, 0.03), *now, *known, *limits, np.float32(0.3), 3
    mask = np.zeros((40, 12), np.uint8)
    mask[1::3, 1:8:3] = 255  # Each is alone and grows by all its neighbours.
    known, limit = np.zeros((40, 12), np.uint8), np.full((40, 12), 9, np.uint8)
    limit[:, 10] = 18  # Its share is what is seen, and not less: that is no more than noise.
    now, none = np.full((40, 12), 9, np.uint8), np.zeros((0, 0), np.uint8)
    yield mask, now, none, none, known, none, none, limit, none, none, np.float32(0.5), 30


TWINS = (
    Twin(
        "opponent_band",
        obvious.opponent_band,
        rgb,
        (
            ("0.564", "0.713"),
            ("grey + 0.5", "grey"),
            ("int(b[y, x]) - grey", "grey - int(b[y, x])"),
            ("sum(from_red) / len(from_red)", "sum(from_red) / 4"),
            ("0.587 * int(g", "0.587 * int(r"),
        ),
        Tolerance(rounded=0.03),
    ),
    Twin(
        "mark_band",
        obvious.mark_band,
        frames,
        (
            ("> limit[i, j]\n", ">= limit[i, j]\n"),
            ("i // 2, j // 2", "i // 2, max(j - 1, 0) // 2"),
            ("> limit_red[y, x]", "> limit_blue[y, x]"),
            ("marks[i, j] or apart", "apart"),
            ("max(limit[i, j], least)", "limit[i, j]"),
            ("min(BLOCK * stop, height)", "height - height % BLOCK"),
            ("most_are_set(marks, i, j)", "marks[i, j]"),
            ("leaves_range_by(luma, known, i, j)", "abs(int(luma[i, j]) - int(known[i, j]))"),
        ),
    ),
    Twin(
        "uncover_band",
        obvious.uncover_band,
        taken_masks,
        (
            ("taken[i // step, j // step]", "not i % step and not j % step and taken[i // step, j // step]"),
            ("most_are_set(left, i, j)", "left[i, j]"),
            ("in range(start, stop)", "in range(start, stop - 1)"),
        ),
    ),
    Twin(
        "widen_band",
        obvious.widen_band,
        sparse_masks,
        (
            ("mask.shape))", "mask.shape) if i == at[0] or j == at[1])"),
            ("mask.shape)", "(stop, mask.shape[1]))"),
            ("in range(start, stop)", "in range(start + 1, stop)"),
        ),
    ),
    Twin(
        "limit_band",
        obvious.limit_band,
        noises,
        (
            ("floor(", "round("),
            ("i // side, j // side", "i // BLOCK, j // BLOCK"),
            ("sqrt(", "("),
            ("1 + calm *", "calm *"),
            ("np.iinfo(limit.dtype).max", "254"),
        ),
        Tolerance(rounded=0.01),
    ),
    Twin(
        "age_band",
        obvious.age_band,
        ageing,
        (
            ("<= near[p]", "< near[p]"),
            ("// 2\n            else", "- 1\n            else"),
            ("age[i, j] > 0 and alike", "alike"),
            ("65535)", "65534)"),
            ("blue[i * step // 2, j * step // 2]", "blue[i // 2, j // 2]"),
            ("age[i, j] > 1", "age[i, j] > 2"),
            ("for p, x in enumerate(looks):", "for p, x in enumerate(looks[:1]):"),
        ),
    ),
    Twin(
        "grow",
        obvious.grow,
        seeds,
        (
            ("> share * limit[i, j]", ">= share * limit[i, j]"),
            ("before[at] for", "mask[at] for"),
            ("mask.shape))", "mask.shape) if i == at[0] or j == at[1])"),
            ("range(reach)", "range(reach - 1)"),
            ("i // 2, j // 2", "i // 2, max(j - 1, 0) // 2"),
            ("> share * limit_red[y, x]", "> share * limit_blue[y, x]"),
        ),
    ),
)
