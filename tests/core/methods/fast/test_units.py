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


def dark_at(layout, rows, columns, level=4):
    """A vector of grey, and ``level`` of 255 in a part of its luma."""
    v = np.full(layout.n_values, layout.neutral, layout.dtype)
    layout.plane(v, 0)[rows, columns] = level << (layout.bit_depth - 8)
    return v


VIDEO = Layout(48, 64, Planes.YCC420, full_range=False)


@pytest.mark.parametrize(
    "layout", [VIDEO, Layout(49, 63, Planes.GREY, 10, full_range=False), Layout(3, 3, Planes.GREY, full_range=False)]
)
def test_light_counts_from_the_darkest_area_that_was_seen_below_black(layout):
    units = Units(layout)
    black = units.dark
    for level, wanted in ((16, 16), (12, 12), (14, 12), (3, 3), (0, 0), (3, 0)):
        before, v = units.dark, dark_at(layout, slice(0, 12), slice(0, 12), level)
        assert units.reach(v) == before - units.dark
        assert units.dark * layout.white == pytest.approx(wanted << (layout.bit_depth - 8), abs=1e-4)
        assert units.from_zero(v, units.step)[: layout.signed_from].min() >= 0
        assert units.is_nominal == (wanted == 16)
    units.count_from(None)
    assert units.dark == black
    assert units.is_nominal


def test_floats_reach_as_far_as_samples():
    whole, parts, v = Units(VIDEO), Units(VIDEO), dark_at(VIDEO, slice(0, 12), slice(0, 12))
    whole.reach(v)
    parts.reach(v * parts.step)
    assert whole.dark == pytest.approx(parts.dark, abs=1e-7)


@pytest.mark.parametrize(
    "layout",
    [
        Layout(48, 64, Planes.YCC420),
        Layout(48, 64, Planes.RGB),
        Layout(48, 64, Planes.YCC420, full_range=False, used=0.2, pedestal=30),
    ],
    ids=["full range", "RGB", "on a pedestal"],
)
def test_nothing_else_is_reached(layout):
    units, dark = Units(layout), Units(layout).dark
    assert units.reach(np.zeros(layout.n_values, layout.dtype)) == 0
    assert units.dark == dark


@pytest.mark.parametrize(("rows", "columns"), [(10, 10), (10, slice(None)), (slice(None), 17)])
def test_what_is_a_pixel_wide_is_no_area(rows, columns):
    units = Units(VIDEO)
    assert units.reach(dark_at(VIDEO, rows, columns)) == 0
