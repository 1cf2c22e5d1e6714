"""The start gives the median of what was seen when that is due, for as long as it is asked to."""

import weakref

import numpy as np

from core.methods.fast.start import MedianStart


def frames(n):
    return np.random.default_rng(0).integers(0, 256, (n, 50)).astype(np.uint8)


def test_it_gives_the_median_twice_in_each_doubling_until_it_is_over():
    start, given = MedianStart(50), {}
    for t, v in enumerate(frames(20)):
        median = start.offer(v, 10)
        if median is not None:
            given[t] = median
    assert list(given) == [0, 1, 2, 3, 5, 7]
    for t in (0, 2):
        np.testing.assert_array_equal(given[t], np.median(frames(20)[: t + 1], axis=0))
    assert start.is_over


def test_it_says_how_far_it_is_until_it_is_over():
    start = MedianStart(50)
    assert start.progress(5) == (0, 5)
    told = []
    for v in frames(9):
        start.offer(v, 5)
        told.append(start.progress(5))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5), None, None, None, None]


def test_what_has_ended_does_not_begin_again():
    start = MedianStart(50)
    start.offer(frames(1)[0], 100)
    start.end()
    assert start.is_over
    assert all(start.offer(v, 100) is None for v in frames(5))
    assert start.progress(100) is None
    assert start.n_frames == 6, "frames go on being counted"


def test_where_all_was_overwritten_it_holds_no_frames_and_is_due_as_before():
    plain, known = MedianStart(50), MedianStart(50)
    half = np.arange(50) < 25
    for t, v in enumerate(frames(40)):
        if t == 10:
            known.overwrite(half)
        if t == 11:
            known.overwrite(~half)
        due, given = plain.offer(v, 30), known.offer(v, 30)
        assert (due is None) == (given is None), t
        if due is not None:
            np.testing.assert_array_equal(given, due if t < 11 else v)
    assert plain.is_over
    assert known.is_over


def test_frames_that_nobody_needs_are_let_go():
    start, given = MedianStart(50), frames(3)
    shown = [v.copy() for v in given]
    left = [weakref.ref(v) for v in shown]
    for v in shown:
        start.offer(v, 30)
    del v, shown
    start.overwrite(np.arange(50) < 49)
    assert all(ref() is not None for ref in left), "one value is still the median's"
    start.overwrite(np.arange(50) == 49)
    assert all(ref() is None for ref in left)
