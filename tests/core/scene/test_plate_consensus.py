"""Which looks of a scene are its plate, seen through the plates that are made of them."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.runtime.stopping import StoppedError, stops_when
from tests.core.scene.test_clean_plate import flat, plate_of
from tests.core.scene.test_stillest_samples import behind_leaves, layouts, scene


@layouts
def test_the_look_that_comes_back_is_the_plate_where_a_mask_knows_nothing(layout):
    made = plate_of(layout, behind_leaves(layout, 150)).samples(scene(layout, 9))
    assert np.abs(made.astype(float) - scene(layout)).mean() < 0.004 * layout.white
    median = np.median(np.stack(list(behind_leaves(layout, 150))), axis=0)
    assert np.abs(median - scene(layout)).mean() > 0.02 * layout.white, "nothing was there to find"


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


def test_a_pixel_of_what_hides_the_scene_does_not_count_for_a_point_of_the_grid_beside_it():
    layout = Layout(600, 80, Planes.GREY)
    wall, box, mask = (np.full((600, 80), level, np.uint8) for level in (100, 200, 0))
    box[:301] = wall[:301]  # The grid has every third row: that at 300 shows the wall, and stands for 301 as well.
    mask[295:] = 255
    frames = [wall.ravel()] * 20 + [box.ravel()] * 40
    made = plate_of(layout, frames, lambda t: mask * (t >= 20)).samples(flat(7, layout))
    assert set(made) == {100}


def masked_but(shown, n, other=200):
    """Return the levels of a plate of ``n`` frames, of which masks let only those be seen that show another thing."""
    layout = Layout(60, 80, Planes.GREY)
    frames = [flat(other if t in shown else 100 + 3 * (t % 5), layout) for t in range(n)]
    covered = [np.full((60, 80), 0 if t in shown else 255, np.uint8) for t in range(n)]
    return set(plate_of(layout, frames, covered.__getitem__).samples(scene(layout)))


@pytest.mark.parametrize(
    ("n", "n_shown", "is_doubted"),
    [(3, 1, True), (12, 1, True), (12, 2, False), (100, 1, True), (100, 2, False)],
)
def test_masks_are_doubted_that_let_one_frame_alone_be_seen_where_most_others_show_one_look(n, n_shown, is_doubted):
    made = masked_but(range(n_shown), n)
    assert made <= set(range(100, 113)) if is_doubted else made == {200}


def test_masks_are_believed_that_let_one_frame_alone_be_seen_where_others_show_no_one_look():
    layout = Layout(60, 80, Planes.GREY)
    frames = [flat(level, layout) for level in (200, *range(10, 175, 15))]
    made = plate_of(layout, frames, lambda t: np.full((60, 80), 255 * (t > 0), np.uint8)).samples(scene(layout))
    assert set(made) == {200}
