import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.frames.planar import PlanarPicture


@pytest.mark.parametrize("planes", Planes)
def test_what_shrinks_is_the_mean_of_all_that_a_new_pixel_covers(planes):
    large, small = Layout(24, 40, planes), Layout(6, 10, planes)
    samples = np.random.default_rng(0).integers(0, 256, large.n_values, np.uint8)
    found = PlanarPicture(samples, large).resized(6, 10)
    assert found.layout == small
    for index, (height, width) in enumerate(small.shapes):
        expected = large.plane(samples, index).reshape(height, 4, width, 4).mean(axis=(1, 3))
        np.testing.assert_allclose(small.plane(found.samples, index), expected, atol=0.6)


def test_what_grows_is_interpolated():
    ramp = np.tile(np.arange(0, 200, 20, np.uint8), (4, 1))
    found = PlanarPicture(ramp.ravel(), Layout(4, 10, Planes.GREY)).resized(8, 20)
    steps = np.diff(found.image.astype(int), axis=1)[:, 1:-1]
    np.testing.assert_array_equal(steps, 10)
