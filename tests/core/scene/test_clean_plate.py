import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.runtime import stopping
from core.runtime.stopping import StoppedError, stops_when
from core.scene.clean_plate import CleanPlate
from core.scene.plate_frame import FEWEST
from tests.core.scene.test_stillest_samples import layouts, scene


def plate_of(layout, frames, covered=None):
    plate = CleanPlate(layout)
    nothing = np.zeros((layout.height, layout.width), np.uint8)
    for t, v in enumerate(frames):
        plate.offer(v, nothing if covered is None else covered(t), None)
    return plate


def flat(level, layout):
    return np.full(layout.n_values, level, np.uint8)


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


@pytest.mark.parametrize(
    ("levels", "stillest"), [((200, 100, 30), 30), ((200, 100, 100, 200, 30), 100), ((100, 100, 200, 200, 30), 100)]
)
def test_the_first_frame_counts_as_no_stiller_than_the_second_shows_it_to_be(levels, stillest):
    layout = Layout(60, 80, Planes.GREY)
    assert set(plate_of(layout, [flat(level, layout) for level in levels]).samples(flat(7, layout))) == {stillest}


def test_without_frames_the_plate_is_the_background():
    layout = Layout(60, 80, Planes.GREY)
    np.testing.assert_array_equal(CleanPlate(layout).samples(scene(layout)), scene(layout))


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


@layouts
def test_looked_at_again_frames_show_what_their_new_masks_let_be_seen_but_not_what_was_never_in_them(layout):
    shape, beyond = (layout.height, layout.width), np.zeros((layout.height, layout.width), np.uint8)
    beyond[:, :16] = 1
    plate = CleanPlate(layout)
    for t in range(20):
        plate.offer(scene(layout), np.full(shape, 255, np.uint8), None, beyond if t % 2 else None, 7 + t)
    assert not plate.confidence().any()
    asked = []

    def covered(frame):
        asked.append(frame.index)
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


@layouts
@pytest.mark.parametrize("by", [15, 100])
def test_a_plate_goes_on_without_what_was_there_before_a_part_has_changed(layout, by):
    part = np.zeros((layout.height, layout.width), bool)
    part[10:30, 20:40] = True

    def other(v):
        return np.where(layout.spread(part), np.minimum(v + by * layout.white // 255, layout.white), v).astype(v.dtype)

    plate = CleanPlate(layout)
    nothing = np.zeros(part.shape, np.uint8)
    for t in range(30):
        v = scene(layout)
        if t >= 20:
            v = other(v)
        plate.offer(v, nothing, None, None, 7 + t)
    before = plate.until(27)
    plate.forget_before(27, part)
    assert (before.n_frames, plate.n_frames) == (20, 30)
    np.testing.assert_array_equal(before.samples(scene(layout, 9)), scene(layout))
    np.testing.assert_array_equal(plate.samples(scene(layout, 9)), other(scene(layout)))
    plate.look_again(lambda _: nothing)
    assert (plate.confidence() == 1).all(), "of the part, the frames since count alone"
    plate.look_again(lambda frame: np.full(part.shape, 255 * (frame.index >= 32), np.uint8))
    np.testing.assert_allclose(plate.confidence(), np.where(part, 1 / 2, 5 / 6), rtol=1e-6)
    plate.forget_before(100, part)
    np.testing.assert_allclose(plate.confidence(), np.where(part, 0, 5 / 6), rtol=1e-6)
    assert (before.confidence() == 1).all()


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
    plate.look_again(lambda frame: looked_at.append((frame.index, int(frame.values[0]))) or nothing)
    assert all(t < n - n_last and index == n - t for index, t in looked_at)


@pytest.mark.parametrize("n_more", [0, 3, 40])
def test_what_hid_the_scene_is_restored_at_some_pixels_of_frames_that_are_still_kept(n_more):
    layout = Layout(6, 8, Planes.GREY)
    plate, nothing = CleanPlate(layout, 9 * layout.n_bytes), np.zeros(layout.shapes[0], np.uint8)

    def offer(n):
        for _ in range(n):
            plate.offer(np.zeros(layout.n_values, np.uint8), nothing, None)

    offer(6)
    then = plate.hidden()
    plate.discard(nothing == 0)
    offer(n_more)
    hidden = 1 - plate.confidence()
    left = nothing.astype(bool)
    left[:, :4] = True
    CleanPlate(layout).restore(then, left)
    plate.restore(CleanPlate(layout).hidden(), left)
    np.testing.assert_array_equal(1 - plate.confidence(), hidden, "of another plate")
    plate.restore(then, left)
    np.testing.assert_array_equal(1 - plate.confidence(), np.where(left, 0, hidden))
    assert hidden.all(), "something was there to restore"


@pytest.mark.parametrize(
    ("n_photographs", "n_offered", "n_kept"), [(12, 12, 12), (24, 24, 24), (40, 40, 20), (0, 12, 6)]
)
def test_photographs_are_kept_beyond_the_budget_up_to_a_number(n_photographs, n_offered, n_kept):
    layout = Layout(20, 30, Planes.GREY)
    plate = CleanPlate(layout, 1, n_photographs)
    for t in range(n_offered):
        plate.offer(flat(t, layout), np.zeros((20, 30), np.uint8), None)
    assert plate.n_frames == n_kept
