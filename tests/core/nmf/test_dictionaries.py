"""Dictionary rules: each falls to the minimum of the surrogate, within its set."""

import numpy as np
import pytest
from scipy.optimize import minimize

from core.kernels import multiplicative
from core.nmf.constraints import project_onto_nonnegative_balls
from core.nmf.dictionaries.admm import AdmmDictionary
from core.nmf.dictionaries.base import Statistics
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
