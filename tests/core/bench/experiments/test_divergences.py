import json

import numpy as np
import pytest

from core.bench.convergence import Trace
from core.bench.experiments import divergences
from core.bench.experiments.base import finish
from core.bench.experiments.divergences import Judge, Size, race, trace
from core.bench.experiments.synthetic import GAMMA_SHAPE, SHIFT, SIGMA, SPOILED, WHITE, synthetic
from core.methods.divergence.rows import CHOICES

SHAPE = (10, 12)


def clean(noise):
    """Noisy and clean samples, grey levels: the clean ones are drawn from the same numbers."""
    found = synthetic(noise, SHAPE, 300, 5, seed=3)
    rng = np.random.default_rng(3)
    W, H = (SHIFT + np.abs(rng.standard_normal(size, np.float32)) for size in ((5, 120), (300, 5)))
    assert np.array_equal(found.W, W)
    return found.V * WHITE, H @ W


def test_each_noise_is_what_its_name_says():
    V, truth = clean("gamma")
    assert np.std(V / truth) == pytest.approx(GAMMA_SHAPE**-0.5, rel=0.02)
    V, truth = clean("poisson")
    assert np.array_equal(V, np.rint(V))
    assert np.mean((V - truth) ** 2 / truth) == pytest.approx(1, rel=0.05)
    V, truth = clean("normal")
    bright = truth > 4 * SIGMA
    assert np.std((V - truth)[bright]) == pytest.approx(SIGMA, rel=0.05)
    V, truth = clean("outliers")
    assert np.mean(np.abs(V - truth) > 1e-3) == pytest.approx(SPOILED, rel=0.05)
    with pytest.raises(ValueError, match="pepper"):
        synthetic("pepper", SHAPE, 3, 2, 0)


def test_a_race_is_run_to_where_both_get():
    fast = Trace("fast", "", [0, 1, 2], [0, 1, 2], [9, 5, 1])
    slow = Trace("slow", "", [0, 1, 2], [0, 3, 7], [9, 8, 4])
    assert race(fast, slow) == (2, 7)
    assert race(slow, fast) == (7, 2)


@pytest.mark.parametrize("key", ["ol-kl", "b-kl"])
def test_a_trace_goes_down_and_ends_in_time(key):
    problem = synthetic("poisson", SHAPE, 200, 5, 0)
    judge = Judge(next(choice for choice in CHOICES if choice.key == "kl"), problem.V[:50])
    found = trace(key, problem, judge, 0, 0.1)
    assert found.objectives[-1] < 0.8 * found.objectives[0]
    assert found.objectives[-1] > 0.8 * judge.of(problem.W)
    assert all(np.diff(found.samples) > 0)
    assert found.seconds[-1] >= 0.1 > found.seconds[-2]


def test_the_experiment_says_what_holds(monkeypatch):
    monkeypatch.setattr(divergences, "QUICK", Size((5, 6), 60, 0.005, 20))
    steps = []
    result = finish(divergences.run(None, 0, True), steps.append)
    assert [step.done for step in steps] == list(range(15))
    assert len(result.claims) == 9
    assert len(result.charts) == 6
    assert json.loads(json.dumps(result.as_data()))["figures"]["traces"]["is"][0]["name"] == "ol-is"
