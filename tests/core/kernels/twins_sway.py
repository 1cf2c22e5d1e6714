"""The kernels of what sways, of ranks, and of likeness, beside their twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_sway as obvious

F = np.float32
SIZES = ((1, 1), (2, 3), (9, 14), (30, 41))


def lists_of_numbers():
    rng = np.random.default_rng(0)
    for n in (1, 2, 10, 300):
        for scale in (1e-9, 1, 1e9):
            alike = scale * (1 + rng.integers(0, 900, n) / (1 << 23))  # They differ in the last 10 bits alone.
            for values in (rng.normal(0, scale, n), rng.integers(-3, 4, n), alike):
                for every in (1, 3):
                    looked_at = -(-n // every)
                    for place in {0, looked_at // 3, looked_at - 1}:
                        yield values.astype(F), every, place


def maps():
    rng = np.random.default_rng(1)
    for size in SIZES:
        for every in (1, 2, 3):
            yield rng.normal(0, 9, size).astype(F), every


def coarse(size, every):
    return tuple(-(-n // every) for n in size)


def variances():
    rng = np.random.default_rng(2)
    for size in SIZES:
        for every in (1, 2):
            for side in (1, 4, 9):
                yield rng.integers(1, 900, size).astype(F), every, side, np.full(coarse(size, every), 7, F)


def verdicts():
    rng = np.random.default_rng(3)
    for size in SIZES:
        for every in (1, 2, 3):
            around = rng.uniform(0, 40, coarse(size, every)).astype(F)
            logits = [rng.normal(0, 4, size).astype(F) for _ in range(2)]
            yield around, F(9), F(0.5), F(4), every, *logits, *(np.full(size, 7, F) for _ in range(2))


def painted():
    rng = np.random.default_rng(4)
    for n, n_numbers, n_centres in ((1, 4, 1), (7, 8, 2), (20, 32, 9)):
        cells, unit = rng.normal(0, 2, (n, n_numbers)).astype(F), rng.uniform(0, 0.5, n_numbers).astype(F)
        centres = rng.normal(0, 0.5, (n_numbers, n_centres)).astype(F)
        halves = ((centres**2).sum(axis=0) / 2).astype(F)
        for start, stop in ((0, n), (n // 3, n - n // 4)):
            yield start, stop, cells, unit, centres, halves, rng.normal(0, 2, n_centres).astype(F), np.full(n, 7, F)


TWINS = (
    Twin(
        "ranked_size",
        obvious.ranked_size,
        lists_of_numbers,
        (("abs(float(x))", "float(x)"), ("[::every]", ""), ("[place]", "[place // 2]")),
    ),
    Twin(
        "median_of_grid",
        obvious.median_of_grid,
        maps,
        (
            ("abs(float(x))", "float(x)"),
            ("[::every, ::every]", "[::every]"),
            ("[::every, ::every]", "[:, ::every]"),
            ("len(sizes) // 2", "(len(sizes) - 1) // 2"),
        ),
    ),
    Twin(
        "noise_around",
        obvious.noise_around,
        variances,
        (
            ("i - side // 2 + side)", "i + side // 2)"),
            ("range(j - side // 2,", "range(j - (side - 1) // 2,"),
            ("sqrt(variance[at])", "variance[at]"),
            ("out.max()", "out.min()"),
            ("min(max(y, 0), rows - 1) * every", "min(max(y, 0), rows - 1)"),
            ("min(max(x, 0), columns - 1)", "abs(columns - 1 - abs(columns - 1 - x)) % columns"),
        ),
        Tolerance(1e-6),
    ),
    Twin(
        "discount",
        obvious.discount,
        verdicts,
        (
            (" - float(calm)", ""),
            ("each * over", "over"),
            ("max(each * over, 0)", "each * over"),
            ("over, 0), most)", "over, 0), 99)"),
            ("i // every", "i // 2"),
            ("j // every", "j // 2"),
            ("= shadow[i, j] - asked", "= shadow[i, j]"),
        ),
        Tolerance(1e-6),
    ),
    Twin(
        "add_likeness",
        obvious.add_likeness,
        painted,
        (
            ("weights[c] * ", ""),
            (" * unit[d]", ""),
            ("apart / 2", "apart"),
            ("centres[d, c]", "0"),
            ("out[i] =", "out[i] +="),
        ),
        Tolerance(1e-5),
    ),
)
