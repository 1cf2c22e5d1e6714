import numpy as np
import pytest

from core.frames.decimated_history import Thinned


@pytest.mark.parametrize("capacity", [1, 2, 3, 7, 8, 15])
def test_what_is_kept_is_bounded_evenly_spread_and_reaches_over_the_whole_past(capacity):
    kept = Thinned(capacity)
    for n in range(300):
        kept.offer(n)
        assert kept.items == kept.numbers
        assert 1 <= len(kept.items) <= capacity
        assert kept.items[0] == 0
        assert len(set(np.diff(kept.items))) <= 1
        assert len(kept.items) > min(n, capacity - 1) // 2
        spacing = kept.items[1] if len(kept.items) > 1 else n + 1
        assert n - kept.items[-1] < max(2 * spacing, 1) or capacity == 1
        assert kept.is_full == (len(kept.items) == capacity)


def test_a_smaller_one_keeps_nothing_that_a_larger_one_has_let_go():
    large, small = Thinned(20), Thinned(6)
    for n in range(500):
        large.offer(n)
        small.offer(n)
        assert set(small.items) <= set(large.items)
