import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.runtime import stopping
from core.runtime.stopping import StoppedError, stops_when
from core.scene.clean_plate import FEWEST, MOST, VOTERS, CleanPlate
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


@layouts
def test_a_plate_tells_where_the_scene_sways_once_it_has_enough_frames(layout):
    still = plate_of(layout, [scene(layout)] * FEWEST).sways(scene(layout))
    assert still is not None
    assert still.all(), "what does not differ is as it was learnt"
    rng = np.random.default_rng(0)
    passing = [
        scene(layout) if t % 3 else layout.quantise(np.full(layout.n_values, rng.random(), np.float32))
        for t in range(60)
    ]
    found = plate_of(layout, passing).sways(scene(layout))
    assert found is not None
    assert found.mean() < 0.1
    assert plate_of(layout, passing[: FEWEST - 1]).sways(scene(layout)) is None


def test_a_plate_is_as_exact_as_the_median_of_all_the_frames_it_keeps():
    layout, rng = Layout(60, 80, Planes.GREY), np.random.default_rng(0)
    noise = 8.0
    frames = (np.rint(128 + noise * rng.standard_normal(layout.n_values)).astype(np.uint8) for _ in range(MOST))
    error = plate_of(layout, frames).samples(scene(layout)) - 128.0
    of_median, of_rounding = np.sqrt(np.pi / 2 / MOST) * noise, np.sqrt(1 / 12)
    assert MOST > VOTERS
    assert np.sqrt(np.mean(error**2)) < 1.05 * np.hypot(of_median, of_rounding), "of 151 it would be 1.35 times that"


def flat(level, layout):
    return np.full(layout.n_values, level, np.uint8)


def test_what_a_mask_covers_makes_a_plate_more_exact_where_it_looks_like_it():
    layout, rng = Layout(60, 80, Planes.GREY), np.random.default_rng(0)
    frames = [np.rint(128 + 4 * rng.standard_normal(layout.n_values)).astype(np.uint8) for _ in range(100)]
    everything = np.full((60, 80), 255, np.uint8)
    error = plate_of(layout, frames, lambda t: everything * (t % 10 > 0)).samples(scene(layout)) - 128.0
    of_all, of_visible = (np.hypot(np.sqrt(np.pi / 2 / n) * 4, np.sqrt(1 / 12)) for n in (100, 10))
    assert np.sqrt(np.mean(error**2)) < 1.15 * of_all < 0.45 * of_visible


@pytest.mark.parametrize(("brighter", "counts"), [(12, True), (28, False)])
def test_what_a_mask_covers_counts_in_another_light_and_not_as_another_thing(brighter, counts):
    layout = Layout(60, 80, Planes.GREY)
    frames = [flat(100 if t % 3 == 0 else 100 + brighter, layout) for t in range(30)]
    made = plate_of(layout, frames, lambda t: np.full((60, 80), 255 * (t % 3 > 0), np.uint8)).samples(scene(layout))
    assert set(made) == {100 + brighter if counts else 100}


@pytest.mark.parametrize(("share", "counts"), [(0.4, False), (0.7, True)])
def test_what_a_mask_covers_counts_only_with_most_of_its_surroundings(share, counts):
    layout, rng = Layout(60, 80, Planes.GREY), np.random.default_rng(0)

    def frames():
        for t in range(60):
            like_the_wall = rng.random(layout.n_values) < share
            yield flat(100, layout) if t % 4 == 0 else np.where(like_the_wall, 110, 220).astype(np.uint8)

    made = plate_of(layout, frames(), lambda t: np.full((60, 80), 255 * (t % 4 > 0), np.uint8)).samples(scene(layout))
    assert np.mean(made == (110 if counts else 100)) > 0.9


