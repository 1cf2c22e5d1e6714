import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.clean_plate import MOST, VOTERS, CleanPlate
from tests.core.scene.test_stillest_samples import behind_leaves, layouts, scene


def plate_of(layout, frames, covered=None):
    plate = CleanPlate(layout)
    nothing = np.zeros((layout.height, layout.width), np.uint8)
    for t, v in enumerate(frames):
        plate.offer(v, nothing if covered is None else covered(t), None)
    return plate


@layouts
def test_the_look_that_comes_back_is_the_plate_where_a_mask_knows_nothing(layout):
    made = plate_of(layout, behind_leaves(layout, 150)).samples(scene(layout, 9))
    assert np.abs(made.astype(float) - scene(layout)).mean() < 0.004 * layout.white
    median = np.median(np.stack(list(behind_leaves(layout, 150))), axis=0)
    assert np.abs(median - scene(layout)).mean() > 0.02 * layout.white, "nothing was there to find"


@layouts
def test_a_mask_that_agrees_with_itself_keeps_out_who_stands_there_most_of_the_time(layout):
    thing = np.zeros((layout.height, layout.width), np.uint8)
    thing[20:40, 20:40] = 255

    def frames():
        for t in range(90):
            v = scene(layout)
            if t >= 30:
                v[layout.spread(thing > 0)] = layout.white
            yield v

    plate = plate_of(layout, frames(), lambda t: thing if t >= 30 else np.zeros_like(thing))
    np.testing.assert_array_equal(plate.samples(scene(layout, 9)), scene(layout))
    assert plate.confidence()[30, 30] == pytest.approx(1 / 3)


@layouts
def test_places_that_were_never_seen_show_the_background(layout):
    covered = np.zeros((layout.height, layout.width), np.uint8)
    covered[:20] = 255
    other = scene(layout, 9)
    made = plate_of(layout, [scene(layout)] * 40, lambda t: covered).samples(other)
    hidden = layout.spread(covered > 0)
    np.testing.assert_array_equal(made[hidden], other[hidden])
    np.testing.assert_array_equal(made[~hidden], scene(layout)[~hidden])


def test_without_frames_the_plate_is_the_background():
    layout = Layout(60, 80, Planes.GREY)
    np.testing.assert_array_equal(CleanPlate(layout).samples(scene(layout)), scene(layout))


@layouts
def test_the_noise_of_a_plate_is_the_deviation_of_its_samples(layout):
    rng = np.random.default_rng(0)
    frames = [
        layout.quantise((0.5 + 4 / 255 * rng.standard_normal(layout.n_values)).astype(np.float32)) for _ in range(60)
    ]
    made, noise = plate_of(layout, frames).samples_and_noise(scene(layout))
    assert np.mean(noise) * 255 / layout.white == pytest.approx(4, rel=0.15)
    assert np.abs(made.astype(float) - 0.5 * layout.white).mean() < 1.5 / 255 * layout.white


def test_a_plate_is_as_exact_as_the_median_of_all_the_frames_it_keeps():
    layout, rng = Layout(60, 80, Planes.GREY), np.random.default_rng(0)
    noise = 8.0
    frames = (np.rint(128 + noise * rng.standard_normal(layout.n_values)).astype(np.uint8) for _ in range(MOST))
    error = plate_of(layout, frames).samples(scene(layout)) - 128.0
    of_median, of_rounding = np.sqrt(np.pi / 2 / MOST) * noise, np.sqrt(1 / 12)
    assert MOST > VOTERS
    assert np.sqrt(np.mean(error**2)) < 1.05 * np.hypot(of_median, of_rounding), "of 151 it would be 1.35 times that"
