import numpy as np
import pytest

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout, Planes
from core.scene.surroundings import AROUND, change_around, luma_on, mean_around, mostly

SHAPE = (20, 30)
HALF = AROUND // 2


def mean_slowly(values):
    """Borders are reflected."""
    padded = np.pad(values.astype(float), HALF, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (AROUND, AROUND))
    return windows.mean(axis=(2, 3))


@pytest.mark.parametrize(("dtype", "contrast"), [(np.uint8, 255), (np.uint8, 64), (np.uint16, 65535), (np.uint16, 900)])
def test_change_is_the_mean_difference_of_the_surroundings_either_way(dtype, contrast):
    rng = np.random.default_rng(0)
    now, before = (rng.integers(0, contrast + 1, SHAPE).astype(dtype) for _ in range(2))
    found = change_around(now, before, contrast)
    expected = mean_slowly(abs(now.astype(int) - before)) * 255 / contrast
    assert found.dtype == np.uint8
    np.testing.assert_allclose(found, expected, atol=0.51 * (1 + 255 / contrast))
    assert np.abs(mean_slowly(now.astype(int) - before)).max() * 255 / contrast < found.min(), "not of opposite signs"


def test_change_beyond_the_contrast_is_255():
    now, before = np.full(SHAPE, 3000, np.uint16), np.zeros(SHAPE, np.uint16)
    assert (change_around(now, before, 900) == 255).all()


def test_most_is_more_than_half_of_the_surroundings():
    where = np.zeros(SHAPE, bool)
    where[:, :10] = True
    found = mostly(where)
    assert found[:, :10].all()
    assert not found[:, 10:].any()
    where[::2, 10:] = True  # Half of them, but for the odd number of rows.
    np.testing.assert_array_equal(mostly(where), mean_slowly(where) > 0.5)


def test_a_single_point_is_no_majority():
    where = np.zeros(SHAPE, bool)
    where[10, 15] = True
    assert not mostly(where).any()
    assert np.count_nonzero(mean_around(where.astype(np.float32)) > 1e-4) == AROUND**2


def test_luma_on_the_grid_is_green_of_rgb_and_a_view():
    layout = Layout(600, 40, Planes.RGB)
    grid, v = Grid(600, 40), np.arange(600 * 40 * 3).astype(np.uint8)
    found = luma_on(grid, layout, v)
    assert found.shape == grid.shape
    np.testing.assert_array_equal(found, layout.plane(v, 1)[:: grid.step, :: grid.step])
    assert np.shares_memory(found, v)
