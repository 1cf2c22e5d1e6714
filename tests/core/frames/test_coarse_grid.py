import numpy as np
import pytest

from core.frames.coarse_grid import MOST_COLUMNS, MOST_ROWS, Grid


@pytest.mark.parametrize("size", [(1, 1), (60, 80), (MOST_ROWS, 500), (MOST_ROWS + 1, 401), (1080, 1920), (200, 20000)])
def test_a_grid_has_at_most_so_many_rows_and_columns_and_its_maps_cover_the_frame(size):
    grid = Grid(*size)
    assert grid.shape[0] <= MOST_ROWS
    assert grid.shape[1] <= MOST_COLUMNS
    assert grid.shape == np.zeros(size)[:: grid.step, :: grid.step].shape
    assert (grid.step == 1) == (size[0] <= MOST_ROWS and size[1] <= MOST_COLUMNS)
    found = np.zeros(grid.shape, np.uint8)
    found[-1, -1] = 1
    spread = grid.spread(found)
    assert spread.shape == size
    assert spread[-1, -1] == 1
    assert spread.sum() == pytest.approx(grid.step**2, abs=3 * grid.step)
