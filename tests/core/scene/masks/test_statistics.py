import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.masks.cells import CellGrid, Cells
from core.scene.masks.statistics import SOME, CellStatistics
from core.scene.tuning import MEMORY, NOISE
from tests.core.scene.masks.learning import learn

LAYOUT = Layout(32, 48, Planes.GREY)
SHAPE = (16, 24)
NOTHING = np.full(SHAPE, -12, np.float32)
STILL = np.zeros(SHAPE, np.float32)
NO_PLANE = np.empty((0, 0), np.uint8)


def cells_of(square):
    maps = np.zeros((3, *SHAPE), np.float32)
    return Cells(
        maps, maps, maps, np.broadcast_to(np.asarray(square, np.float32), maps.shape).copy(), (NO_PLANE,) * 2, 2
    )


def known(n=0, square=9.0, logit=NOTHING):
    statistics = CellStatistics(CellGrid(LAYOUT))
    for _ in range(n):
        learn(statistics, cells_of(square), STILL, logit, None)
    return statistics


def test_before_anything_is_learnt_the_noise_is_what_is_expected():
    assert known().typical_noise == pytest.approx(NOISE)


def test_the_typical_noise_is_the_median_of_every_third_row_and_column():
    statistics = known()
    statistics.variance[0] = 900
    statistics.variance[0, ::SOME, ::SOME] = np.arange(1, 49).reshape(6, 8) ** 2
    assert (SOME, statistics.typical_noise) == (3, 25)


@pytest.mark.parametrize("noise", [2.0, 9.0])
def test_it_learns_the_noise_where_nothing_hides_the_background(noise):
    logit = NOTHING.copy()
    logit[:, 12:] = 12
    found = np.sqrt(known(400, noise**2, logit).variance)
    np.testing.assert_allclose(found[:, :, :12], noise, rtol=0.02)
    np.testing.assert_allclose(found[:, :, 12:], NOISE, rtol=0.02)


def test_what_passes_once_hardly_counts():
    statistics = known(400, 4.0)
    learn(statistics, cells_of(1e6), STILL, NOTHING, None)
    assert statistics.typical_noise < 2.2


def test_unrest_and_cover_are_learnt_within_their_memory():
    statistics, covered, before = known(100, 4.0), NOTHING.copy(), STILL.copy()
    covered[:, :6] = 12
    before[8:] = 20  # These cells show 0, after 20 in the frame before.
    square = np.full(SHAPE, 4.0)
    square[8:] = 1e4
    for _ in range(4 * MEMORY):
        learn(statistics, cells_of(square), before, covered, None)
    assert statistics.unrest[:8].max() < 0.1
    np.testing.assert_allclose(statistics.unrest[8:], 20, rtol=0.05)
    assert statistics.cover[:, :6].min() > 0.9
    assert statistics.cover[:, 6:].max() < 0.01
    assert statistics.usual[8:].min() > 4 * statistics.usual[:8].max()


def test_cells_that_a_frame_does_not_show_learn_nothing():
    statistics, unseen = known(50), np.zeros(SHAPE, np.uint8)
    unseen[:, :6] = 255
    before = statistics.state()
    for _ in range(20):
        learn(statistics, cells_of(100.0), STILL + 9, NOTHING, unseen)
    for name in ("variance", "usual", "unrest"):
        np.testing.assert_array_equal(statistics.state()[name][..., :6], before[name][..., :6], name)
        assert (statistics.state()[name][..., 6:] != before[name][..., 6:]).any(), name


def test_noise_begins_anew_where_it_is_told_and_what_else_is_known_stays():
    logit = NOTHING.copy()
    logit[:4] = 12
    statistics = known(50, 1.0, logit)
    cover = statistics.cover.copy()
    statistics.begin_noise(np.full(LAYOUT.shapes[0], 3, np.float32))
    np.testing.assert_allclose(np.sqrt(statistics.variance), 3, rtol=1e-5)
    np.testing.assert_array_equal(statistics.cover, cover)
    statistics.begin_noise(np.full(LAYOUT.shapes[0], 100, np.float32))
    assert statistics.typical_noise == pytest.approx(NOISE), "more has to be learnt"


