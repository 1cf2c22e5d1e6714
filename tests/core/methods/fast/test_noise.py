"""The noise is measured where most of a frame may be covered, follows down sooner than up, and never runs away."""

import numpy as np
import pytest

from core.methods.fast.noise import (
    LEAST_OF_MOST,
    MOST_OF_GRAIN,
    NOISE_FLOOR,
    NoiseTracker,
    asymmetric_ema,
    lower_quartile,
    quartile_sigma,
)

STEP = 1 / 255
NONE = np.zeros(8000, bool)


def noise(sigma, n=8000, seed=0):
    return (sigma * np.random.default_rng(seed).standard_normal(n)).astype(np.float32)


def tracker(sigma, grain):
    made = NoiseTracker(STEP, 1.0)
    made.load(sigma, grain)
    return made


@pytest.mark.parametrize("sigma", [0.004, 0.02, 0.3])
def test_the_scale_of_gaussian_noise_is_found_though_half_of_it_is_covered(sigma):
    e = noise(sigma)
    assert quartile_sigma(e) == pytest.approx(sigma, rel=0.12)
    covered = e.copy()
    covered[::2] += 0.7
    assert quartile_sigma(covered) < 3.5 * sigma
    assert np.std(covered) > 0.3, "the standard deviation would not do"


def test_the_lower_quartile_is_that_of_the_sizes():
    e = np.array([-4, 1, -2, 3, 0], np.float32)
    assert lower_quartile(e) == 1
    assert lower_quartile(-e) == 1


def test_a_scale_falls_sooner_than_it_rises():
    up, down = asymmetric_ema(1.0, 2.0) - 1, 2 - asymmetric_ema(2.0, 1.0)
    assert 0 < 3 * up < down < 1
    assert asymmetric_ema(1.5, 1.5) == 1.5


def test_the_threshold_is_three_times_the_noise():
    assert tracker(0.02, 0.02).threshold == pytest.approx(0.06)
    assert tracker(0.0, np.inf).threshold == pytest.approx(3 * NOISE_FLOOR * STEP), "never below rounding"


def test_a_wrong_model_does_not_widen_its_own_threshold():
    assert tracker(0.4, 0.02).threshold == pytest.approx(3 * MOST_OF_GRAIN * 0.02)
    assert tracker(0.4, 0.0).threshold == pytest.approx(3 * LEAST_OF_MOST)
    assert tracker(0.4, np.inf).threshold == pytest.approx(1.2), "before the grain is known the noise is all there is"


def test_what_a_mask_covers_does_not_count_unless_it_covers_nearly_all():
    e, covered = noise(0.02), NONE.copy()
    covered[:6000] = True
    e[:6000] = 0.5
    seen, blind = tracker(0.02, 0.02), tracker(0.02, 0.02)
    seen.follow(e, covered)
    blind.follow(e, NONE)
    assert seen.sigma == pytest.approx(0.02, rel=0.05)
    assert blind.sigma > 2 * seen.sigma, "without the mask it would count"
    all_of_it = tracker(0.02, 0.02)
    all_of_it.follow(noise(0.01), np.ones(8000, bool))
    assert all_of_it.sigma < 0.018


def test_a_start_takes_the_noise_as_it_is_and_a_change_is_that_of_two_frames():
    made = tracker(5.0, 0.02)
    made.begin(noise(0.02))
    assert made.sigma == pytest.approx(0.02, rel=0.1)
    made.begin_from_change(noise(0.02) - noise(0.02, seed=1))
    assert made.sigma == pytest.approx(0.02, rel=0.1)


def test_the_grain_is_that_of_single_frames_and_frames_that_repeat_tell_nothing():
    made = NoiseTracker(STEP, 1.0)
    made.follow_grain(None)
    assert np.isinf(made.grain)
    made.follow_grain(noise(0.03) - noise(0.03, seed=1))
    assert made.grain == pytest.approx(0.03, rel=0.1)
    before = made.grain
    made.follow_grain(np.zeros(8000, np.float32))
    assert made.grain == before