@pytest.mark.parametrize(("others", "believed"), [(44, True), (60, False)])
def test_a_mask_is_believed_where_most_of_what_it_lets_be_seen_looks_like_the_plate(others, believed):
    layout = Layout(60, 80, Planes.GREY)
    dark = round(0.54 * (100 - others))
    # Two brighter looks, neither of which is seen as often as the plate's.
    bright = [130] * (others // 2) + [160] * (others // 2)
    frames = [flat(level, layout) for level in [80] * dark + [100] * (100 - others - dark) + bright]
    made = plate_of(layout, frames).samples(scene(layout))
    assert set(made) == {100 if believed else 80}, "the median of all, or of what looks like the plate"


def test_what_moves_while_it_is_seen_counts_less():
    layout, rng = Layout(60, 80, Planes.GREY), np.random.default_rng(0)

    def frames():
        for t in range(100):
            v = flat(100, layout)
            if t % 10 >= 3:  # Leaves of one colour before the lower half.
                v[layout.n_values // 2 :] = rng.choice([194, 206], layout.n_values // 2)
            yield v

    made = plate_of(layout, frames()).samples(scene(layout))
    assert np.mean(made == 100) > 0.95, "but for the border of the leaves"


def test_the_median_of_what_is_visible_takes_masks_for_the_truth():
    layout = Layout(60, 80, Planes.GREY)
    left = np.zeros((60, 80), np.uint8)
    left[:, :40] = 255
    plate = plate_of(layout, [flat(100 + t, layout) for t in range(11)], lambda t: left)
    made = plate.median_of_visible(flat(7, layout)).reshape(60, 80)
    assert set(made[:, :40].ravel()) == {7}
    assert set(made[:, 40:].ravel()) == {105}


@pytest.mark.parametrize("asked", [1, 50, 120, 180])
def test_it_can_be_stopped_at_any_row_and_is_as_it_was(asked):
    layout, n_asked = Layout(120, 160, Planes.GREY), []
    plate = plate_of(layout, behind_leaves(layout, 20))
    whole = plate.samples(scene(layout, 9))

    def wanted():
        n_asked.append(0)
        return len(n_asked) >= asked

    with pytest.raises(StoppedError), stops_when(wanted):
        plate.samples(scene(layout, 9))
    assert len(n_asked) == asked
    np.testing.assert_array_equal(plate.samples(scene(layout, 9)), whole)


@layouts
def test_looked_at_again_frames_show_what_their_new_masks_let_be_seen_but_not_what_was_never_in_them(layout):
    shape, beyond = (layout.height, layout.width), np.zeros((layout.height, layout.width), np.uint8)
    beyond[:, :16] = 1
    plate = CleanPlate(layout)
    for t in range(20):
        plate.offer(scene(layout), np.full(shape, 255, np.uint8), None, beyond if t % 2 else None, 7 + t)
    assert not plate.confidence().any()
    asked = []

    def covered(index, values):
        asked.append(index)
        stopping.check()
        out = np.zeros(shape, np.uint8)
        out[:10] = 255
        return out

    with pytest.raises(StoppedError), stops_when(lambda: len(asked) == 9):
        plate.look_again(covered)
    assert not plate.confidence().any(), "it is as it was"
    asked.clear()
    plate.look_again(covered)
    assert asked == list(range(7, 27))
    seen = plate.confidence()
    assert (seen[:10] == 0).all()
    np.testing.assert_allclose(seen[10:, :16], 0.5)
    assert (seen[10:, 16:] == 1).all()


@pytest.mark.parametrize(("n", "n_last", "left"), [(8, 3, 5), (8, 0, 8), (8, 20, 0), (9, 3, 6), (20, 1, 5), (20, 4, 4)])
def test_frames_that_came_last_are_forgotten_whatever_their_index(n, n_last, left):
    layout = Layout(6, 8, Planes.GREY)
    plate = CleanPlate(layout, 9 * layout.n_bytes)
    nothing = np.zeros(layout.shapes[0], np.uint8)
    for t in range(n):  # Somebody has sought back.
        plate.offer(np.full(layout.n_values, t, np.uint8), nothing, None, index=n - t)
    plate.forget_last(n_last)
    assert plate.n_frames == left
    looked_at = []
    plate.look_again(lambda index, v: looked_at.append((index, int(v[0]))) or nothing)
    assert all(t < n - n_last and index == n - t for index, t in looked_at)
