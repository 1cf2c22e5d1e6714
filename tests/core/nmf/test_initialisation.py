"""A dictionary begins with a plate and shadings of it."""

import numpy as np
import pytest
from scipy.optimize import nnls

from core.frames.frame import Layout, Planes
from core.nmf.initialisation import WAVES, shaded_dictionary, shading
from core.runtime import bands


@pytest.mark.parametrize("planes", [Planes.GREY, Planes.RGB, Planes.YCC420])
@pytest.mark.parametrize(("height", "width"), [(3, 2), (5, 7), (721, 1279)])
def test_each_column_is_the_plate_in_the_light_of_its_shading_with_norm_one(planes, height, width):
    layout = Layout(height, width, planes)
    plate = np.random.default_rng(0).random(layout.n_values).astype(np.float32)
    assert height < 9 or layout.n_values > bands.SHORT
    for k, column in enumerate(shaded_dictionary(plate, layout, 7)):
        wanted = (plate + 1e-4) * shading(layout, k).astype(np.float64)
        np.testing.assert_allclose(column, wanted / np.linalg.norm(wanted), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("k", range(8))
def test_shadings_are_smooth_and_lie_between_dark_and_light(k):
    layout = Layout(48, 64, Planes.GREY)
    field = shading(layout, k).reshape(48, 64)
    assert field.min() >= 0
    assert field.max() <= 1
    assert max(np.abs(np.diff(field, axis=axis)).max() for axis in (0, 1)) < 0.15
    assert (np.ptp(field) > 0.9) == (k > 0)


@pytest.mark.parametrize("wave", [np.s_[:, None], np.s_[None, :]], ids=["down", "across"])
@pytest.mark.parametrize("much", [0.9, -0.9])
def test_light_may_grow_and_fade_at_every_end_of_the_picture(wave, much):
    layout = Layout(12, 12, Planes.GREY)
    ramp = np.cos(np.pi * (np.arange(12) + 0.5) / 12)[wave]
    wanted = 1 + much * np.broadcast_to(ramp, (12, 12))
    shadings = np.stack([shading(layout, k) for k in range(1 + len(WAVES))], axis=1)
    _, missed = nnls(shadings.astype(np.float64), wanted.ravel())
    assert missed < 1e-4


def test_no_shading_is_twice_among_those_of_high_ranks():
    shadings = np.stack([shading(Layout(24, 32, Planes.GREY), k) for k in range(60)])
    apart = np.abs(shadings[:, None] - shadings[None]).max(axis=2)
    assert (apart + np.eye(60) > 0.1).all()
