"""Whoever shows progress hears that kernels are being compiled."""

import threading

import numpy as np
import pytest
from numba import njit

from core.runtime.compiling import compiling_told_to


def test_compiling_is_told_of_as_it_begins_on_any_thread_and_only_where_it_is_done():
    @njit
    def inner(x):
        return 2 * x

    @njit
    def outer(x):
        return inner(x) + 1

    told = []
    with compiling_told_to(told.append):
        thread = threading.Thread(target=outer, args=(1,))
        thread.start()
        thread.join()
        assert len(told) == 2, "the kernel and the one that it calls"
        assert told == sorted(told)
        assert outer(2) == 5
        assert len(told) == 2, "it is compiled by now"
        outer(2.0)
        assert len(told) == 4
        assert told[2] >= told[1] > 0
    outer(1j)
    assert len(told) == 4, "heard of outside the block"


@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_samples_of_another_type_are_compiled_for_anew_and_that_is_told_too(dtype):
    @njit
    def total(values):
        return values.sum()

    total(np.ones(3, np.uint8))
    told = []
    with compiling_told_to(told.append):
        total(np.ones(4, np.uint8))
        assert not told
        total(np.ones(3, dtype))
    assert told
