"""Large vectors that live long have memory beside the heap, and that of one is used again by another."""

from itertools import pairwise

import numpy as np
import pytest

from core.runtime import heap
from core.runtime.memory import resident_mib
from core.runtime.slots import LARGE, Slots


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_copies_are_what_was_given_and_apart_from_each_other(dtype):
    slots, expected = Slots(LARGE, dtype), [np.full(LARGE, 300 * k, np.int64).astype(dtype) for k in range(50)]
    given = [v.copy() for v in expected]
    kept = [slots.keep(v) for v in given]
    for v in given:
        v[:] = 7
    for copy, wanted in zip(kept, expected, strict=True):
        np.testing.assert_array_equal(copy, wanted)
        assert copy.dtype == dtype
    assert not any(np.shares_memory(a, b) for a, b in pairwise(kept))


def test_what_was_released_is_used_again():
    slots = Slots(LARGE, np.uint8)
    kept = [slots.keep(np.full(LARGE, k, np.uint8)) for k in range(5)]
    slots.release(kept[2])
    again = slots.keep(np.full(LARGE, 9, np.uint8))
    assert np.shares_memory(again, kept[2])
    assert [int(kept[k][0]) for k in (0, 1, 3, 4)] == [0, 1, 3, 4]


@pytest.mark.parametrize("n_values", [LARGE, heap.OWN_MAPPING // 3, heap.OWN_MAPPING, 2 * heap.OWN_MAPPING])
def test_blocks_are_mapped_by_themselves_and_no_larger_than_they_have_to_be(n_values):
    block = Slots(n_values, np.uint8).keep(np.zeros(n_values, np.uint8)).base
    assert heap.OWN_MAPPING <= block.nbytes < heap.OWN_MAPPING + n_values


def test_small_vectors_stay_where_they_are():
    slots, v = Slots(1000, np.uint8), np.zeros(1000, np.uint8)
    assert slots.keep(v) is v
    slots.release(v)
    assert slots.keep(other := v.copy()) is other


def test_memory_is_taken_as_it_is_written_to():
    before, slots = resident_mib(), Slots(1 << 20, np.uint8)
    kept = [slots.keep(np.zeros(1 << 20, np.uint8)) for _ in range(4)]
    assert resident_mib() - before < 4 * len(kept)
