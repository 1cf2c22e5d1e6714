"""The kernels of registration beside their twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_registration as obvious


def texture(size, down=0.0, right=0.0, white=255, dtype=np.uint8):
    """Waves that have moved."""
    y, x = np.mgrid[: size[0], : size[1]].astype(float)
    y, x = y - down, x - right
    waves = np.sin(0.5 * y + 0.2 * x) + np.sin(0.4 * x - 0.3 * y) + np.cos(0.9 * x + 0.1) + np.cos(0.8 * y)
    return np.rint((0.5 + 0.11 * waves) * white).astype(dtype)


def pictures():
    rng = np.random.default_rng(0)
    for dtype, white in ((np.uint8, 255), (np.uint16, 65535)):
        for size, cell, stride in (((19, 23), 5, 1), ((20, 22), 6, 2), ((2, 9), 4, 1)):
            picture = texture(size, white=white, dtype=dtype)
            picture[:, ::2] ^= rng.integers(0, 4, picture[:, ::2].shape).astype(dtype)
            picture[:9, :9] = white // 3
            picture[4:, 9:] = picture[4:, 9:] // 16 * 16  # Steps: several gradients are as steep.
            for n in (40, 7):
                for least in (0, white // 9):
                    yield picture, cell, stride, least, *(np.full(n, -1, np.int32) for _ in range(2))


def points(size, n, seed):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, side, n).astype(np.int32) for side in size]


def moved():
    for seed, (dtype, white) in enumerate([(np.uint8, 255), (np.uint16, 1023)]):
        size, rng = (21, 26), np.random.default_rng(seed)
        known = texture(size, white=white, dtype=dtype)
        for down, right in ((0.0, 0.0), (1.3, -0.6), (-2.0, 3.25), (40.0, 0.0)):
            now = texture(size, min(down, 5), right, white, dtype) + rng.integers(0, 4, size).astype(dtype)
            yield now, known, *points(size, 60, seed), down, right, white / 255


def turned():
    """Shifts, and motions that turn and zoom too."""
    for now, known, rows, columns, down, right, unit in moved():
        for grow, turn in ((0.0, 0.0), (0.06, 0.0), (-0.04, 0.11)):
            yield now, known, rows, columns, np.array([down, right, grow, turn]), unit


def shaken():
    for now, known, rows, columns, motion, _ in turned():
        yield now, known, rows, columns, motion, np.full(rows.size, 7, np.float32)


def equations():
    for now, known, rows, columns, motion, unit in turned():
        covered = now.copy()
        covered[3:9, 4:12] = now.max()
        yield covered, known, rows, columns, motion, 12.0, unit, np.full((5, 5), 7.0), np.full(5, 7.0)


def tracked():
    for now, known, rows, columns, down, right, unit in moved():
        covered = now.copy()
        covered[3:9, 4:12] = now.max()
        for n_rounds, off in ((1, 0.4), (2, 2.5), (8, 0.7)):
            yield covered, known, rows, columns, down - off, right + off / 2, unit, n_rounds
    flat = np.full((12, 12), 90, np.uint8)  # Where there are no slopes, nothing is found.
    yield flat, flat, *points((12, 12), 20, 0), 0.25, -0.5, 1.0, 8
    yield flat, flat, *points((12, 12), 20, 0), 50.0, -0.5, 1.0, 8


def coarse():
    rng = np.random.default_rng(1)
    for size, reach in (((11, 14), (2, 3)), ((9, 9), (4, 0)), ((6, 7), (3, 1)), ((5, 5), (0, 0))):
        now, known = (rng.integers(0, 60, size).astype(np.int32) for _ in range(2))
        yield now, known, *reach, 24, np.full((2 * reach[0] + 1, 2 * reach[1] + 1), 7.0)


TWINS = (
    Twin(
        "steepest",
        obvious.steepest,
        pictures,
        (
            ("> least**2", ">= least**2"),
            ("samples[i, j + 1] - samples[i, j - 1]", "samples[i, j + 1] - samples[i, j]"),
            ("min(found)", "min(found, key=lambda one: (one[0], -one[1]))"),
            ("height - 1), stride", "height - 1)"),
            ("and n < rows.size", "and n < rows.size - 1"),
            ("min(left + cell, width - 1)", "min(left + cell, width - 2)"),
        ),
    ),
    Twin(
        "differences",
        obvious.differences,
        shaken,
        (
            ("(motion,", "(motion * [1, 1, 1, 0],"),
            ("now.shape, i, j", "now.shape, i, j + 1"),
            ("seen - float(known[i, j])", "float(known[i, j]) - seen"),
            ("inf if", "0 if"),
        ),
        Tolerance(1e-5),
    ),
    Twin(
        "track",
        obvious.track,
        tracked,
        (
            ("-J.T @ (w * d)", "J.T @ (w * d)"),
            ("(samples[i + 1, j] - samples[i - 1, j]) / 2", "samples[i + 1, j] - samples[i, j]"),
            ("** 2) ** 2, 0)", "** 2), 0)"),
            ("np.where(abs(d) < limit, ", "np.where(True, "),
            ("slope_right, -1.0", "slope_right, 0.0"),
            ("CAP * unit", "np.inf"),
            ("-1, 1)", "-9, 9)"),
            ("abs(step).max() < PRECISE", "False"),
            ("DAMPING * unit**2, DAMPING", "0, DAMPING"),
            ("1 <= i < height", "0 <= i < height"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "turning_equations",
        obvious.turning_equations,
        equations,
        (
            ("slope -= J", "slope += J"),
            ("right * y - down * x", "right * y + down * x"),
            ("down * y + right * x", "down * y"),
            ("(motion,", "(motion * [1, 1, 0, 1],"),
            ("** 2) ** 2, 0)", "** 2), 0)"),
            ("np.where(abs(d) < limit, ", "np.where(True, "),
            ("CAP * unit", "np.inf"),
            ("/ radius, (j", ", (j"),
            ("unit**2] * 4", "unit**2] * 2 + [0, 0]"),
            ("1 <= i < height", "0 <= i < height"),
        ),
        Tolerance(1e-5),
    ),
    Twin(
        "search",
        obvious.search,
        coarse,
        (
            ("now[i + down, j + right]", "now[i - down, j - right]"),
            (", limit)", ", 99)"),
            ("range(reach_y, height - reach_y)", "range(reach_y, height - reach_y - 1)"),
            ("max(len(apart), 1)", "now.size"),
        ),
        Tolerance(1e-12),
    ),
)