@pytest.mark.parametrize(("height", "width"), [(1081, 1921), (578, 702), (241, 321)])
def test_noise_comes_to_the_cells_in_which_it_was_measured(height, width):
    grid = CellGrid(Layout(height, width, Planes.GREY))
    statistics, scale = CellStatistics(grid), np.ones((height, width), np.float32)
    i, j = (n - 3 for n in grid.shape)
    scale[i * grid.side : (i + 1) * grid.side, j * grid.side : (j + 1) * grid.side] = 4
    statistics.begin_noise(scale)
    wanted = np.ones(grid.shape)
    wanted[i, j] = 4
    np.testing.assert_allclose(statistics.deviation, wanted, rtol=1e-5)


def test_by_how_much_the_plate_is_left_is_kept_whole_and_is_no_state():
    statistics = known()
    assert statistics.deviation is None
    for scale, wanted in ((40, 40), (0.2, 1)):
        statistics.begin_noise(np.full(LAYOUT.shapes[0], scale, np.float32))
        np.testing.assert_allclose(statistics.deviation, wanted, rtol=1e-5)
    assert "deviation" not in statistics.state()
    statistics.load(known(5).state())
    assert statistics.deviation is None


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_noise_is_no_less_than_was_learnt_where_the_scene_was_mostly_seen(share):
    statistics, learnt = known(400, 12.0**2), np.sqrt(known(400, 12.0**2).variance)
    statistics.cover[:, 12:] = share
    statistics.begin_noise(np.full(LAYOUT.shapes[0], 2, np.float32))
    found = np.sqrt(statistics.variance)
    np.testing.assert_allclose(found[:, :, :12], learnt[:, :, :12], rtol=1e-5)
    np.testing.assert_allclose(found[:, :, 12:], 2 if share > 0.3 else learnt[:, :, 12:], rtol=1e-5)


def test_noise_that_was_learnt_is_kept_where_the_background_is_known_to_sway():
    statistics, learnt = known(400, 12.0**2), np.sqrt(known(400, 12.0**2).variance)
    statistics.cover[:] = 0.4
    sways = np.zeros((LAYOUT.height, LAYOUT.width), np.bool_)
    sways[:, : LAYOUT.width // 2] = True
    statistics.begin_noise(np.full(LAYOUT.shapes[0], 2, np.float32), sways)
    found, half = np.sqrt(statistics.variance), SHAPE[1] // 2
    np.testing.assert_allclose(found[:, :, :half], learnt[:, :, :half], rtol=1e-5)
    np.testing.assert_allclose(found[:, :, half:], 2, rtol=1e-5)


def test_a_state_is_a_copy_and_goes_on():
    first, second = known(70, 16.0), known()
    assert second.load(first.state())
    for statistics in (first, second):
        learn(statistics, cells_of(30.0), STILL, NOTHING, None)
    for name, array in first.state().items():
        np.testing.assert_array_equal(second.state()[name], array, name)


def test_a_state_of_other_arrays_is_told_and_changes_nothing():
    statistics = known(5)
    before = statistics.state()
    other = CellStatistics(CellGrid(Layout(64, 48, Planes.GREY))).state()
    for wrong in ({}, {"unrest": np.ones(SHAPE), "variance0": np.ones(SHAPE)}, other, {**before, "usual": np.ones(3)}):
        assert not statistics.load(wrong)
    for name, array in statistics.state().items():
        np.testing.assert_array_equal(array, before[name], name)


def test_what_is_known_moves_with_the_scene_to_the_nearest_cell():
    statistics = known()
    statistics.begin_noise(np.ones(LAYOUT.shapes[0], np.float32))

    def planes():
        return *statistics.variance, statistics.usual, statistics.unrest, statistics.cover, statistics.deviation

    for plane in planes():
        plane[5, 7] = 77
    statistics.move(4, -6)
    for plane in planes():
        assert np.argwhere(plane == 77).tolist() == [[7, 4]]
