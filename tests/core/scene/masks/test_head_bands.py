"""How the head's work is shared between cores."""

import numpy as np
import pytest

from core.kernels.cell_features import BLOCK, N
from core.scene.masks.head_bands import BAND_ROWS, LINE, BandRooms, bands_of


@pytest.mark.parametrize("at_once", [2, 3, 4, 8])
@pytest.mark.parametrize(
    ("full", "rows"), [((47, 49), (0, 68)), ((60, 67), (2, 68)), ((0, 3), (0, 68)), ((0, 68), (0, 68))]
)
def test_no_band_is_mostly_what_it_does_for_others(at_once, full, rows):
    active = np.zeros((68, 120), np.uint8)
    active[slice(*rows), 7] = 1
    active[slice(*full)] = 1
    cut = bands_of(active, at_once)
    assert [0, *(stop for _, stop in cut)] == [*(start for start, _ in cut), 68]
    assert len(cut) == 1 or min(active[start:stop].any(axis=1).sum() for start, stop in cut) >= BAND_ROWS
    assert len(cut) <= at_once
    assert len(cut) == min(at_once, 5) or full != (0, 68), "of 68 rows 12 each at least"


@pytest.mark.parametrize("shape", [(3, 5), (120, 160), (31, 77)])
def test_the_activations_of_a_cell_lie_in_one_line_of_a_cache(shape):
    rooms = BandRooms((-(-shape[0] // BLOCK), -(-shape[1] // BLOCK)))
    rooms.divide(2)
    maps = [x for k in range(2) for x in rooms.of_band(k)[1:]]
    assert LINE == 4 * N
    assert [x.ctypes.data % LINE for x in maps] == [0] * 4
    assert all(x.flags.c_contiguous and not x.any() for x in maps)
