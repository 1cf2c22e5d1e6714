"""What holds a head to its weights: how much worse they get at what it saw when they are changed by a little."""

import numpy as np

from core.scene.masks.head import NOTHING, Verdict, shipped
from core.training.clip_source import ClipSource
from core.training.cutouts import Cutouts
from core.training.experience import experience
from core.training.record import verdicts
from core.training.rounds import Course, gather_experience
from tests.core.training.test_record import Walk

HEAD = shipped()
N = HEAD.leave.shape[1]


def verdict(seed):
    rng = np.random.default_rng(seed)
    active = (rng.random((3, 4)) < 0.7).astype(np.uint8)
    activations = np.maximum(rng.normal(0.2, 1, (12, 16, N)), 0).astype(np.float32)
    empty = np.full((12, 16), NOTHING)
    return Verdict(empty, empty, active, [activations[:5], activations[5:]])


def test_it_tells_what_a_small_change_of_the_weights_costs():
    seen = [verdict(seed) for seed in range(5)]
    cells = np.concatenate([one.activations()[:, one.looked_at].T for one in seen]).astype(np.float64)
    cells = np.column_stack([cells, np.ones(len(cells))])
    w = np.append(HEAD.leave[0], HEAD.leave_bias[0])
    found = experience(seen, HEAD)
    assert found.shape == (N + 1, N + 1)
    for seed in range(3):
        change = 0.02 * np.random.default_rng(seed).normal(size=N + 1)
        p, q = (1 / (1 + np.exp(-cells @ weights)) for weights in (w, w + change))
        cost = (p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))).mean()
        np.testing.assert_allclose(0.5 * change @ found @ change, cost, rtol=0.05)


def test_what_was_not_looked_at_says_nothing():
    nothing = verdict(0)
    nothing.active[:] = 0
    assert not experience([nothing], HEAD).any()
    assert not experience([], HEAD).any()
    np.testing.assert_array_equal(experience([verdict(0), nothing], HEAD), experience([verdict(0)], HEAD))


def test_it_is_gathered_of_the_frames_of_clips():
    seen = [one.looked_at.sum() for one in verdicts(ClipSource(Walk(), as_video=True), HEAD, n=6)]
    assert len(seen) >= 3
    assert max(seen) > 0
    course = Course(rounds=1, drawn=2, composites=0, size=(80, 60), n_frames=12, seed=1)
    told = []
    once = gather_experience(course, HEAD, Cutouts([], []), told.append)
    assert told == ["experience: 1 of 1 drawn clips"]
    assert once.tobytes() == gather_experience(course, HEAD, Cutouts([], [])).tobytes()
    assert np.linalg.eigvalsh(once.astype(np.float64)).min() > -1e-6
    assert once[-1, -1] > 0
