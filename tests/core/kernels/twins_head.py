"""The kernels of the learned head beside their twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_head as obvious
from tests.reference.kernels_head import BLOCK, N

F = np.float32
SIZES = ((3, 5), (19, 21), (16, 24))


def blocks_of(size):
    return tuple(-(-n // BLOCK) for n in size)


def differing():
    rng = np.random.default_rng(0)
    for size in SIZES:
        for least in (1, 3, 5, 7, 9):
            square, variance = rng.integers(0, 30, size).astype(F), rng.integers(1, 40, size).astype(F)
            yield square, variance, F(2), least, rng.integers(0, 3, blocks_of(size)).astype(np.uint8)


def cells(rng, size, *, chroma):
    """What features are made of, from the means of the frame to the cover."""
    shown, expected = (rng.uniform(20, 80, (3, *size)).astype(F) for _ in range(2))
    variance = rng.uniform(1, 30, (3, *size)).astype(F)
    if not chroma:
        shown[1:] = expected[1:] = 0
    before = shown[0] + rng.normal(0, 5, size).astype(F)
    peak, square, usual = (rng.uniform(0, most, size).astype(F) for most in (60, 400, 9))
    flicker, cover = (rng.random(size).astype(F) for _ in range(2))
    return shown, expected, before, peak, square, variance, usual, flicker, cover


def rows():
    rng = np.random.default_rng(1)
    for size in SIZES:
        for chroma in (False, True):
            made = cells(rng, size, chroma=chroma)
            for i in (0, size[0] // 2, size[0] - 1):
                for left, right in ((0, size[1]), (1, size[1] - 1)):
                    yield i, left, right, *made, np.full((5, size[1] + 4), 7, F), np.full((N, size[1]), 7, F)


def some_blocks(rng, size):
    active = (rng.random(blocks_of(size)) < 0.6).astype(np.uint8)
    active[-1, -1] = 1
    active[-1, :-1][:1] = active[:-1, -1] = 0
    return active


def padded(rng, size):
    rows, columns = ((n + 2) * BLOCK for n in blocks_of(size))
    return rng.uniform(0, 2, (rows, N, columns)).astype(F)


def matrix(rng, *shape):
    return rng.uniform(-0.5, 0.5, shape).astype(F)


def entering():
    rng = np.random.default_rng(2)
    for size in SIZES:
        active, made = some_blocks(rng, size), cells(rng, size, chroma=True)
        weights = matrix(rng, N, N), matrix(rng, N)
        yield len(active) // 2, len(active), active, *made, *weights, padded(rng, size), padded(rng, size)


def layers():
    rng = np.random.default_rng(3)
    for size in SIZES:
        active = some_blocks(rng, size)
        for reach in (1, 4, 8):
            weights = matrix(rng, N, 9), matrix(rng, N, N), matrix(rng, N)
            yield (len(active) // 2, len(active), active, *size, reach, *weights, padded(rng, size),
                   padded(rng, size))  # fmt: skip


def leaving():
    rng = np.random.default_rng(4)
    for size in SIZES:
        active = some_blocks(rng, size)
        logits = np.full(size, 7, F), np.full(size, 7, F)
        yield (len(active) // 2, len(active), active, matrix(rng, 2, N), matrix(rng, 2), padded(rng, size), *logits,
               F(-12))  # fmt: skip


TWINS = (
    Twin(
        "find_active",
        obvious.find_active,
        differing,
        (
            (">= least", "> least"),
            ("> bar**2", ">= bar**2"),
            ("bar**2 *", "bar *"),
            ("+= 1", "= 1"),
            ("(c + 1) * BLOCK, width", "(c + 1) * BLOCK - 1, width"),
        ),
    ),
    Twin(
        "features_row",
        obvious.features_row,
        rows,
        (
            ("out[:, j - left]", "out[:, j]"),
            ("flicker, cover)\n", "cover, flicker)\n"),
            ("i, j, shown, expected, before", "i, j, shown, expected, shown[0]"),
            ("range(left, right)", "range(left, right - 1)"),
            ("of(i, j", "of(i, max(j - 1, 0)"),
        ),
        Tolerance(1e-4),
        scratch=("sums",),
    ),
    Twin(
        "enter_band",
        obvious.enter_band,
        entering,
        (
            (" + bias, 0", ", 0"),
            ("+ bias, 0)", "+ bias, -9)"),
            ("= idle[i + BLOCK, :, j + BLOCK] = 0", "= 0"),
            ("active, height, beyond", "active, height, width"),
            ("weights.astype(float)", "weights.T"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "layer_band",
        obvious.layer_band,
        layers,
        (
            ("for v in (-1, 0, 1) for u in (-1, 0, 1)", "for u in (-1, 0, 1) for v in (-1, 0, 1)"),
            ("x[y, :, c] + mixed", "mixed"),
            (" + bias, 0", ", 0"),
            ("+ bias, 0)", "+ bias, -9)"),
            ("v * reach", "v"),
            ("if is_active", "if True"),
            ("weights.astype(float)", "weights.T"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "leave_band",
        obvious.leave_band,
        leaving,
        (
            ("if is_active", "if True"),
            (" + bias", ""),
            ("logit[i, j], shadow[i, j] =", "shadow[i, j], logit[i, j] ="),
            ("= nothing", "= 0"),
        ),
        Tolerance(1e-4),
    ),
)
