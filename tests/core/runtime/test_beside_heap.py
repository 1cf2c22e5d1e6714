"""Large arrays that live long have memory beside the heap, which goes back with them."""

import sys
from pathlib import Path

import numpy as np
import pytest

from core.runtime.beside_heap import LARGE_BYTES, kept
from core.runtime.memory import resident_mib

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells where memory lies")


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("n", [10, LARGE_BYTES, LARGE_BYTES + 1001])
def test_what_is_kept_is_what_was_given(dtype, n):
    given = [np.full(n, 300 * k, np.int64).astype(dtype) for k in range(5)]
    for k, copy in enumerate([kept(v) for v in given]):
        np.testing.assert_array_equal(copy, given[k])
        assert copy.dtype == dtype
        assert copy.flags.writeable
        assert np.shares_memory(copy, given[k]) == (given[k].nbytes < LARGE_BYTES)


@on_linux
def test_it_does_not_lie_in_the_heap_even_where_that_has_room():
    holes = [np.ones(6 << 20, np.uint8) for _ in range(10)]
    holes.clear()
    copy = kept(np.ones(LARGE_BYTES, np.uint8))
    lines = Path("/proc/self/maps").read_text("ascii").splitlines()
    ranges = [(line.split(), *(int(edge, 16) for edge in line.split()[0].split("-"))) for line in lines]
    (fields,) = [fields for fields, start, stop in ranges if start <= copy.ctypes.data < stop]
    assert len(fields) == 5, "of no file, and not the heap"
    assert fields[1] == "rw-p"


def test_memory_goes_back_with_what_was_kept():
    before = resident_mib()
    arrays = [kept(np.ones(8 << 20, np.uint8)) for _ in range(20)]
    assert resident_mib() > before + 150
    arrays.clear()
    assert resident_mib() < before + 30
