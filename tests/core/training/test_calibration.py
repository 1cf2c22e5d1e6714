"""The bias of foreground: found on clips, each of which counts as much."""

from dataclasses import replace

import numpy as np
import pytest

from core.training.calibration import STEP, best_bias, calibrated
from core.training.fit import drawn_weights, score
from tests.core.training.test_fit import example

F = np.float32


def frame(bar, *, seed=0, n=4000, empty=False):
    """Cells whose foreground is exactly where the logit exceeds a bar."""
    logit = np.random.default_rng(seed).uniform(-3, 3, (1, n)).astype(F)
    return logit, np.zeros_like(logit) if empty else (logit > bar).astype(F), np.ones_like(logit)


@pytest.mark.parametrize("bar", [-1.2, 0.0, 0.8])
def test_what_is_added_brings_the_bar_to_nothing(bar):
    added, f = best_bias([[frame(bar)], [frame(bar, seed=1), frame(bar, seed=2)]])
    assert added == pytest.approx(-bar, abs=STEP)
    assert f > 0.98


def test_each_clip_counts_as_much_however_many_cells_it_has():
    many, few = [frame(-1.0, n=50_000)], [frame(1.0, seed=k, n=2_000) for k in range(1, 4)]
    assert best_bias([many, *[[one] for one in few]])[0] < -0.3
    assert best_bias([many])[0] == pytest.approx(1.0, abs=STEP)


def test_cells_that_are_not_scored_and_clips_without_foreground_say_nothing():
    logit, foreground, counts = frame(0.5)
    foreground[logit < -1], counts[logit < -1] = 1, 0
    assert best_bias([[(logit, foreground, counts)], [frame(2.0, empty=True)]])[0] == pytest.approx(-0.5, abs=STEP)
    assert best_bias([[frame(0, empty=True)]]) == (0.0, 0.0)


def test_weights_get_the_bias_and_are_otherwise_as_they_were():
    pytest.importorskip("torch")
    weights = drawn_weights(np.random.default_rng(0))
    clips = [[example(k)] for k in range(3)]
    found, added, f = calibrated(weights, clips)
    assert added != 0
    np.testing.assert_allclose(found.leave_bias, weights.leave_bias + np.array([added, 0], F))
    assert replace(found, leave_bias=weights.leave_bias) == weights
    # One frame a clip, all of the same size.
    assert np.mean([score(found, clip).f for clip in clips]) == pytest.approx(f, abs=1e-6)
    assert f >= np.mean([score(weights, clip).f for clip in clips])
