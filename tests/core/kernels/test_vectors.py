"""Instructions that are written by hand know where numbers lie, and take no others."""

import numpy as np
import pytest
from numba import config, njit
from numba.core.errors import NumbaError

from core.kernels.cell_features import AROUND
from core.kernels.cell_features import ROWS as ROWS_AROUND
from core.kernels.instructions import BROAD, HIGH, LANES, ROWS
from core.kernels.vectors import copy_around, copy_tile

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="kernels are not compiled here")


@njit
def first_tile(x, out):
    copy_tile(x, np.uint64(0), np.uint64(x.shape[1]), out, np.uint64(0))


def test_a_tile_of_a_map_that_lies_in_rows_is_copied():
    x, out = np.arange(6.0 * 40).reshape(6, 40).astype(np.float32), np.zeros(ROWS * LANES, np.float32)
    first_tile(x, out)
    np.testing.assert_array_equal(out.reshape(ROWS, LANES), x[:ROWS, :LANES])


@njit
def around(x, out):
    copy_around(x, np.uint64(1 * x.shape[1] + 2), np.uint64(x.shape[1]), np.float32(3), out)


def test_a_tile_and_what_lies_around_it_is_copied_less_a_number():
    x, out = np.arange(12.0 * 40).reshape(12, 40).astype(np.float32), np.zeros(HIGH * BROAD, np.float32)
    around(x, out)
    assert (HIGH, BROAD) == (ROWS_AROUND, AROUND)
    np.testing.assert_array_equal(out.reshape(HIGH, BROAD), x[1 : 1 + HIGH, 2 : 2 + BROAD] - 3)


@compiled
@pytest.mark.parametrize("changed", [np.asfortranarray, lambda x: x[:, ::2], lambda x: x.astype(np.float64)])
def test_arrays_of_another_layout_or_type_are_refused(changed):
    x = changed(np.zeros((6, 40), np.float32))
    with pytest.raises(NumbaError, match="side by side"):
        first_tile(x, np.zeros(ROWS * LANES, np.float32))
