"""Smaller pictures and single pixels: the same as of the whole picture."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.frames.reduce import halved, pixel

LAYOUTS = [
    Layout(37, 50, Planes.GREY, 16),
    Layout(36, 51, Planes.RGB),
    Layout(38, 52, Planes.YCC420, full_range=False, matrix="bt709"),
    Layout(37, 51, Planes.YCC420, 10, full_range=False),
]


def samples(layout, seed=0):
    return np.random.default_rng(seed).integers(0, layout.white + 1, layout.n_values).astype(layout.dtype)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_pixel_is_that_of_the_whole_picture(layout):
    values = samples(layout)
    picture = layout.image(values)
    for y in (0, 1, 2, 9, 18, layout.height - 2, layout.height - 1):
        for x in (0, 1, 5, 20, 33, layout.width - 2, layout.width - 1):
            np.testing.assert_array_equal(pixel(values, layout, x, y), picture[y, x], err_msg=f"at {x}, {y}")


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_halving_averages_each_plane_over_areas(layout):
    values = samples(layout)
    small, smaller = halved(values, layout, 1)
    assert (smaller.height, smaller.width) == (layout.height // 2, layout.width // 2)
    assert small.size == smaller.n_values
    assert small.dtype == layout.dtype
    even = layout.plane(values, 0)[: smaller.height * 2, : smaller.width * 2].astype(float)
    means = even.reshape(smaller.height, 2, smaller.width, 2).mean((1, 3))
    assert np.abs(smaller.plane(small, 0) - means).max() <= 0.75
    first_only = even[::2, ::2]
    assert np.abs(smaller.plane(small, 0) - first_only).max() > 0.75, "a pixel was skipped"


def test_halving_goes_on_down_to_one_pixel_and_nothing_is_done_for_zero():
    layout = LAYOUTS[2]
    values = samples(layout)
    assert halved(values, layout, 0)[0] is values
    small, smaller = halved(values, layout, 9)
    assert min(smaller.height, smaller.width) == 1
    assert smaller.image(small).shape[:2] == (smaller.height, smaller.width)
