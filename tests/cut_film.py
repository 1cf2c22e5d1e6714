"""A drawn film with cuts: a block that passes before one backdrop after another."""

import numpy as np

from tests.films import write_planes

SIZE, EACH, FIRSTS = (128, 96), 60, (1, 61, 121)
NAMES = [f"{first:06d}.png" for first in FIRSTS]


def backdrop(scene):
    """Return what is behind the block in a scene, counted from 0."""
    rough = np.random.default_rng(scene + 5).random(SIZE[::-1]).astype(np.float32)
    return (20 if scene % 2 else 120) + 80 * rough


def write_cut_film(path, n_scenes):
    """Write it without loss, in grey; return where."""
    return write_planes(path, "gray", SIZE, _pictures(n_scenes))


def _pictures(n_scenes):
    for index in range(n_scenes * EACH):
        noise = np.random.default_rng(1000 + index).normal(0, 1.5, SIZE[::-1])
        picture = (backdrop(index // EACH) + noise).clip(0, 255).round().astype(np.uint8)
        left = 3 * index % (SIZE[0] - 24)
        picture[30:54, left : left + 24] = 250
        yield [picture]
