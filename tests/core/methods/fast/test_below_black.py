"""Films at video levels whose shadows lie below black: cameras use all of the range and say that they do not."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.fast.rows import FAST
from core.methods.fast.units import Units

LAYOUTS = {
    "4:2:0": Layout(60, 80, Planes.YCC420, full_range=False),
    "4:2:0, odd": Layout(61, 79, Planes.YCC420, full_range=False),
    "grey": Layout(60, 80, Planes.GREY, full_range=False),
    "10 bits": Layout(60, 80, Planes.YCC420, 10, full_range=False),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
DARK = 4
"""What the shadow shows, grey levels of 255: black is 16."""


def unit(layout):
    """Samples of a grey level of 255."""
    return 1 << (layout.bit_depth - 8)


def shadow(layout):
    """Where (F,) the shadow lies: the lower left of luma."""
    where = np.zeros(layout.n_values, np.bool_)
    layout.plane(where, 0)[layout.height // 2 :, : layout.width // 2] = True
    return where


def scene(layout, dark=DARK, seed=0):
    """A textured scene (F,) with a shadow, samples."""
    out = np.random.default_rng(seed).uniform(60, 180, layout.n_values) * unit(layout)
    out[layout.signed_from :] = layout.neutral
    out[shadow(layout)] = dark * unit(layout)
    return out


def clip(layout, n, dark=DARK, seed=1, gain=lambda t: 1.0):
    """Yield the scene with noise of a grey level, n times; ``gain`` is that of its light."""
    rng, still = np.random.default_rng(seed), scene(layout, dark)
    for t in range(n):
        v = still.copy()
        v[: layout.signed_from] *= gain(t)
        v += unit(layout) * rng.standard_normal(v.size)
        yield np.rint(v).clip(0, layout.white).astype(layout.dtype)


def build(layout, **chosen):
    return FAST.build(layout, {**FAST.defaults(), **chosen}, 0)


def error(split, layout, dark=DARK):
    """Mean error of the background in the shadow, grey levels."""
    wrong = np.abs(split.samples(layout)[shadow(layout)].astype(float) - dark * unit(layout))
    return float(wrong.mean()) / unit(layout)


class Floored(Units):
    """Counts from black for ever."""

    def reach(self, v):
        return np.float32(0)


@layouts
@pytest.mark.parametrize("warm_up", [5, 240])
def test_a_shadow_below_black_is_learnt_and_the_dictionary_is_nonnegative(layout, warm_up):
    method = build(layout, warm_up=warm_up)
    for v in clip(layout, 60):
        split = method.step(v)
        assert method.W[: layout.signed_from].min() >= 0
        assert error(split, layout) < 1.5
    assert error(method.transform(v), layout) < 1


def test_counting_from_black_for_ever_misses_it(monkeypatch):
    monkeypatch.setattr("core.methods.fast.nmf.Units", Floored)
    layout = LAYOUTS["4:2:0"]
    method = build(layout)
    for v in clip(layout, 60):
        split = method.step(v)
    assert error(split, layout) > 10


@layouts
def test_a_shadow_that_falls_later_is_learnt(layout):
    """The first frames need not show the darkest level; what was learnt before goes on."""
    method = build(layout, warm_up=10, memory=10, learn_every=1)
    for v in clip(layout, 60, dark=20):
        split = method.step(v)
    assert error(split, layout, 20) < 1
    lit = ~shadow(layout)
    before = split.background
    for t, v in enumerate(clip(layout, 300, seed=2)):
        split = method.step(v)
        assert method.W[: layout.signed_from].min() >= 0
        assert np.linalg.norm(method.W, axis=0).max() <= 1 + 1e-4
        assert np.abs(split.background - before)[lit].mean() < 2 / 255, t
    assert error(split, layout) < 1.5


@layouts
def test_a_scene_below_black_is_learnt_after_black(layout):
    method = build(layout, warm_up=5)
    black = np.full(layout.n_values, layout.neutral, layout.dtype)
    black[: layout.signed_from] = layout.black
    for _ in range(20):
        method.step(black)
    for v in clip(layout, 60):
        split = method.step(v)
        assert np.isfinite(method.W).all()
    assert error(split, layout) < 1.5


@layouts
def test_all_black_that_sinks_is_followed(layout):
    method = build(layout, warm_up=5)
    v = np.full(layout.n_values, layout.neutral, layout.dtype)
    for level in (16, 12, 12, 3):
        v[: layout.signed_from] = level * unit(layout)
        for _ in range(40):
            split = method.step(v.copy())
    assert np.abs(split.samples(layout).astype(float) - v).max() <= unit(layout)
    assert np.isfinite(method.W).all()
    assert method.W[: layout.signed_from].min() >= 0


@layouts
def test_light_on_a_scene_with_a_shadow_below_black_is_followed_in_the_same_frame(layout):
    method = build(layout)
    for v in clip(layout, 60):
        method.step(v)
    dimmed = next(iter(clip(layout, 1, seed=3, gain=lambda _: 0.6)))
    split = method.step(dimmed)
    assert np.abs(split.samples(layout).astype(float) - dimmed)[: layout.signed_from].mean() < 4 * unit(layout)


@layouts
def test_a_film_that_stays_at_or_above_black_gives_the_very_same(layout, monkeypatch):
    frames = list(clip(layout, 40, dark=24))
    frames[0][0] = layout.black
    method, runs = build(layout, warm_up=10), []
    monkeypatch.setattr("core.methods.fast.nmf.Units", Floored)
    for one in (method, build(layout, warm_up=10)):
        runs.append(([one.step(v).samples(layout) for v in frames], one.state()))
    (backgrounds, state), (others, other) = runs
    assert state.keys() == other.keys()
    for a, b in zip([*backgrounds, *state.values()], [*others, *other.values()], strict=True):
        np.testing.assert_array_equal(a, b)


@layouts
def test_single_samples_below_black_are_no_shadow(layout):
    """Compression rings about edges, and sensors have dead pixels."""
    method = build(layout)
    for v in clip(layout, 20, dark=40):
        layout.plane(v, 0)[10, ::8] = 0
        method.step(v)
    assert "dark" not in method.state()
    assert method.W[: layout.signed_from].min() >= 0


@layouts
def test_a_state_that_counts_from_below_black_goes_on(layout):
    first, second = build(layout, warm_up=10), build(layout, warm_up=10)
    for v in clip(layout, 40):
        first.step(v)
    state = first.state()
    FAST.schema(layout, first.values).check(state)
    assert 0 <= state["dark"][0] < layout.black / layout.white
    second.load(state)
    np.testing.assert_array_equal(first.transform(v).background, second.transform(v).background)
    np.testing.assert_array_equal(second.state()["dark"], state["dark"])


@layouts
def test_a_state_that_counts_from_black_is_loaded_by_a_method_that_counts_from_below(layout):
    lit, dark = build(layout, warm_up=10), build(layout, warm_up=10)
    for v, other in zip(clip(layout, 30, dark=24), clip(layout, 30), strict=True):
        lit.step(v)
        dark.step(other)
    dark.load(lit.state())
    np.testing.assert_array_equal(lit.transform(v).background, dark.transform(v).background)
    assert "dark" not in dark.state()


@layouts
@pytest.mark.parametrize("warm_up", [5, 240])
def test_a_plate_below_black_is_background_at_once(layout, warm_up):
    method = build(layout, warm_up=warm_up)
    for v in clip(layout, 30, dark=24):
        method.step(v)
    plate, where = next(iter(clip(layout, 1))), shadow(layout)
    method.overwrite_background(plate, where)
    assert error(method.transform(plate), layout) < 1.5
    assert error(method.step(plate), layout) < 1.5
    assert method.W[: layout.signed_from].min() >= 0
