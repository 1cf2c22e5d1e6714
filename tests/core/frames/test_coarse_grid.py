import numpy as np
import pytest

from core.frames.coarse_grid import MOST_ROWS, Coarse, Grid


@pytest.mark.parametrize("size", [(1, 1), (60, 80), (MOST_ROWS, 500), (MOST_ROWS + 1, 401), (1080, 1920)])
def test_a_grid_has_at_most_so_many_rows_and_its_maps_cover_the_frame(size):
    grid = Grid(*size)
    assert grid.shape[0] <= MOST_ROWS
    assert grid.shape == np.zeros(size)[:: grid.step, :: grid.step].shape
    assert (grid.step == 1) == (size[0] <= MOST_ROWS)
    found = np.zeros(grid.shape, np.uint8)
    found[-1, -1] = 1
    spread = grid.spread(found)
    assert spread.shape == size
    assert spread[-1, -1] == 1
    assert spread.sum() == pytest.approx(grid.step**2, abs=3 * grid.step)


def test_both_pictures_are_seen_in_a_box_with_their_chroma_at_the_points_of_the_grid():
    size = (400, 600)
    grid, blue = Grid(*size), np.add.outer(np.arange(200), np.arange(300)).astype(np.uint16)
    now, known = ([np.zeros(size, np.uint16), blue + by, np.zeros((0, 0), np.uint16)] for by in (1, 0))
    pictures = Coarse(grid, now, known)
    pictures.now[0][:], pictures.known[0][:] = 7, 5
    planes = list(pictures.planes(np.s_[10:20, 30:50]))
    assert len(planes) == 2, "an empty plane is none"
    assert (planes[0][0] == 7).all()
    assert (planes[0][1] == 5).all()
    assert (planes[1][0] - planes[1][1] == 1).all()
    expected = blue[np.ix_(np.arange(10, 20), np.arange(30, 50))]
    np.testing.assert_array_equal(planes[1][1], expected)
