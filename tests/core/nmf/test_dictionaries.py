"""Dictionary rules: each falls to the minimum of the surrogate, within its set."""

import numpy as np
import pytest
from scipy.optimize import minimize

from core.kernels import multiplicative
from core.nmf.constraints import project_onto_nonnegative_balls
from core.nmf.dictionaries.admm import AdmmDictionary
from core.nmf.dictionaries.base import Descent, Statistics
from core.nmf.dictionaries.multiplicative import MultiplicativeDictionary
from core.nmf.dictionaries.projected_gradient import ProjectedGradientDictionary
from tests.reference import zhao_tan

RULES = {
    "projected gradient": lambda steps: ProjectedGradientDictionary(1.0, True, 0.0, steps),
    "plain projected gradient": lambda steps: ProjectedGradientDictionary(1.0, False, 0.0, steps),
    "admm": lambda steps: AdmmDictionary(1.0, 0.0, steps),
    "multiplicative": lambda steps: MultiplicativeDictionary(0.0, steps),
}


@pytest.fixture
def learnt():
    """A dictionary (K, F) and the statistics of 40 samples with outliers; columns want to be longer than 1."""
    rng = np.random.default_rng(3)
    W = rng.random((4, 30))
    H, R = rng.random((40, 4)), np.maximum(rng.random((40, 30)) - 0.8, 0)
    V = H @ (2 * rng.random((4, 30)) - 0.3).clip(0) + R
    empty = Statistics(np.zeros((4, 4)), np.zeros((4, 30)), np.zeros((4, 30)), 0.0)
    return zhao_tan.project(W.T).T.copy(), empty.joined(0.0, H, V - R, R, 0.1 * np.abs(R).sum())


def test_projection_is_the_nearest_point_of_the_set():
    rng = np.random.default_rng(4)
    x = rng.standard_normal(6) * 2
    nearest = minimize(
        lambda w: np.sum((w - x) ** 2), np.full(6, 0.1), jac=lambda w: 2 * (w - x), bounds=[(0, None)] * 6,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda w: 1 - w @ w, "jac": lambda w: -2 * w}, options={"ftol": 1e-14},
    ).x  # fmt: skip
    np.testing.assert_allclose(project_onto_nonnegative_balls(x[None].copy())[0], nearest, atol=1e-6)
    assert not np.allclose(zhao_tan.wrongly_project(x[:, None])[:, 0], nearest, atol=1e-2)


@pytest.mark.parametrize("name", RULES)
def test_dictionary_update_never_raises_the_surrogate(learnt, name):
    W, statistics = learnt
    before = statistics.surrogate(W)
    for _ in range(30):
        W = RULES[name](3).update(W, statistics)
        assert statistics.surrogate(W) <= before + 1e-12
        assert W.min() >= 0
        before = statistics.surrogate(W)


def test_gradient_and_admm_reach_the_same_minimum(learnt):
    W, statistics = learnt
    found = [
        RULES[name](5000).update(W, statistics) for name in ("projected gradient", "plain projected gradient", "admm")
    ]
    wanted = zhao_tan.dictionary_pgd(W.T, statistics.A, statistics.B.T, steps=5000).T
    assert np.linalg.norm(wanted, axis=1).max() == pytest.approx(1)
    for dictionary in found:
        np.testing.assert_allclose(dictionary, wanted, atol=1e-6)


def test_the_steps_are_those_of_the_papers(learnt):
    W, known = learnt
    A, B = known.A, known.B.T
    np.testing.assert_allclose(
        RULES["plain projected gradient"](5).update(W, known).T, zhao_tan.dictionary_pgd(W.T, A, B, steps=5), rtol=1e-10
    )
    rho = np.trace(A) / len(A)
    np.testing.assert_allclose(
        RULES["admm"](5).update(W, known).T, zhao_tan.dictionary_admm(W.T, A, B, rho, steps=5), rtol=1e-10
    )
    np.testing.assert_allclose(
        RULES["multiplicative"](5).update(W, known).T,
        zhao_tan.dictionary_multiplicative(W.T, B + known.C.T, A, known.C.T, steps=5),
        rtol=1e-10,
    )


def test_the_surrogate_is_the_mean_loss_of_what_was_seen():
    rng = np.random.default_rng(5)
    W, H, V, R = rng.random((3, 20)), rng.random((8, 3)), rng.random((8, 20)), rng.random((8, 20))
    known = Statistics(np.zeros((3, 3)), np.zeros((3, 20)), None, 0.0)
    for t in range(4):
        part = slice(2 * t, 2 * t + 2)
        known = known.joined(1 - 1 / (t + 1), H[part], (V - R)[part], R[part], 0.1 * R[part].sum())
    assert known.surrogate(W) == pytest.approx((0.5 * np.sum((V - H @ W - R) ** 2) + 0.1 * R.sum()) / 8)


