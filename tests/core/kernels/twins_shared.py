"""What kernels share beside its twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_shared as obvious


def lists():
    for shape, least in (((3, 0), 5), ((3, 4), 3), ((2, 9), 0)):
        yield np.arange(1, 1 + shape[0] * shape[1], dtype=np.int32).reshape(shape), least


def rows_with_runs():
    rng = np.random.default_rng(3)
    for width in (1, 31, 32, 33, 100):
        for share in (0, 0.02, 0.5, 0.98, 1):
            mask = np.where(rng.random((2, width)) < share, 255, 0).astype(np.uint8)
            for left, right in ((0, width), (width // 3, width), (0, width // 2), (width, width)):
                runs = np.full((3, 2 * width + 4), 7, np.int32)
                yield mask, 1, left, right, 2, runs


def mostly_empty_rows():
    for dtype in (np.uint8, np.int32):
        for row in ([], [0], [3], [0] * 70, [0] * 69 + [1], [2] + [0] * 40):
            yield (np.array(row, dtype),)


def samples():
    rng = np.random.default_rng(0)
    for dtype, white in ((np.uint8, 256), (np.uint16, 65536)):
        for shape in ((1, 1), (1, 6), (5, 1), (3, 2), (4, 9)):
            yield (rng.integers(0, white, shape).astype(dtype) for _ in range(2))


def rows_of_samples():
    for seen, known in samples():
        height, width = seen.shape
        for first in range(height):
            for last in range(first, height + 1):
                yield (seen.ravel(), known.ravel(), height, width, first, last,
                       np.full(seen.size + 3, 7, seen.dtype))  # fmt: skip


def plates():
    rng = np.random.default_rng(4)
    for shape in ((1, 1), (5, 9), (7, 40)):
        plate, down, across = (rng.uniform(-1, 1, n).astype(np.float32) for n in (shape, shape[0], shape[1]))
        yield shape[0] // 3, shape[0], plate, np.float32(0.1), down, across, np.full(shape, 7, np.float32)


def blocks():
    yield from ((0, 10, 20), (0, 10, 4), (4, 10, 4), (5, 10, 4), (0, 10, 10))
    yield from ((0, 9000, 9000), (7, 9000, 2100), (7, 9000, 2055), (7, 9000, 2056))


def products():
    rng = np.random.default_rng(2)
    for K in (1, 4):
        W, h = rng.normal(0, 1, (K, 50)).astype(np.float32), rng.random(K).astype(np.float32)
        yield W, h, 7, 40, np.full(60, 7, np.float32)


TWINS = (
    Twin(
        "longer",
        obvious.longer,
        lists,
        (("= lists", "= -lists"), ("2 * lists.shape[1]", "1 + 2 * lists.shape[1]")),
    ),
    Twin(
        "add_runs",
        obvious.add_runs,
        rows_with_runs,
        (
            ("x == left or", "x == 0 or"),
            ("not mask[y, x - 1]", "not mask[0, x - 1]"),
            ("= x + 1", "= x"),
            ("= y, x", "= x, y"),
            ("range(left, right)", "range(left, mask.shape[1])"),
            ("count += 1", "count += 2"),
        ),
    ),
    Twin(
        "shade_band",
        obvious.shade_band,
        plates,
        (
            ("+ float(more)", ""),
            ("1 + float(down", "float(down"),
            ("float(across[j])", "float(across[0])"),
            ("** 2", ""),
        ),
        Tolerance(1e-6),
    ),
    Twin(
        "any_in", obvious.any_in, mostly_empty_rows, (("x != 0", "x == 0"), ("in row", "in row[:-1]"), ("any(", "all("))
    ),
    Twin(
        "leave_range",
        obvious.leave_range,
        rows_of_samples,
        (
            ("x + 2]", "x + 1]"),
            ("max(x - 1, 0)", "x"),
            ("y + 2, ", "y + 1, "),
            ("max(y - 1, 0)", "y"),
            ("- here, 0)", "- here, 1)"),
            ("(y - first)", "y"),
        ),
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
