"""The kernels of cleaned frames beside their twins."""

import numpy as np

from core.kernels.arrays import CHUNK
from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_cleaning as obvious

SHAPES = (((1, 1), 1), ((9, 7), 3), ((12, 20), 4), ((10, 11), 1), ((3, 150), 40))
"""Sizes of pictures, and of blocks in them."""


def pictures():
    rng = np.random.default_rng(0)
    for dtype, white in ((np.uint8, 255), (np.uint16, 1023)):
        for channels in (1, 3):
            for shape, size in SHAPES:
                picture, plate = (rng.integers(0, white + 1, (*shape, channels)).astype(dtype) for _ in range(2))
                alpha = np.where(rng.random(shape) < 0.5, 0, rng.integers(0, 256, shape)).astype(np.uint8)
                blocks = -(-shape[0] // size), -(-shape[1] // size)
                yield rng, picture, plate, alpha, size, blocks, white


def visible():
    for _, picture, plate, alpha, size, blocks, _ in pictures():
        for step in (1, 2):
            sums = [np.zeros((*blocks, picture.shape[2]), np.float32) for _ in range(2)]
            yield picture, plate, alpha, size, step, *sums, np.zeros(blocks, np.float32)


def plates():
    for rng, picture, plate, alpha, size, blocks, white in pictures():
        gain = rng.uniform(0.2, 2, (*blocks, picture.shape[2])).astype(np.float32)
        if picture.shape[1] > 2 * CHUNK:  # Parts that are passed over at once: a row, and a piece of the others.
            alpha[1], alpha[:, CHUNK : 2 * CHUNK] = 0, 0
        yield picture, plate, alpha, gain, size, white


TWINS = [
    Twin(
        "sum_visible", obvious.sum_visible, visible,
        (("or hidden", ""), ("i % step or ", ""), ("+= plate", "= plate")),
    ),
    Twin(
        "put_plate", obvious.put_plate, plates,
        (("- 0.5, 0, rows", ", 0, rows"), ("share / 255", "1"), ("0, white", "0, 10**9"), ("(1 - abs(x - m)) * ", "")),
        Tolerance(rounded=0.01),
    ),
]  # fmt: skip