def test_alternating_multiplicative_updates_never_raise_the_batch_objective():
    rng = np.random.default_rng(6)
    V, W, H, R = rng.random((20, 30)), rng.random((4, 30)), rng.random((20, 4)), rng.random((20, 30))
    empty, lam, before = Statistics(np.zeros((4, 4)), np.zeros((4, 30)), np.zeros((4, 30)), 0.0), 0.02, np.inf
    for _ in range(60):
        H = H * (V @ W.T) / ((H @ W + R) @ W.T)
        objective, _ = multiplicative.step_band(0, 30, V, W, H, lam, R)
        assert objective <= before
        W = MultiplicativeDictionary(0.0, 1).update(W, empty.joined(0.0, H, V - R, R, lam * R.sum()))
        before = 0.5 * np.sum((V - H @ W - R) ** 2) + lam * R.sum()
        assert before <= objective


def large(n_values, n_columns, moved, noise=0.002, n=12):
    """Return a dictionary (K, F) float32 near the best one and the statistics of large frames, both of one scene."""
    rng = np.random.default_rng(0)
    plate = 0.3 + 0.4 * rng.random(n_values, np.float32)
    best = plate * (1 + 0.1 * rng.random((n_columns, n_values), np.float32))
    best /= np.linalg.norm(best, axis=1, keepdims=True)
    H = (np.linalg.norm(plate) / n_columns * (1 + 0.05 * rng.standard_normal((n, n_columns)))).astype(np.float32)
    known = Statistics(np.zeros((n_columns, n_columns)), np.zeros_like(best), None, 0.0)
    for i, h in enumerate(H):
        v = h[None] @ best + noise * rng.standard_normal((1, n_values), np.float32)
        known = known.joined(i / (i + 1), h[None], v, v[:0], 0.0)
    return project_onto_nonnegative_balls(best * (1 + moved * rng.standard_normal(best.shape, np.float32))), known


def exactly(known, W):
    """Return the surrogate in float64."""
    W, B = W.astype(np.float64), known.B.astype(np.float64)
    return np.vdot(W @ W.T, known.A) / 2 - np.vdot(W, B) + known.constant


def test_the_surrogate_of_large_frames_is_exact_where_float32_sums_are_not():
    W, known = large(6_220_800, 2, 0.002, n=2)
    wanted = exactly(known, W)
    assert known.surrogate(W) == pytest.approx(wanted, rel=1e-6)
    swallowed = np.vdot(W @ W.T, known.A) / 2 - np.cumsum(W.ravel() * known.B.ravel())[-1] + known.constant
    assert swallowed != pytest.approx(wanted, rel=0.1)


def test_a_long_stream_still_tells_its_mean_loss():
    rng = np.random.default_rng(1)
    W, known = large(5000, 2, 0.0, n=1)
    keep, mean = 0.98, exactly(known, W)
    for _ in range(300):
        h = 30 * rng.random((2, 2), np.float32)
        v = h @ W + 0.001 * rng.standard_normal((2, W.shape[1]), np.float32)
        known = known.joined(keep, h, v, v[:0], 0.0)
        mean = keep * mean + (1 - keep) * np.sum((v - h.astype(np.float64) @ W) ** 2) / 4
    assert known.surrogate(W) == pytest.approx(mean, rel=0.01)


@pytest.fixture(scope="module")
def large_frames():
    W, known = large(1_000_000, 3, 0.0003, noise=0.001)
    return W, Statistics(known.A, known.B, np.zeros_like(known.B), known.constant)


@pytest.mark.parametrize("steps", [1, 5])
@pytest.mark.parametrize("name", RULES)
def test_dictionaries_of_large_frames_learn_what_is_far_below_the_squares_of_the_frames(large_frames, name, steps):
    W, known = large_frames
    before = exactly(known, W)
    assert before < 1e-5 * known.constant
    assert exactly(known, RULES[name](steps).update(W, known)) < 0.95 * before


def test_values_along_a_descent_tell_what_a_step_gains(large_frames):
    W, known = large_frames
    A, B = known.A.astype(np.float32), known.B
    descent, before = Descent(known, W), exactly(known, W)
    slope = A @ W - B
    begun = descent.value(W, slope)
    assert begun == pytest.approx(before, rel=0.01)
    last = W
    for step in (1e-7, 2e-7, 3e-7):
        last = W - np.float32(step) * slope
        fallen = exactly(known, last) - before
        assert descent.value(last, A @ last - B) - begun == pytest.approx(fallen, rel=1e-3)
        assert known.rise(W, last) == pytest.approx(fallen, rel=1e-3)
    swallowed = np.vdot(last, A @ last / 2 - B) - np.vdot(W, A @ W / 2 - B)
    assert swallowed != pytest.approx(fallen, rel=1e-3)
