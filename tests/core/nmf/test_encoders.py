"""Encoders: each reaches the minimiser of the convex problem, by the steps of its paper."""

import numpy as np
import pytest
from scipy.optimize import minimize

from core.nmf.encoders.admm import AdmmEncoder
from core.nmf.encoders.base import least_squares_start
from core.nmf.encoders.multiplicative import MultiplicativeEncoder
from core.nmf.encoders.projected_gradient import ProjectedGradientEncoder
from core.nmf.outlier_losses import OutlierLoss
from tests.reference import zhao_tan

LAM = 0.05
LOSS = OutlierLoss(LAM, -1.0, 1.0)


@pytest.fixture
def problem():
    """A sample (F,), a dictionary (F, K) and a start (K,): outliers on a fifth of the values."""
    rng = np.random.default_rng(1)
    W = zhao_tan.project(rng.random((60, 5)))
    v = W @ rng.random(5) * 2 + 0.02 * rng.standard_normal(60)
    v[:12] = rng.random(12)
    return np.maximum(v, 0), W, np.full(5, 0.1)


def encode(encoder, problem, loss=LOSS):
    v, W, h = problem
    encoder.prepare(np.ascontiguousarray(W.T))
    return encoder.encode(v[None], h[None], loss)


def test_gradient_and_admm_and_a_general_solver_agree(problem):
    v, W, h = problem
    general = minimize(
        lambda h: zhao_tan.loss(v, W, h, LAM), h, bounds=[(0, None)] * h.size, method="L-BFGS-B",
        jac=lambda h: -W.T @ (v - W @ h - np.clip(zhao_tan.soft(v - W @ h, LAM), -1, 1)),
        options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 10_000},
    )  # fmt: skip
    gradient = encode(ProjectedGradientEncoder(1.0, True, 0.0, 5000), problem)
    plain = encode(ProjectedGradientEncoder(1.0, False, 0.0, 20_000), problem)
    admm = encode(AdmmEncoder(1.0, 1e-13, 20_000), problem)
    for encoding in (gradient, plain, admm):
        np.testing.assert_allclose(encoding.H[0], general.x, atol=1e-6)
        assert encoding.loss == pytest.approx(general.fun, rel=1e-9)


def test_plain_gradient_steps_are_those_of_the_paper(problem):
    v, W, h = problem
    wanted, _ = zhao_tan.encode_pgd(v, W, h, LAM, steps=7)
    found = encode(ProjectedGradientEncoder(1.0, False, 0.0, 7), problem).H[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-10)
    assert not np.allclose(found, zhao_tan.encode_pgd(v, W, h, LAM, steps=8)[0], rtol=1e-6)


def test_momentum_starts_anew_where_the_loss_rises():
    rng = np.random.default_rng(0)
    W = np.linalg.qr(rng.standard_normal((60, 5)))[0] * np.geomspace(1, 0.1, 5)
    encoder = ProjectedGradientEncoder(1.0, True, -1.0, 200)
    found = encode(encoder, (W @ (1 + rng.random(5)), W, np.zeros(5)), OutlierLoss(0.5, -1.0, 1.0))
    assert found.loss < 1e-15, "otherwise it circles the minimum, and is at 1e-7 still"


@pytest.mark.parametrize("rho", [1.0, 0.3])
def test_admm_steps_are_those_of_the_paper(problem, rho):
    v, W, h = problem
    wanted, _ = zhao_tan.encode_admm(v, W, h, LAM, rho, steps=7)
    found = encode(AdmmEncoder(rho, 0.0, 7), problem).H[0]
    np.testing.assert_allclose(found, wanted, rtol=1e-10)
    assert not np.allclose(found, zhao_tan.encode_admm(v, W, h, LAM, rho, steps=8)[0], rtol=1e-6)


def test_a_binding_bound_is_kept_and_both_solvers_still_agree(problem):
    tight = OutlierLoss(LAM, 0.0, 0.1)
    gradient = encode(ProjectedGradientEncoder(1.0, True, 0.0, 20_000), problem, tight)
    admm = encode(AdmmEncoder(1.0, 1e-13, 20_000), problem, tight)
    outliers = gradient.outliers
    assert outliers.min() >= 0
    assert outliers.max() == pytest.approx(0.1)
    np.testing.assert_allclose(gradient.H, admm.H, atol=1e-6)


def test_multiplicative_steps_are_those_of_the_paper_and_never_raise_the_loss(problem):
    v, W, h = problem
    before = np.inf
    for steps in range(1, 40):
        encoding = encode(MultiplicativeEncoder(0.0, steps), problem, OutlierLoss(LAM, 0.0, np.inf))
        assert encoding.loss <= before * (1 + 1e-12)
        before = encoding.loss
    h = np.maximum(h, 1e-3 * h.mean() + 1e-12)
    start = np.maximum(v - W @ h - LAM, 0.01 * v)
    wanted, _ = zhao_tan.encode_multiplicative(v, W, h, start, LAM, steps=39)
    np.testing.assert_allclose(encoding.H[0], wanted, rtol=1e-8)


def test_multiplicative_updates_reach_the_minimiser_too(problem):
    loss = OutlierLoss(LAM, 0.0, np.inf)
    slow = encode(MultiplicativeEncoder(0.0, 50_000), problem, loss)
    assert slow.loss == pytest.approx(
        encode(ProjectedGradientEncoder(1.0, True, 0.0, 5000), problem, loss).loss, rel=1e-4
    )


def test_a_batch_is_encoded_as_its_samples_are(problem):
    v, W, h = problem
    rng = np.random.default_rng(2)
    V = np.stack([v, v * rng.random(v.size), np.roll(v, 7)])
    # At a tolerance of 0 a batch stops where its loss no longer changes by a bit, and samples then differ by √eps.
    never = -1.0
    encoder = ProjectedGradientEncoder(1.0, True, never, 3000)
    encoder.prepare(np.ascontiguousarray(W.T))
    together = encoder.encode(V, np.tile(h, (3, 1)), LOSS).H
    for i in range(3):
        np.testing.assert_allclose(together[i], encoder.encode(V[i : i + 1], h[None], LOSS).H[0], atol=1e-6)


def test_the_start_is_the_nonnegative_least_squares_fit(problem):
    v, W, _ = problem
    H = least_squares_start(W.T @ W, (v @ W)[None], n_sweeps=500)
    slope = W.T @ (W @ H[0] - v)
    assert np.all(np.abs(np.minimum(H[0], slope)) < 1e-6)
