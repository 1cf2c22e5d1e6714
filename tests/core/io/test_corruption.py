import contextlib
import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Planes, Truth
from core.io.corruption import KINDS, PARAMETERS, Corruption
from core.io.input_spec import InputSpec
from core.io.sources import open_source

LAYOUTS = [Layout(90, 120, planes, depth) for planes in Planes for depth in (8, 10, 16)]


def frame_of(layout, index=0, level=0.4):
    values = np.full(layout.n_values, round(level * layout.white), layout.dtype)
    return Frame(index, 0.0, values, layout)


def changed_pixels(frame):
    luma = frame.layout.slices[0]
    return frame.values[luma] != frame.truth.clean[luma]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_density_is_kept_and_the_truth_remembers(kind, layout):
    for density in (0.0, 0.1, 0.6, 1.0):
        before = frame_of(layout)
        kept = before.values.copy()
        after = Corruption(kind, density, seed=3, scale=60.0, low=40, high=90).apply(before)
        np.testing.assert_array_equal(before.values, kept)
        np.testing.assert_array_equal(after.truth.clean, kept)
        assert (after.values.dtype, after.values.shape) == (kept.dtype, kept.shape)
        assert after.values.max() <= layout.white
        assert changed_pixels(after).mean() == pytest.approx(density, abs=0.03)


@pytest.mark.parametrize("kind", KINDS)
def test_noise_depends_on_seed_and_frame_alone(kind):
    layout = Layout(40, 50, Planes.GREY)
    first = Corruption(kind, 0.3, 1).apply(frame_of(layout, 5)).values
    np.testing.assert_array_equal(first, Corruption(kind, 0.3, 1).apply(frame_of(layout, 5)).values)
    assert (first != Corruption(kind, 0.3, 2).apply(frame_of(layout, 5)).values).any()
    assert (first != Corruption(kind, 0.3, 1).apply(frame_of(layout, 6)).values).any()


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_is_corrupted_the_same_way_in_whatever_range_it_is_read(kind):
    corruption = Corruption(kind, 0.3, seed=3, share=0.5)
    spec = InputSpec("sample:street", corruption=corruption, seed=3)
    with contextlib.closing(open_source(spec)) as whole:
        expected = [*itertools.islice(whole.frames(), 8)][4:]
    with contextlib.closing(open_source(replace(spec, frames=(5, 8)))) as part:
        found = [*part.frames()]
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one.truth.clean, other.truth.clean)
        np.testing.assert_array_equal(one.values, other.values)


def test_salt_and_pepper_are_black_and_white_in_equal_parts():
    after = Corruption("salt-and-pepper", 0.5).apply(frame_of(Layout(200, 200, Planes.RGB)))
    hit = after.layout.image(after.values)[changed_pixels(after).reshape(200, 200)]
    assert set(hit.ravel()) == {0, 255}
    assert (hit.max(axis=1) == hit.min(axis=1)).all()
    assert (hit[:, 0] == 255).mean() == pytest.approx(0.5, abs=0.02)


def test_salt_and_pepper_of_video_stay_within_its_levels():
    after = Corruption("salt-and-pepper", 0.5).apply(frame_of(Layout(64, 64, Planes.YCC420, 10, full_range=False)))
    luma = after.values[after.layout.slices[0]]
    assert set(luma[changed_pixels(after)]) == {64, 940}
    shown = after.layout.grey().image(luma)
    assert (shown.min(), shown.max()) == (0, 1023)


def test_occlusion_is_one_grey_block_of_the_size_asked_for():
    places = set()
    for index in range(20):
        after = Corruption("occlusion", 0.25).apply(frame_of(Layout(80, 120, Planes.YCC420), index))
        rows, columns = np.nonzero(changed_pixels(after).reshape(80, 120))
        assert (rows.max() - rows.min() + 1, columns.max() - columns.min() + 1) == (40, 60)
        places.add((int(rows.min()), int(columns.min())))
        assert len(set(after.values[: 80 * 120][changed_pixels(after)])) == 1
        assert (after.values[after.layout.slices[1]] == 128).sum() >= 20 * 30
    assert len(places) > 15


def test_laplace_has_its_scale():
    after = Corruption("laplace", 1.0, scale=10).apply(frame_of(Layout(300, 300, Planes.GREY, 16)))
    noise = (after.values.astype(float) - after.truth.clean) / (65535 / 255)
    assert np.abs(noise).mean() == pytest.approx(10, rel=0.03)
    assert noise.std() == pytest.approx(10 * 2**0.5, rel=0.03)  # Gaussian noise of that mean size has 12.5


def test_uniform_adds_between_its_bounds_and_is_clipped_at_white():
    after = Corruption("uniform", 0.5, low=20, high=50).apply(frame_of(Layout(200, 200, Planes.GREY)))
    added = (after.values.astype(int) - after.truth.clean)[changed_pixels(after)]
    assert (added.min(), added.max()) == (20, 50)
    assert added.mean() == pytest.approx(35, abs=0.5)
    bright = Corruption("uniform", 1.0, low=153, high=255).apply(frame_of(Layout(20, 20, Planes.GREY), level=0.8))
    assert set(bright.values) == {255}


def test_share_of_the_images_is_left_alone():
    corruption = Corruption(density=0.5, share=0.3)
    hit = [changed_pixels(corruption.apply(frame_of(Layout(9, 9, Planes.GREY), i))).any() for i in range(400)]
    assert np.mean(hit) == pytest.approx(0.3, abs=0.07)


def test_mask_is_kept():
    mask = np.full((4, 4), 255, np.uint8)
    layout = Layout(4, 4, Planes.GREY)
    frame = Frame(0, 0.0, np.zeros(16, np.uint8), layout, Truth(mask, np.ones(16, np.uint8)))
    truth = Corruption().apply(frame).truth
    assert truth.mask is mask
    np.testing.assert_array_equal(truth.clean, frame.values)


@pytest.mark.parametrize(
    "wrong", [{"kind": "rain"}, {"density": 1.5}, {"share": -0.1}, {"seed": -1}, {"low": 90, "high": 40}, {"scale": -1}]
)
def test_values_out_of_range_are_one_sentence(wrong):
    with pytest.raises(CleanplateError, match=r"^\w+ cannot be .*\.$"):
        Corruption(**wrong)


def test_form_and_object_agree():
    assert Corruption.from_values({}) == Corruption()
    assert Corruption.from_values({"kind": "laplace", "scale": 12}).scale == 12
    assert all(p.help and p.default == p.check(p.default) for p in PARAMETERS)
