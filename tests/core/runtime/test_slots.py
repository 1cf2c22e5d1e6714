"""Copies that live long have memory beside the heap, and that of one is used again by another."""

from itertools import pairwise

import numpy as np
import pytest

from core.runtime import heap
from core.runtime.memory import resident_mib
from core.runtime.slots import LARGE, Slots


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_copies_are_what_was_given_and_apart_from_each_other(dtype):
    rng, slots = np.random.default_rng(0), Slots(1000, dtype)
    given = [rng.integers(0, np.iinfo(dtype).max, 1000).astype(dtype) for _ in range(50)]
    kept = [slots.copy(v) for v in given]
    for v in given:
        v[:] = 0
    rng = np.random.default_rng(0)
    for copy in kept:
        np.testing.assert_array_equal(copy, rng.integers(0, np.iinfo(dtype).max, 1000).astype(dtype))
        assert copy.dtype == dtype
    assert not any(np.shares_memory(a, b) for a, b in pairwise(kept))


def test_what_was_released_is_used_again():
    slots = Slots(1000, np.uint8)
    copies = [slots.copy(np.full(1000, k, np.uint8)) for k in range(5)]
    slots.release(copies[2])
    again = slots.copy(np.full(1000, 9, np.uint8))
    assert np.shares_memory(again, copies[2])
    assert [int(copies[k][0]) for k in (0, 1, 3, 4)] == [0, 1, 3, 4]


@pytest.mark.parametrize("n_values", [LARGE, heap.OWN_MAPPING // 3, heap.OWN_MAPPING, 2 * heap.OWN_MAPPING])
def test_blocks_are_mapped_by_themselves_and_no_larger_than_they_have_to_be(n_values):
    block = Slots(n_values, np.uint8).copy(np.zeros(n_values, np.uint8)).base
    assert heap.OWN_MAPPING <= block.nbytes < heap.OWN_MAPPING + n_values


def test_small_vectors_take_no_more_than_they_need():
    assert Slots(1000, np.uint16).copy(np.zeros(1000, np.uint16)).base.nbytes == 2000


def test_memory_is_taken_as_it_is_written_to():
    before, slots = resident_mib(), Slots(1 << 20, np.uint8)
    copies = [slots.copy(np.zeros(1 << 20, np.uint8)) for _ in range(4)]
    assert resident_mib() - before < 4 * len(copies)
