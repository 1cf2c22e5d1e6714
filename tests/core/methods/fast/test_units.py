"""Long vectors are converted in bands, and each value as it is alone."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.fast.units import Units
from core.runtime import bands


@pytest.mark.parametrize("planes", [Planes.GREY, Planes.YCC420])
@pytest.mark.parametrize("full_range", [True, False])
def test_what_lies_behind_the_luma_counts_from_the_neutral_sample(planes, full_range):
    layout = Layout(721, 1279, planes, full_range=full_range)
    units, v = Units(layout), np.random.default_rng(0).integers(0, 256, layout.n_values).astype(np.uint8)
    assert v.size > bands.SHORT
    places = np.arange(v.size)
    np.testing.assert_array_equal(units.from_zero(v, units.step), v * units.step - units.zero_at(places))


def test_light_counts_from_the_pedestal_that_was_measured():
    layout = Layout(6, 8, Planes.YCC420, 10, full_range=False, used=0.2, pedestal=300)
    units, v = Units(layout), np.full(layout.n_values, 300, np.uint16)
    light = units.from_zero(v, units.step)[: layout.signed_from]
    np.testing.assert_allclose(light, 0, atol=1e-7)
