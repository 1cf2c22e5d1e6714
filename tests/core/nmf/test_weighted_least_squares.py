"""Weighted nonnegative least squares: against scipy's exact solver and the paper's algorithm, one column at a time."""

import numpy as np
import pytest
from scipy.optimize import nnls

from core.kernels import weighted_least_squares as kernel
from core.nmf import weighted_least_squares as wls
from tests.reference import guan

EXACT = wls.Precision(1e-6, 5000)


def problem(n=12, F=60, K=5, seed=0):
    rng = np.random.default_rng(seed)
    W = (rng.random((K, F)) * (rng.random((K, F)) < 0.6)).astype(np.float32)
    V = np.maximum(rng.random((n, K)) @ W + 0.3 * rng.standard_normal((n, F)), 0).astype(np.float32)
    Q = (rng.random((n, F)) * (rng.random((n, F)) < 0.8)).astype(np.float32)
    return V, Q, W, rng.random((n, K)).astype(np.float32)


def losses(V, Q, W, H):
    return (Q * (V - H @ W) ** 2).sum(axis=1)


@pytest.mark.parametrize("axis", [None, 0, 1, "both"])
def test_the_minimiser_is_reached_for_every_sample(axis):
    V, Q, W, H = problem()
    Q = Q if axis is None else np.ones((1, 1), np.float32) if axis == "both" else Q.mean(axis=axis, keepdims=True)
    found, _ = wls.solve(V, Q, W, H, EXACT)
    root = np.sqrt(np.broadcast_to(Q, V.shape))
    exact = np.array([nnls(W.T * root[i][:, None], V[i] * root[i])[0] for i in range(len(V))])
    np.testing.assert_allclose(found, exact, atol=2e-4)
    assert (exact == 0).any(), "the bound binds somewhere"


def test_it_does_what_the_papers_algorithm_does():
    V, Q, W, H = problem()
    found, _ = wls.solve(V, Q, W, H, wls.Precision(1e-3, 500))
    args = (500, 1e-3)
    slow = np.array([guan.optimal_gradient(V[i], W.T.astype(float), H[i], Q[i], *args) for i in range(len(V))])
    np.testing.assert_allclose(losses(V, Q, W, found), losses(V, Q, W, slow), rtol=1e-4)


@pytest.mark.parametrize("steps", [1, 2, 5, 30])
def test_no_sample_gets_worse_after_any_number_of_steps(steps):
    for seed in range(5):
        V, Q, W, H = problem(seed=seed)
        found, spent = wls.solve(V, Q, W, H, wls.Precision(0.0, steps))
        assert (losses(V, Q, W, found) <= losses(V, Q, W, H) * (1 + 1e-5)).all()
        assert spent <= steps * len(V)


def test_bands_of_samples_and_pixels_make_no_difference(monkeypatch):
    V, Q, W, H = problem(n=30, F=70)
    whole, _ = wls.solve(V, Q, W, H, EXACT)
    monkeypatch.setattr(wls, "SCRATCH_VALUES", 200)
    banded, _ = wls.solve(V, Q, W, H, EXACT)
    np.testing.assert_allclose(banded, whole, atol=2e-4)


def test_a_sample_without_weight_keeps_its_start_and_the_input_is_left_alone():
    V, Q, W, H = problem()
    Q[3] = 0
    kept = H.copy()
    found, _ = wls.solve(V, Q, W, H, EXACT)
    assert np.array_equal(found[3], kept[3])
    assert np.array_equal(H, kept)


def test_the_dictionary_is_the_same_problem_transposed():
    V, Q, W, H = problem(n=40)
    found = wls.solve(V.T, Q.T, H.T, W.T, EXACT)[0].T
    root = np.sqrt(Q)
    exact = np.array([nnls(H * root[:, [f]], V[:, f] * root[:, f])[0] for f in range(V.shape[1])]).T
    np.testing.assert_allclose(found, exact, atol=1e-3)


def test_the_bound_is_never_below_the_norm_and_close_to_it():
    rng = np.random.default_rng(3)
    for _ in range(50):
        K = int(rng.integers(1, 20))
        X = (rng.random((K, 30)) * (rng.random((K, 30)) < rng.random())).astype(np.float32)
        G = X @ X.T
        norm = np.linalg.norm(G.astype(float), 2)
        bound = kernel.bound(G, np.empty(K, np.float32), np.empty(K, np.float32))
        assert norm * (1 - 1e-5) <= bound <= 2 * norm + 1e-6


def test_power_iterations_alone_would_fall_short_of_the_norm():
    G = np.diag([1.0, 0.99]).astype(np.float32) + np.float32(0.001)
    x = np.array([0.1, 1.0])
    for _ in range(3):
        x = G @ x / np.linalg.norm(x)
    assert x @ G @ x / (x @ x) < np.linalg.norm(G, 2) - 1e-4
