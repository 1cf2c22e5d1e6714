"""The sample is spread over the whole vector, and what it says of a frame is in units of white, counted from zero."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.fast.pixel_sample import NO_MASK, PixelSample
from core.methods.fast.units import Units

LAYOUTS = {
    "grey": Layout(60, 80, Planes.GREY),
    "4:2:0, odd": Layout(61, 79, Planes.YCC420, full_range=False),
    "16 bits": Layout(60, 80, Planes.GREY, 16),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


def sample(layout, count, seed=0):
    return PixelSample(layout, Units(layout), count, np.random.default_rng(seed))


def zero(layout):
    """Where each value counts from, units of white."""
    out = np.full(layout.n_values, layout.dark / layout.white)
    out[layout.signed_from :] = layout.neutral / layout.white
    return out


@layouts
@pytest.mark.parametrize("count", [1, 500, 10**9])
def test_one_value_is_drawn_from_each_equal_stretch(layout, count):
    index, n = sample(layout, count).index, layout.n_values
    count = min(count, n)
    assert index.size == count
    edges = np.arange(count) * n / count
    assert (index > edges - 1).all()
    assert (index < edges + n / count).all()
    assert (count in {1, n}) or not np.array_equal(index, sample(layout, count, seed=1).index)


@layouts
def test_samples_are_in_white_counted_from_zero_and_floats_are_as_they_are(layout):
    v = np.random.default_rng(0).integers(0, layout.white + 1, layout.n_values).astype(layout.dtype)
    units, drawn = Units(layout), sample(layout, 500)
    expected = (v / layout.white - zero(layout))[drawn.index]
    np.testing.assert_allclose(drawn.of(v, units.scale_of(v)), expected, atol=1e-6)
    floats = (v / layout.white).astype(np.float32)
    np.testing.assert_allclose(drawn.of(floats, units.scale_of(floats)), expected, atol=1e-6)
    np.testing.assert_allclose(units.from_zero(v, units.scale_of(v)), v / layout.white - zero(layout), atol=1e-6)


def test_nothing_is_missing_beyond_white():
    layout = LAYOUTS["grey"]
    drawn = sample(layout, 500)
    W, white = np.ones((1, drawn.size), np.float32), np.ones(drawn.size, np.float32)
    assert not drawn.residual(white, W, np.array([1.7])).any()
    np.testing.assert_allclose(drawn.residual(white, W, np.array([0.4])), 0.6, rtol=1e-6)


def test_pixels_that_a_mask_covers_hardly_count():
    layout = LAYOUTS["grey"]
    drawn = sample(layout, 1000)
    W = np.ones((1, drawn.size), np.float32)
    mask = np.zeros((60, 80), np.uint8)
    mask[:40] = 255
    rows = drawn.index // 80
    seen = np.where(rows < 40, np.float32(0.9), np.float32(0.3))
    found = {}
    for name, hidden in (("mask", mask), ("none", NO_MASK)):
        h = np.array([0.5])
        encoded = drawn.encode(seen, W, h, 0.05, hidden, bounded=True)
        np.testing.assert_array_equal(encoded.covered, (rows < 40) & bool(hidden.size))
        found[name] = h[0]
    assert found["mask"] == pytest.approx(0.3, abs=0.02)
    assert found["none"] == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize("share", [0.6, 0.4])
def test_light_that_changes_at_once_is_found_where_it_explains_more_than_the_light_before(share):
    drawn = sample(LAYOUTS["grey"], 4000)
    W = np.ones((1, drawn.size), np.float32)
    seen = np.where(np.arange(drawn.size) < share * drawn.size, np.float32(0.7), np.float32(0.4))
    h = np.array([0.4])
    drawn.encode(seen, W, h, 0.02, NO_MASK, bounded=True)
    assert h[0] == pytest.approx(0.7 if share > 0.5 else 0.4, abs=0.02)
