"""What the head says of cells, at the pixels that they have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.frames.frame import Layout, Planes
from core.frames.motion import Motion, Shift
from core.scene.masks.cell_logits import CellLogits
from core.scene.masks.cells import CellGrid


@given(st.integers(16, 90), st.integers(16, 90), st.integers(1, 32), st.data())
def test_a_pixel_is_as_probable_as_the_cell_that_it_was_measured_in(height, width, asked, data):
    grid = CellGrid(Layout(height, width, Planes.GREY), asked)
    rows, columns = grid.shape
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    of_cells = np.full(grid.shape, -4, np.float32)
    of_cells[row, column] = 4
    found = CellLogits(of_cells, grid.side).probability(height, width)
    there = np.zeros((height, width), bool)
    there[row * grid.side : (row + 1) * grid.side, column * grid.side : (column + 1) * grid.side] = True
    np.testing.assert_allclose(found, np.where(there, 1 / (1 + np.exp(-4)), 1 / (1 + np.exp(4))), rtol=1e-6)


def test_it_moves_by_pixels_whatever_part_of_a_cell_the_frame_ends_in():
    of_cells = np.zeros((4, 7), np.float32)  # 100 by 200 pixels: the last cells of 32 reach beyond.
    of_cells[1, 3] = 5
    moved = CellLogits(of_cells, 32).moved(Motion(Shift(-32.0, 64.0)))
    assert np.unravel_index(moved.of_cells.argmax(), of_cells.shape) == (2, 1)
    np.testing.assert_array_equal(np.sort(moved.of_cells, axis=None), np.sort(of_cells, axis=None))


@pytest.mark.parametrize("logit", [-1e30, -200.0, 200.0, 1e30])
def test_what_is_certain_is_a_number(logit):
    found = CellLogits(np.full((2, 2), logit, np.float32), 2).probability(4, 4)
    np.testing.assert_allclose(found, float(logit > 0), atol=1e-30)
