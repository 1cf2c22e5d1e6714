import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.masks.cells import CellGrid, Cells
from core.scene.masks.statistics import INITIAL_NOISE, MEMORY, CellStatistics

LAYOUT = Layout(32, 48, Planes.GREY)
SHAPE = (16, 24)
NOTHING = np.full(SHAPE, -12, np.float32)
NO_PLANE = np.empty((0, 0), np.uint8)


def cells_of(square):
    maps = np.zeros((3, *SHAPE), np.float32)
    return Cells(maps, maps, maps, np.broadcast_to(np.asarray(square, np.float32), maps.shape).copy(), (NO_PLANE,) * 2)


def known(n=0, square=9.0, logit=NOTHING):
    statistics = CellStatistics(CellGrid(LAYOUT))
    for _ in range(n):
        statistics.learn(cells_of(square), logit, None)
    return statistics


def test_before_anything_is_learnt_the_noise_is_what_is_expected():
    assert known().typical_noise == pytest.approx(INITIAL_NOISE)


@pytest.mark.parametrize("noise", [2.0, 9.0])
def test_it_learns_the_noise_where_nothing_hides_the_background(noise):
    logit = NOTHING.copy()
    logit[:, 12:] = 12
    found = np.sqrt(known(400, noise**2, logit).variance)
    np.testing.assert_allclose(found[:, :, :12], noise, rtol=0.02)
    np.testing.assert_allclose(found[:, :, 12:], INITIAL_NOISE, rtol=0.02)


def test_what_passes_once_hardly_counts():
    statistics = known(400, 4.0)
    statistics.learn(cells_of(1e6), NOTHING, None)
    assert statistics.typical_noise < 2.2


def test_noise_flicker_and_cover_are_learnt_within_their_memory():
    statistics, covered = known(100, 4.0), NOTHING.copy()
    covered[:, :6] = 12
    for t in range(4 * MEMORY):
        square = np.full(SHAPE, 4.0)
        square[8:] = 1e4 * (t % 2)
        statistics.learn(cells_of(square), covered, None)
    assert statistics.flicker[:8].max() < 0.01
    assert statistics.flicker[8:].min() > 0.5
    assert statistics.cover[:, :6].min() > 0.9
    assert statistics.cover[:, 6:].max() < 0.01
    assert statistics.usual[8:].min() > 4 * statistics.usual[:8].max()


def test_cells_that_a_frame_does_not_show_learn_nothing():
    statistics, unseen = known(50), np.zeros(SHAPE, np.uint8)
    unseen[:, :6] = 255
    before = statistics.state()
    for t in range(20):
        statistics.learn(cells_of(100.0 * (t % 2)), NOTHING, unseen)
    for name in ("variance", "usual", "flicker"):
        np.testing.assert_array_equal(statistics.state()[name][..., :6], before[name][..., :6], name)
        assert (statistics.state()[name][..., 6:] != before[name][..., 6:]).any(), name


def test_noise_that_is_forgotten_leaves_what_else_is_known():
    logit = NOTHING.copy()
    logit[:4] = 12
    statistics = known(50, 1.0, logit)
    cover = statistics.cover.copy()
    statistics.forget_noise()
    assert statistics.typical_noise == pytest.approx(INITIAL_NOISE)
    np.testing.assert_array_equal(statistics.cover, cover)


def test_a_state_is_a_copy_and_goes_on():
    first, second = known(70, 16.0), known()
    assert second.load(first.state())
    for statistics in (first, second):
        statistics.learn(cells_of(30.0), NOTHING, None)
    for name, array in first.state().items():
        np.testing.assert_array_equal(second.state()[name], array, name)


def test_a_state_of_other_arrays_is_told_and_changes_nothing():
    statistics = known(5)
    before = statistics.state()
    other = CellStatistics(CellGrid(Layout(64, 48, Planes.GREY))).state()
    for wrong in ({}, {"flicker": np.ones(SHAPE), "variance0": np.ones(SHAPE)}, other, {**before, "usual": np.ones(3)}):
        assert not statistics.load(wrong)
    for name, array in statistics.state().items():
        np.testing.assert_array_equal(array, before[name], name)


def test_what_is_known_moves_with_the_scene_to_the_nearest_cell():
    statistics = known()
    for plane in (*statistics.variance, statistics.usual, statistics.flicker, statistics.cover):
        plane[5, 7] = 77
    statistics.move(4, -6)
    for plane in (*statistics.variance, statistics.usual, statistics.flicker, statistics.cover):
        assert np.argwhere(plane == 77).tolist() == [[7, 4]]
