"""NMF beside sparse errors: against the printed updates, monotone, and exact where the dictionary is fixed."""

import numpy as np
import pytest

from core.methods.robust_loss.sparse_errors import SparseErrorRule
from tests.reference import guan

LAM = 0.3


def problem(seed=0, n=20, F=30, K=3):
    rng = np.random.default_rng(seed)
    V = rng.random((n, K)) @ rng.random((K, F))
    V = np.where(rng.random(V.shape) < 0.1, 2 * rng.random(V.shape), V)
    return (x.astype(np.float32) for x in (V, rng.random((K, F)), rng.random((n, K))))


def test_a_sweep_is_the_papers():
    V, W, H = problem()
    W_ours, H_ours, objective = SparseErrorRule(LAM, 1).improve(V, W, H)
    W_slow, H_slow = guan.rnmf_l1_sweep(V.T.astype(float), W.T.astype(float), H.T.astype(float), LAM)
    np.testing.assert_allclose((H_ours @ W_ours).T, W_slow @ H_slow, rtol=1e-4)
    assert objective * len(V) == pytest.approx(guan.rnmf_l1_objective(V.T, W_slow, H_slow, LAM), rel=1e-4)


def test_no_sweep_raises_the_objective():
    V, W, H = problem(1)
    rule, values = SparseErrorRule(LAM, 1), []
    for _ in range(60):
        W, H, value = rule.improve(V, W, H)
        values.append(value)
    assert (np.diff(values) <= 1e-6 * values[0]).all()
    assert values[-1] < 0.5 * values[0]
    assert min(W.min(), H.min()) >= 0


def test_encoding_reaches_what_many_multiplicative_updates_reach():
    V, W, H = problem(2)
    found = SparseErrorRule(LAM, 1).encode(V, W, H)
    slow = H.astype(float)
    for _ in range(4000):
        E = V - slow @ W
        X = V - np.sign(E) * np.maximum(np.abs(E) - LAM / 2, 0)
        slow *= np.maximum(X @ W.T, 0) / (slow @ W @ W.T + 1e-12)
    ours = guan.rnmf_l1_objective(V.T, W.T.astype(float), found.H.T, LAM)
    assert ours == pytest.approx(guan.rnmf_l1_objective(V.T, W.T.astype(float), slow.T, LAM), rel=3e-3)
    S = found.outliers
    np.testing.assert_allclose(S, np.sign(found.residual) * np.maximum(np.abs(found.residual) - LAM / 2, 0), atol=1e-6)
