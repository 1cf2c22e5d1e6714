"""Robust NMF by the squared ℓ1 norm against the paper's own steps, with their big matrix, on tiny data."""

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.methods.corrupted_entries.alternating import SetAside, descend
from core.methods.corrupted_entries.squared_l1 import SquaredL1
from tests.core.planted import planted
from tests.reference import shen


def float32(*arrays):
    return [np.ascontiguousarray(a, np.float32) for a in arrays]


def start(V, rank, seed=1):
    rng = np.random.default_rng(seed)
    return float32(rng.random((rank, V.shape[1])) + 0.1, rng.random((len(V), rank)))


@pytest.mark.parametrize("lam", [1e-3, 0.04, 1.0, 30.0])
def test_outliers_are_the_minimiser(lam):
    rng = np.random.default_rng(0)
    R = (rng.standard_normal((12, 40)) * rng.random((12, 1))).astype(np.float32)
    E, penalty = SquaredL1(lam).of(R, R)
    for r, e, price in zip(R, E, penalty, strict=True):
        best = shen.squared_l1_outliers(r.astype(float), lam)
        np.testing.assert_allclose(e, best, atol=2e-6)
        assert price == pytest.approx(lam * np.abs(best).sum() ** 2, rel=1e-4)
        wrong = np.sign(r) * np.maximum(np.abs(r) - lam, 0)  # A fixed threshold, as for the plain ℓ1 norm.
        assert np.abs(wrong - best).max() > 2e-6


def test_nothing_is_set_aside_of_nothing():
    E, penalty = SquaredL1(0.04).of(np.zeros((2, 5)), np.zeros((2, 5), np.float32))
    assert not E.any()
    assert not penalty.any()


def test_what_is_not_an_outlier_is_exactly_zero_and_what_is_left_is_never_negative():
    V, _, clean, hit = planted()
    E, _ = SquaredL1(0.04).of(V, V - clean * 1.1)
    assert np.array_equal(E != 0, hit)
    assert (V - E).min() >= -1e-6


def test_a_sweep_is_exact_coordinate_descent():
    rng = np.random.default_rng(3)
    A, b = rng.standard_normal((9, 3)), rng.standard_normal((9, 5))
    X = rng.random((3, 5))
    [got] = [descend(*float32(A.T @ A, A.T @ b, X))]
    want = X.copy()
    for k in range(3):
        rest = b - A @ want + np.outer(A[:, k], want[k])
        want[k] = np.maximum(0, A[:, k] @ rest / (A[:, k] @ A[:, k]))
    np.testing.assert_allclose(got, want, atol=1e-5)


def test_encoding_reaches_the_minimiser_that_the_papers_steps_tend_to():
    """With the basis fixed the problem is convex: whatever the steps, one objective."""
    V, W, _, _ = planted(n=4, height=4, width=5, n_hit=2)
    _, H = start(V, len(W))
    encoding = SetAside(SquaredL1(0.04)).encode(V, W, H)
    X, U = V.T.astype(float), W.T.astype(float)
    coefficients, P = H.T.astype(float), np.full_like(X, 0.05)
    N = P.copy()
    for _ in range(20_000):
        coefficients, P, N = shen.update_rest(X, U, coefficients, P, N, 0.04)
    reached = shen.objective(X, U, coefficients, P - N, 0.04)
    assert encoding.loss == pytest.approx(reached, rel=2e-3)
    np.testing.assert_allclose(encoding.outliers, (P - N).T, atol=5e-3)
    far = shen.objective(X, U, H.T, np.zeros_like(X), 0.04)
    assert far > 2 * reached, "a start that is the solution shows nothing"


def test_the_papers_steps_and_ours_never_raise_the_objective_and_ours_are_no_slower():
    V, _, _, _ = planted(n=12, height=4, width=5, n_hit=2)
    W, H = start(V, 3)
    *_, theirs = shen.robust_nmf(V.T.astype(float), W.T.astype(float), H.T.astype(float), 0.04, 60)
    assert (np.diff(theirs) <= 1e-9).all()
    rule, ours = SetAside(SquaredL1(0.04)), []
    rule.begin(V, W, H)
    for _ in range(60):
        W, H, mean = rule.improve(V, W, H)
        ours.append(mean * len(V))
    assert (np.diff(ours) <= 1e-5 * ours[0]).all()
    assert ours[-1] <= theirs[-1] * 1.01
    split = rule.split(V, W, H)
    assert split.loss == pytest.approx(ours[-1], rel=1e-4)
    E = (split.outliers).T.astype(float)
    assert split.loss == pytest.approx(shen.objective(V.T, W.T, H.T, E, 0.04), rel=1e-4)


def test_planted_outliers_and_factors_are_found():
    V, W0, clean, hit = planted(n=60, n_hit=4)
    W, H = start(V, len(W0))
    rule = SetAside(SquaredL1(0.04))
    rule.begin(V, W, H)
    for _ in range(400):
        W, H, _ = rule.improve(V, W, H)
    split = rule.split(V, W, H)
    found = split.outliers != 0
    assert (found & hit).sum() > 0.9 * hit.sum()
    assert (found & ~hit).sum() < 0.05 * found.sum()
    assert np.linalg.norm(split.background - clean) < 0.1 * np.linalg.norm(clean)
    cosines = (W / np.linalg.norm(W, axis=1, keepdims=True)) @ (W0 / np.linalg.norm(W0, axis=1, keepdims=True)).T
    assert (cosines.max(axis=0) > 0.95).all()
    assert W.min() >= 0 <= H.min()


def test_the_automatic_price_finds_the_same_share_of_outliers_in_larger_frames():
    row, shares = catalogue.row("robust-nmf"), []
    for side in (32, 64, 128):
        layout = Layout(side, side, Planes.GREY)
        found = []
        for chosen in (None, 0.04):
            method = row.build(layout, {**row.defaults(), "lam_squared": chosen}, 0)
            V = np.full((4, layout.n_values), 0.5, np.float32)
            V[:, : layout.n_values // 8] += np.linspace(0, 0.4, layout.n_values // 8, dtype=np.float32)
            W, H = float32(np.full((1, layout.n_values), 1 / side), np.full((4, 1), side / 2))
            split = method.rule.split(V, W, H)
            found.append(np.mean(split.outliers != 0))
        shares.append(found)
    automatic, fixed = zip(*shares, strict=True)
    assert automatic[0] == fixed[0] > 0.02, "the paper's faces"
    assert automatic[1:] == pytest.approx([automatic[0]] * 2, rel=0.1)
    assert fixed[2] < 0.5 * fixed[0], "one price for all sizes finds less and less"
