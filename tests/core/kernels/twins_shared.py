"""What kernels share beside its twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_shared as obvious


def rows():
    for n in (1, 70, 200):
        for at in (None, 0, n - 1):
            row = np.zeros(n, np.uint8)
            if at is not None:
                row[at] = 3
            yield (row,)


def lists():
    for n, least in ((0, 5), (4, 3), (9, 0)):
        yield np.arange(1, n + 1, dtype=np.int32), least


def places():
    for n in (1, 2, 3, 7):
        for i in range(-2, n + 2):
            yield i, n


def samples():
    rng = np.random.default_rng(0)
    for dtype, white in ((np.uint8, 256), (np.uint16, 65536)):
        for shape in ((1, 1), (1, 6), (5, 1), (4, 9)):
            yield (rng.integers(0, white, shape).astype(dtype) for _ in range(2))


def rows_of_samples():
    for seen, known in samples():
        for i in range(seen.shape[0]):
            room = [np.full(seen.shape[1] + more, 7, seen.dtype) for more in (2, 2, 0)]
            yield seen[i].copy(), known, i, *room


def single_samples():
    for seen, known in samples():
        for y, x in np.ndindex(*seen.shape):
            yield seen, known, y, x


def rings():
    rng = np.random.default_rng(1)
    for height, width in ((1, 1), (2, 3), (9, 12), (5, 2)):
        for i in range(height):
            marks = np.where(rng.random((5, width)) < 0.5, 255, 0).astype(np.uint8)
            yield marks, i, height, np.full(width + 4, 7, np.uint8), np.full(width, 7, np.uint8)


def blocks():
    yield from ((0, 10, 20), (0, 10, 4), (4, 10, 4), (5, 10, 4), (0, 10, 10))
    yield from ((0, 9000, 9000), (7, 9000, 2100), (7, 9000, 2055), (7, 9000, 2056))


def products():
    rng = np.random.default_rng(2)
    for K in (1, 4):
        W, h = rng.normal(0, 1, (K, 50)).astype(np.float32), rng.random(K).astype(np.float32)
        yield W, h, 7, 40, np.full(60, 7, np.float32)


TWINS = (
    Twin("any_in", obvious.any_in, rows, (("for x in row", "for x in row[:-1]"), ("for x in row", "for x in row[1:]"))),
    Twin("longer", obvious.longer, lists, (("= numbers", "= -numbers"), ("2 * numbers.size", "1 + 2 * numbers.size"))),
    Twin("mirrored", obvious.mirrored, places, (("- 1) - i", "- 1) - i - 1"), ("i %= 2 * (n - 1)", "i %= n"))),
    Twin(
        "leave_range",
        obvious.leave_range,
        rows_of_samples,
        (("j + 2]", "j + 1]"), ("max(i - 1, 0)", "i"), ("- int(seen[j]), 0)", "- int(seen[j]), 1)")),
        scratch=("high", "low"),
    ),
    Twin(
        "beyond_range",
        obvious.beyond_range,
        single_samples,
        (("y + 2", "y + 1"), ("max(x - 1, 0)", "x"), ("x]), 0)", "x]))")),
    ),
    Twin(
        "majority_row",
        obvious.majority_row,
        rings,
        (
            (">= 13", ">= 12"),
            ("mirrored(x, width)", "min(max(x, 0), width - 1)"),
            ("mirrored(y, height)", "min(max(y, 0), height - 1)"),
        ),
        scratch=("padded",),
    ),
    Twin("block_end", obvious.block_end, blocks, (("2048", "2047"), ("end != signed_from and ", ""), ("a + 1", "a"))),
    Twin(
        "product",
        obvious.product,
        products,
        (("out[p - a]", "out[p]"), ("range(h.size)", "range(1, h.size)")),
        Tolerance(1e-6),
    ),
)
