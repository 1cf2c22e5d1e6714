import numpy as np
import pytest

from core.frames.decimated_history import DecimatedHistory, Decimation


@pytest.mark.parametrize("capacity", [1, 2, 3, 7, 8, 15])
def test_what_is_kept_is_bounded_evenly_spread_and_reaches_over_the_whole_past(capacity):
    kept = DecimatedHistory(capacity)
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


def test_items_are_made_only_to_be_kept_and_when_others_have_gone():
    kept, made = DecimatedHistory(4), []

    def make(n):
        made.append(n)
        assert len(kept.items) < 4
        return n

    for n in range(100):
        kept.offer_made(lambda n=n: make(n))
    assert kept.items == [0, 32, 64, 96]
    assert made == [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96]


@pytest.mark.parametrize("n_last", [0, 1, 3, 4, 5, 36, 37, 50])
def test_what_was_offered_last_is_forgotten_with_all_that_is_kept_of_it(n_last):
    kept = DecimatedHistory(6)
    for n in range(37):
        kept.offer(n)
    before = kept.items[:]
    kept.forget_last(n_last)
    assert kept.items == [n for n in before if n < 37 - n_last]


def test_a_smaller_one_keeps_nothing_that_a_larger_one_has_let_go():
    large, small = DecimatedHistory(20), DecimatedHistory(6)
    for n in range(500):
        large.offer(n)
        small.offer(n)
        assert set(small.items) <= set(large.items)


def kept_plainly(n_offered, capacity):
    """All multiples of the smallest power of two that fit."""
    spacing = 1
    while (n_offered - 1) // spacing + 1 > capacity:
        spacing *= 2
    return list(range(0, n_offered, spacing))


@pytest.mark.parametrize("capacity", [1, 2, 5, 8])
def test_who_follows_what_a_decimation_says_keeps_what_is_evenly_spread(capacity):
    places, kept = Decimation(capacity), []
    for n in range(100):
        halves, keeps = places.offer()
        kept = kept[::2] if halves else kept
        kept += [n] if keeps else []
        assert kept == kept_plainly(n + 1, capacity)
        assert (places.n_kept, places.n_offered) == (len(kept), n + 1)
        assert [i * places.spacing for i in range(len(kept))] == kept


def test_a_decimation_goes_on_from_its_numbers():
    whole, first = Decimation(6), Decimation(6)
    for _ in range(37):
        whole.offer()
        first.offer()
    second = Decimation(6, first.spacing, first.n_offered, first.n_kept)
    assert [whole.offer() for _ in range(50)] == [second.offer() for _ in range(50)]


def test_an_item_is_exchanged_in_its_place_and_goes_with_it():
    kept = DecimatedHistory(4)
    for n in range(4):
        kept.offer(n)
    kept.put(2, "two")
    assert kept.items == [0, 1, "two", 3]
    kept.offer(4)
    assert kept.items == [0, "two", 4]
