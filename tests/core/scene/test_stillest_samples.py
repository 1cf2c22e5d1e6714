import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.clean_plate import CleanPlate
from core.scene.stillest_samples import StillestSamples

LAYOUTS = {
    "grey": Layout(60, 80, Planes.GREY),
    "RGB": Layout(60, 80, Planes.RGB),
    "4:2:0": Layout(61, 81, Planes.YCC420),
    "16 bits": Layout(60, 80, Planes.GREY, 16),
    "on a grid of every third": Layout(600, 80, Planes.GREY),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


def scene(layout, seed=0):
    """A textured scene, in whole samples."""
    rng = np.random.default_rng(seed)
    return layout.quantise((0.2 + 0.3 * rng.random(layout.n_values)).astype(np.float32))


def behind_leaves(layout, n, seed=1, seen=2):
    """The scene, of which half is hidden by something that changes all the time, but for a few frames of each ten."""
    still, rng = scene(layout), np.random.default_rng(seed)
    hidden = np.zeros((layout.height, layout.width), bool)
    hidden[layout.height // 2 :] = True
    hidden = layout.spread(hidden)
    for t in range(n):
        v = still.copy()
        if t % 10 >= seen:  # some frames in a row show it
            v[hidden] = layout.quantise(rng.random(hidden.sum()).astype(np.float32))
        yield v


def keep(layout, frames):
    still, plate = StillestSamples(layout), CleanPlate(layout)
    nothing = np.zeros((layout.height, layout.width), np.uint8)
    for v in frames:
        still.offer(v)
        plate.offer(v, nothing, None)
    return still, plate


@layouts
def test_a_plate_of_samples_that_do_not_agree_shows_what_is_there_when_all_is_still(layout):
    still, plate = keep(layout, behind_leaves(layout, 150))
    made = plate.samples(scene(layout, 9))
    mended = still.fill_unreliable(made, plate.noise(made))
    unit = layout.white / 255
    error = np.abs(mended.astype(float) - scene(layout)) / unit
    below = layout.spread(np.arange(layout.height * layout.width).reshape(layout.height, -1) // layout.width)
    far = below > layout.height * 0.6
    assert error[far].mean() < 1
    assert np.abs(made.astype(float) - scene(layout))[far].mean() / unit > 10, "nothing was there to mend"
    np.testing.assert_array_equal(mended[below < layout.height * 0.4], made[below < layout.height * 0.4])


@layouts
def test_a_plate_whose_samples_agree_stays(layout):
    still, plate = keep(layout, [scene(layout)] * 40)
    made = plate.samples(scene(layout))
    assert plate.noise(made).max() == 0
    np.testing.assert_array_equal(still.fill_unreliable(made, plate.noise(made)), made)


@layouts
def test_places_that_no_sample_has_taken_yet_fill_nothing(layout):
    frames = list(behind_leaves(layout, 4))
    still, plate = keep(layout, frames)
    made = plate.samples(frames[0])
    noise = np.full((layout.height, layout.width), 0.5 * layout.white, np.float32)
    np.testing.assert_array_equal(still.fill_unreliable(made, noise), made)
    assert still.better(made, noise) is None


def test_before_any_frame_a_plate_stays():
    layout = LAYOUTS["grey"]
    plate = scene(layout)
    assert StillestSamples(layout).fill_unreliable(plate, np.full((60, 80), 99, np.float32)) is plate


@layouts
def test_the_noise_of_a_plate_is_the_deviation_of_its_samples(layout):
    rng, level = np.random.default_rng(0), 0.5
    frames = [
        layout.quantise((level + 4 / 255 * rng.standard_normal(layout.n_values)).astype(np.float32)) for _ in range(60)
    ]
    _, plate = keep(layout, frames)
    made = plate.samples(scene(layout))
    assert np.mean(plate.noise(made)) * 255 / layout.white == pytest.approx(4, rel=0.15)


def test_what_was_hidden_does_not_count_to_the_noise():
    layout = LAYOUTS["grey"]
    plate, covered = CleanPlate(layout), np.zeros((60, 80), np.uint8)
    for t in range(30):
        v = np.full(layout.n_values, 100, np.uint8)
        covered[:] = 0
        if t % 3 == 0:
            v[:800], covered[:10] = 8 * t, 255
        plate.offer(v, covered.copy(), None)
    assert plate.noise(plate.samples(np.zeros(layout.n_values, np.uint8))).max() == 0


@layouts
def test_a_background_of_what_mostly_passes_is_in_doubt_however_quiet_it_seems(layout):
    still, _ = keep(layout, behind_leaves(layout, 150, seen=3))
    quiet = np.zeros((layout.height, layout.width), np.float32)
    assert still.better(scene(layout), quiet) is None, "what is right stays"
    values, where = still.better(scene(layout, 9), quiet)
    assert where[int(0.6 * layout.height) :].mean() > 0.9
    assert not where[: int(0.4 * layout.height)].any(), "where nothing passes there is no doubt"
    seen = layout.spread(where)
    assert np.abs(values.astype(float) - scene(layout))[seen].mean() < 0.01 * layout.white


@layouts
def test_who_stands_still_for_most_of_the_time_does_not_become_background(layout):
    def stands():
        for t in range(150):
            v = scene(layout)
            if t > 20:
                v[layout.spread(np.arange(layout.n_pixels).reshape(layout.height, -1) % 80 < 20)] = layout.white
            yield v

    still, _ = keep(layout, stands())
    assert still.better(scene(layout), np.zeros((layout.height, layout.width), np.float32)) is None
