"""The kernel that keeps the stillest looks, against the obvious version."""

import numpy as np
import pytest

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout, Planes
from core.kernels import stillest_samples

LAYOUTS = [
    Layout(1, 1, Planes.YCC420), Layout(60, 80, Planes.GREY), Layout(31, 17, Planes.RGB, 16),
    Layout(61, 81, Planes.YCC420), Layout(420, 34, Planes.YCC420), Layout(601, 35, Planes.YCC420),
    Layout(600, 34, Planes.RGB),
]  # fmt: skip


def keep_slowly(change, v, layout, step, least, looks):
    """Each sample goes with the point of the grid in which its pixel lies; of four pixels, the first."""
    worst = least.argmax(axis=0)
    stiller = change < least.max(axis=0)
    least[worst[stiller], *np.nonzero(stiller)] = change[stiller]
    for plane, (height, width) in enumerate(layout.shapes):
        part = 2 if plane and layout.planes is Planes.YCC420 else 1
        i, j = np.mgrid[:height, :width] * part // step
        taken = stiller[i, j]
        rows, columns = np.nonzero(taken)
        at = layout.slices[plane].start + rows * width + columns
        looks[worst[i, j][taken], at] = v[at]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda one: f"{one.height}x{one.width} {one.planes.value}")
@pytest.mark.parametrize("n_bands", [1, 5])
def test_looks_are_those_of_the_obvious_version_in_whatever_order_bands_come(layout, n_bands):
    rng, grid = np.random.default_rng(0), Grid(layout.height, layout.width)
    least = np.full((3, *grid.shape), 255, np.uint8)
    looks = np.zeros((3, layout.n_values), layout.dtype)
    expected = least.copy(), looks.copy()
    edges = np.linspace(0, grid.shape[0], n_bands + 1).astype(int)
    for n in range(8):
        change = rng.integers(0, 40, grid.shape, np.uint8)
        v = rng.integers(0, layout.white + 1, layout.n_values).astype(layout.dtype)
        for band in rng.permutation(n_bands):
            stillest_samples.keep_band(
                edges[band], edges[band + 1], change, v, (layout.height, layout.width),
                layout.planes is Planes.YCC420, grid.step, least, looks,
            )  # fmt: skip
        keep_slowly(change, v, layout, grid.step, *expected)
        np.testing.assert_array_equal(least, expected[0], f"frame {n}")
        np.testing.assert_array_equal(looks, expected[1], f"frame {n}")
