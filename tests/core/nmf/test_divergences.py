from itertools import pairwise

import numpy as np
import pytest

from core.nmf.divergence_families import Alpha, AlphaBeta, Beta, Gamma
from core.nmf.divergences import L1, L2, SMOOTHED, HuberDivergence, ItakuraSaito, KullbackLeibler, Squared
from core.nmf.encoders.divergent import HIGHEST, LOWEST, DivergenceEncoder
from tests.reference import zhao_tan_xu as reference

DELTA = 10 / 255
DIVERGENCES = {
    "is": ItakuraSaito(1 / 510), "kl": KullbackLeibler(), "l2sq": Squared(), "l1": L1(), "l2": L2(),
    "huber": HuberDivergence(DELTA), "alpha": Alpha(reference.ALPHA), "beta": Beta(reference.BETA),
    "ab": AlphaBeta(*reference.AB), "gamma": Gamma(reference.GAMMA),
}  # fmt: skip
each = pytest.mark.parametrize("name", DIVERGENCES)
robust = pytest.mark.parametrize("name", ["l2sq", "huber", "l1", "l2"])


def pair(seed=0, n=4, F=30):
    rng = np.random.default_rng(seed)
    return 0.05 + 0.9 * rng.random((n, F)), 0.05 + 0.9 * rng.random((n, F))


def derivative(name, V, U):
    return DIVERGENCES[name].weights(V, U) * (U - V)


@each
def test_values_are_those_of_the_table(name):
    V, U = pair()
    expected = [reference.divergence(name, v, u, DELTA, SMOOTHED) for v, u in zip(V, U, strict=True)]
    np.testing.assert_allclose(DIVERGENCES[name].values(V, U), expected, rtol=1e-12)


