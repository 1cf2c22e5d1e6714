"""Activity over clips of any length."""

import numpy as np
import pytest

from core.events.activity import Activity


def test_a_short_clip_has_a_bin_for_each_frame():
    activity = Activity(n_bins=16)
    for i in range(10):
        activity.add(i, i / 10)
    curve = activity.curve()
    assert curve.frames_a_bin == 1
    assert curve.low.tolist() == curve.mean.tolist() == curve.high.tolist() == [i / 10 for i in range(10)]


@pytest.mark.parametrize("known", [None, 1000])
def test_a_long_clip_has_lowest_mean_and_highest_of_the_frames_of_each_bin(known):
    shares = np.random.default_rng(0).random(1000)
    activity = Activity(known, n_bins=64)
    for i, share in enumerate(shares):
        activity.add(i, share)
    curve = activity.curve()
    assert curve.frames_a_bin == 16
    assert len(curve.mean) == 63
    for place in range(63):
        part = shares[16 * place : 16 * place + 16]
        assert (curve.low[place], curve.high[place]) == (part.min(), part.max())
        assert curve.mean[place] == pytest.approx(part.mean())


def test_what_was_not_seen_is_not_known():
    activity = Activity(n_bins=8)
    activity.add(5, 0.5)
    activity.add(900, 0.25)
    curve = activity.curve()
    assert np.flatnonzero(np.isfinite(curve.mean)).tolist() == [5 // curve.frames_a_bin, 900 // curve.frames_a_bin]
    assert np.isnan(Activity().curve().mean).all()


def test_frames_that_turn_out_to_be_of_another_scene_are_forgotten_and_others_of_their_bins_stay():
    activity, other = Activity(400, n_bins=64), Activity(400, n_bins=64)
    for i in range(300):
        activity.add(i, 1.0 if i >= 290 else i / 1000)
        if i < 290:
            other.add(i, i / 1000)
    assert activity.curve().high.max() == 1
    for each in (activity, other):
        each.add(300, 0.1, 290)
    for of_one, of_other in zip(vars(activity.curve()).values(), vars(other.curve()).values(), strict=True):
        np.testing.assert_array_equal(of_one, of_other)


def test_where_a_clip_is_played_again_its_end_stays():
    activity = Activity(100)
    for i in range(100):
        activity.add(i, 0.1, 60 if i >= 60 else 0)
    for i in range(10):
        activity.add(i, 0.1)
    assert np.isfinite(activity.curve().mean).all()


def test_memory_does_not_grow():
    activity = Activity()
    for i in range(0, 10_000_000, 50_000):
        activity.add(i, 0.1)
    assert len(activity.curve().mean) <= 2048
