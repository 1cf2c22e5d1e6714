import numpy as np
import pytest

from core.frames.coarse_grid import Coarse, Grid
from core.frames.frame import Layout, Planes
from core.scene.masks.activity import FLICKER_MEMORY, Activity
from core.scene.masks.detection import Detection, Labels

SIZE = (64, 96)
LAYOUT = Layout(*SIZE, Planes.GREY)


def nothing():
    return np.zeros(SIZE, np.uint8)


def found_with(raw, near, covered=None):
    planes = [nothing()] * 3
    covered = near if covered is None else covered
    return Detection(nothing(), covered, near, raw, nothing(), planes, planes, Coarse(Grid(*SIZE), planes, planes))


def test_flicker_is_the_share_of_pixels_that_change_sides_away_from_foreground():
    activity, raw, near = Activity(LAYOUT), nothing(), nothing()
    raw[8:16, 8:12] = 255  # Half a block, and as much of another that foreground is near.
    raw[8:16, 40:44] = near[:, 32:64] = 255
    activity.learn(found_with(raw, near), Labels(nothing(), nothing()), 1)
    state, rate = activity.state(), 1 / FLICKER_MEMORY
    expected = np.zeros((8, 12))
    expected[1, 1] = 0.5 * rate
    np.testing.assert_allclose(state["flicker"], expected, atol=1e-7)
    np.testing.assert_allclose(state["cover"][:, 4:8], rate, atol=1e-7)
    assert not np.delete(state["cover"], np.s_[4:8], axis=1).any()


def test_gaps_that_were_closed_hide_changes_from_the_next_frame_on():
    raw, covered = nothing(), nothing()
    raw[8:16, 8:12] = covered[8:16, 8:16] = 255
    now, later = Activity(LAYOUT), Activity(LAYOUT)
    now.learn(found_with(raw, nothing(), covered), Labels(nothing(), nothing()), 1)
    assert now.state()["flicker"].any()
    later.learn(found_with(nothing(), nothing()), found_with(raw, nothing(), covered).labels, 1)
    assert not later.state()["flicker"].any()


@pytest.mark.parametrize("sways", [False, True])
def test_things_keep_passing_where_foreground_covers_a_place_often_that_does_not_sway(sways):
    activity, near, rng = Activity(LAYOUT), nothing(), np.random.default_rng(0)
    before = Labels(nothing(), nothing())
    for t in range(40):
        near[:] = 255 * (t % 4 == 0)
        raw = (255 * (rng.random(SIZE) < 0.5 * sways)).astype(np.uint8)
        found = found_with(raw, near.copy())
        activity.learn(found, before, 1)
        before = found.labels
    assert not activity.is_passed.any(), "it was not asked"
    activity.find_passed()
    assert activity.is_passed.all() != sways
    assert activity.is_passed.any() != sways


def test_a_state_goes_on_and_moves_with_the_scene():
    activity, raw, other = Activity(LAYOUT), nothing(), Activity(LAYOUT)
    raw[8:16, 8:16] = 255
    activity.learn(found_with(raw, raw.copy()), Labels(nothing(), nothing()), 1)
    other.load(activity.state())
    other.move(16, -8)
    np.testing.assert_array_equal(np.argwhere(other.state()["cover"]), [[3, 0]])
    np.testing.assert_array_equal(np.argwhere(activity.state()["cover"]), [[1, 1]])