@each
def test_derivatives_are_those_of_the_table_and_of_finite_differences(name):
    V, U = pair()
    found = derivative(name, V, U)
    expected = [reference.derivative(name, v, u, DELTA) for v, u in zip(V, U, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    step = 1e-6
    for f in range(5):
        ahead, behind = U.copy(), U.copy()
        ahead[:, f] += step
        behind[:, f] -= step
        difference = (DIVERGENCES[name].values(V, ahead) - DIVERGENCES[name].values(V, behind)) / (2 * step)
        np.testing.assert_allclose(np.broadcast_to(found, V.shape)[:, f], difference, rtol=1e-5, atol=1e-8)


def test_families_meet_their_members():
    V, U = pair()
    members = {Alpha(1): "kl", Beta(1): "kl", Beta(2): "l2sq", Beta(0): "is", AlphaBeta(1, 0): "kl"}
    members |= {AlphaBeta(1, 1): "l2sq", AlphaBeta(0.5, 0.5): "alpha", AlphaBeta(1, 0.5): "beta"}
    for family, name in members.items():
        np.testing.assert_allclose(family.values(V, U), DIVERGENCES[name].values(V, U), rtol=1e-9)
        np.testing.assert_allclose(family.weights(V, U) * (U - V), derivative(name, V, U), rtol=1e-9, atol=1e-12)
        assert family.exponent == DIVERGENCES[name].exponent
    for near, member in ((Alpha(1.002), "kl"), (Beta(1.002), "kl"), (Beta(0.002), "is"), (AlphaBeta(1, 0.002), "kl")):
        np.testing.assert_allclose(near.values(V, U), DIVERGENCES[member].values(V, U), rtol=0.01)
    hellinger = 2 * np.square(np.sqrt(V) - np.sqrt(U)).sum(axis=1)
    np.testing.assert_allclose(Alpha(0.5).values(V, U), hellinger, rtol=1e-12)


def test_a_gamma_divergence_is_the_printed_one_at_the_level_that_fits_best_and_more_at_others():
    V, U = pair()
    d = Gamma(reference.GAMMA)
    printed = [reference.shape_divergence(v, u) for v, u in zip(V, U, strict=True)]
    best = d.level(V, U) * U
    np.testing.assert_allclose(d.values(V, best), printed, rtol=1e-9)
    np.testing.assert_allclose(d.level(V, best), 1, rtol=1e-12)
    assert (d.values(V, 1.1 * best) > d.values(V, best)).all()
    assert (d.values(V, 0.9 * best) > d.values(V, best)).all()
    assert (d.values(V, 50 * best) >= d.values(V, 2 * best)).all()


@pytest.mark.parametrize("name", ["l1", "l2"])
def test_the_tip_is_rounded_off_without_a_leap(name):
    V = np.zeros((3, 1))
    U = np.array([[SMOOTHED * (1 - 1e-9)], [SMOOTHED * (1 + 1e-9)], [0.0]])
    below, above, zero = DIVERGENCES[name].values(V, U)
    assert below == pytest.approx(above, rel=1e-6)
    assert zero == pytest.approx(SMOOTHED / 2)
    assert derivative(name, V, U)[:, 0] == pytest.approx([1, 1, 0], abs=1e-6)


def rises_above_its_parabola(name, factor):
    """Does the divergence rise above the parabola that touches it, with ``factor`` times its weights?"""
    V, U = pair(1, 50)
    V[:, :10] = U[:, :10] + 1e-4 * V[:, :10]
    d, weights = DIVERGENCES[name], factor * DIVERGENCES[name].weights(V, U)
    for other in (np.random.default_rng(2).random(U.shape), U + 0.01 * (U - V)):
        parabola = d.values(V, U) + (weights * ((V - other) ** 2 - (V - U) ** 2)).sum(axis=1) / 2
        if (d.values(V, other) > parabola * (1 + 1e-9)).any():
            return True
    return False


@robust
def test_robust_divergences_lie_below_the_parabola_of_their_weights(name):
    assert not rises_above_its_parabola(name, 1)
    assert rises_above_its_parabola(name, 0.9), "lower weights would not do: the test sees the difference"


@each
def test_black_samples_and_backgrounds_have_finite_values_and_weights(name):
    black = np.zeros((2, 5), np.float32)
    white = np.ones_like(black)
    for V, U in ((black, black), (black, white), (white, black)):
        values, weights = DIVERGENCES[name].values(V, U), DIVERGENCES[name].weights(V, U)
        assert np.isfinite(values).all()
        assert (values >= 0).all()
        assert np.isfinite(weights).all()
        assert (weights > 0).all()
    assert DIVERGENCES[name].values(white, white) == pytest.approx(0, abs=SMOOTHED * 5)


# -- coefficients


def problem(seed=3, n=3, F=40, K=4):
    """Samples near the cone of a dictionary, some of their values spoiled, and a start far from the solution."""
    rng = np.random.default_rng(seed)
    W = rng.random((K, F)) * (rng.random((K, F)) < 0.7) + 0.02
    V = rng.random((n, K)) @ W * (1 + 0.1 * rng.standard_normal((n, F)))
    V = np.where(rng.random((n, F)) < 0.1, 1, np.clip(V, 0.02, None))
    return V, W, rng.random((n, K))


@each
def test_coefficients_reach_the_minimum(name):
    V, W, start = problem()
    d = DIVERGENCES[name]
    H, _ = DivergenceEncoder(d, 1e-12, 20_000).encode(V, W, start)
    for v, h, first in zip(V, d.values(V, H @ W), start, strict=True):
        # The reference starts where a short search ends: with ten times fewer values it would stop at a kink of ℓ1.
        near, _ = DivergenceEncoder(d, 1e-3, 50).encode(v[None], W, first[None])
        _, least = reference.coefficients(name, v, W.T, near[0], DELTA, SMOOTHED)
        assert h <= least * (1 + 1e-4) + 1e-9
    hasty, _ = DivergenceEncoder(d, 1e-12, 2).encode(V, W, start)
    assert (d.values(V, hasty @ W) > d.values(V, H @ W) * 1.001).any(), "two steps must not do"


@each
def test_the_usual_stop_is_near_the_minimum_and_never_above_the_start(name):
    V, W, start = problem(seed=4, n=8)
    V, W, start = V.astype(np.float32), W.astype(np.float32), start.astype(np.float32)
    d = DIVERGENCES[name]
    values = [d.values(V, DivergenceEncoder(d, 0, n).encode(V, W, start)[0] @ W) for n in range(12)]
    for before, after in pairwise(values):
        assert (after <= before * (1 + 1e-5)).all()
    usual, _ = DivergenceEncoder(d, 3e-4, 60).encode(V, W, start)
    exact, _ = DivergenceEncoder(d, 0, 3000).encode(V, W, start)
    assert d.values(V, usual @ W).sum() <= d.values(V, exact @ W).sum() * 1.02


@each
def test_coefficients_stay_in_their_box_even_for_black_and_blank(name):
    _, W, start = problem()
    V = np.zeros((3, W.shape[1]))
    V[1] = 1
    for dictionary in (W, np.zeros_like(W)):
        H, _ = DivergenceEncoder(DIVERGENCES[name], 1e-4, 60).encode(V, dictionary, start)
        assert np.isfinite(H).all()
        assert H.min() >= LOWEST
        assert H.max() <= HIGHEST


@pytest.mark.parametrize("name", [name for name, d in DIVERGENCES.items() if d.target(np.zeros((1, 1))).any()])
def test_samples_darker_than_a_divergence_can_bear_are_encoded_as_the_least_that_it_can(name):
    V, W, start = problem()
    V[:, ::3] = 0
    encoder = DivergenceEncoder(DIVERGENCES[name], 1e-12, 40)
    H, _ = encoder.encode(V, W, start)
    np.testing.assert_array_equal(H, encoder.encode(DIVERGENCES[name].target(V), W, start)[0])


def test_a_step_too_far_costs_its_momentum_before_it_costs_length():
    V, W, start = problem(seed=5, n=20, F=100, K=6)
    _, n_steps = DivergenceEncoder(DIVERGENCES["is"], 1e-7, 2000).encode(V, W, start)
    assert n_steps < 36, "26; 47 if length were halved each time"


@each
def test_the_scale_of_the_dictionary_does_not_matter(name):
    V, W, start = problem()
    encoder = DivergenceEncoder(DIVERGENCES[name], 1e-4, 60)
    H, steps = encoder.encode(V, W, start)
    scaled, same_steps = encoder.encode(V, 1000 * W, start / 1000)
    assert steps == same_steps
    np.testing.assert_allclose(1000 * scaled, H, rtol=1e-6, atol=1e-4)
