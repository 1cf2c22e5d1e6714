"""The kernels of cleaned frames beside their twins."""

import numpy as np

from core.kernels.arrays import CHUNK
from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_cleaning as obvious

SHAPES = (((1, 1), 1), ((9, 7), 3), ((12, 20), 4), ((10, 11), 1), ((3, 150), 40))
"""Sizes of planes, and of blocks in them."""


def planes():
    rng = np.random.default_rng(0)
    for dtype, white in ((np.uint8, 255), (np.uint16, 1023)):
        for pitch in (1, 2):
            for shape, size in SHAPES:
                picture, plate = (rng.integers(0, white + 1, shape).astype(dtype) for _ in range(2))
                alpha = np.where(rng.random(shape) < 0.5, 0, rng.integers(0, 256, shape)).astype(np.uint8)
                blocks = -(-shape[0] * pitch // size), -(-shape[1] * pitch // size)
                yield rng, picture, plate, alpha, pitch, size, blocks, white


def visible():
    for _, picture, plate, alpha, pitch, size, blocks, _ in planes():
        for step in (1, 2):
            yield picture, plate, alpha, pitch, size, step, *(np.zeros(blocks, np.float32) for _ in range(3))


def plates():
    for rng, picture, plate, alpha, pitch, size, blocks, white in planes():
        gain = rng.uniform(0.2, 2, blocks).astype(np.float32)
        shift = rng.uniform(-0.1 * white, 0.1 * white, blocks).astype(np.float32)
        if picture.shape[1] > 2 * CHUNK:  # Parts that are passed over at once: a row, and a piece of the others.
            alpha[1], alpha[:, CHUNK : 2 * CHUNK] = 0, 0
        yield plate, alpha, gain, shift, pitch, size, white, picture


TWINS = [
    Twin(
        "sum_visible", obvious.sum_visible, visible,
        (("or hidden", ""), ("i % step or ", ""), ("+= plate", "= plate"), ("i * pitch", "i"), ("j * pitch", "j")),
    ),
    Twin(
        "put_plate", obvious.put_plate, plates,
        (
            ("/ size - 0.5, 0, n", "/ size, 0, n"), ("share / 255", "1"), ("0, white", "0, 10**9"),
            ("(1 - abs(x - m))\n", "1\n"), (" + s - v", " - v"), ("* pitch / size", "/ size"),
        ),
        Tolerance(rounded=0.01),
    ),
]  # fmt: skip
