import tracemalloc

import numpy as np
import pytest

from core.frames.running_median import CAPACITY, RunningMedian
from core.runtime import bands


def kept_plainly(n_offered):
    """Indices of the frames kept after ``n_offered``: all multiples of the smallest power of two that fit."""
    spacing = 1
    while (n_offered - 1) // spacing + 1 > CAPACITY:
        spacing *= 2
    return list(range(0, n_offered, spacing))


def lower_median(frames):
    """The middle value; of an even number the lower of the two."""
    return np.sort(frames, axis=0)[(len(frames) - 1) // 2]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_it_is_the_median_of_frames_spread_evenly_over_the_past(dtype):
    rng = np.random.default_rng(0)
    frames = (rng.random((130, 500)) * (200 if dtype == np.uint8 else 60_000)).astype(dtype)
    median = RunningMedian()
    for n, frame in enumerate(frames, 1):
        median.offer(frame)
        got = median.median()
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, lower_median(frames[kept_plainly(n)]), f"after {n} frames")


def test_for_an_odd_number_it_is_that_of_numpy_and_the_mean_would_not_do():
    frames = np.random.default_rng(1).integers(0, 256, (7, 3000)).astype(np.uint8)
    median = RunningMedian()
    for frame in frames:
        median.offer(frame)
    np.testing.assert_array_equal(median.median(), np.median(frames, axis=0))
    assert np.abs(np.mean(frames, axis=0) - median.median()).mean() > 5


def test_it_asks_for_the_median_twice_in_each_doubling():
    median = RunningMedian()
    asked = [n for n in range(1, 1000) if median.offer(np.zeros(1, np.uint8))]
    assert asked == [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768]


def test_what_stands_in_the_first_frames_is_outvoted_once_it_has_left_for_longer():
    median = RunningMedian()
    for n in range(1, 200):
        median.offer(np.array([200 if n <= 40 else 90, 90], np.uint8))
        if n == 40:
            assert median.median()[0] == 200
    assert median.median()[0] == 90


def test_long_vectors_are_done_in_bands_with_the_same_result():
    frames = np.random.default_rng(2).integers(0, 256, (5, bands.SHORT + 999)).astype(np.uint8)
    median = RunningMedian()
    for frame in frames:
        median.offer(frame)
    np.testing.assert_array_equal(median.median(), lower_median(frames))


def test_frames_are_kept_as_they_were_when_offered():
    frame = np.array([1, 2, 3], np.uint8)
    median = RunningMedian()
    median.offer(frame)
    frame[:] = 99
    result = median.median()
    np.testing.assert_array_equal(result, [1, 2, 3])
    result[:] = 77
    np.testing.assert_array_equal(median.median(), [1, 2, 3])


def test_frames_that_nobody_writes_again_are_kept_and_not_copied():
    frames = np.random.default_rng(3).integers(0, 256, (9, 50)).astype(np.uint8)
    median = RunningMedian(shares=True)
    for frame in frames:
        median.offer(frame)
    assert all(np.shares_memory(kept, frames) for kept in median._frames)
    np.testing.assert_array_equal(median.median(), lower_median(frames))


def test_memory_is_bounded_however_long_it_runs():
    frame = np.zeros(20_000, np.uint8)
    median = RunningMedian()
    tracemalloc.start()
    try:
        for _ in range(2000):
            median.offer(frame)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < (CAPACITY + CAPACITY // 2 + 3) * frame.size
