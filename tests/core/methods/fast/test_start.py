"""The start gives the median of what was seen when that is due, for as long as it is asked to."""

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
