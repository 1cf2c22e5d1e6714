"""Losses and their weights belong together, and scales are what the paper says."""

import numpy as np
import pytest

from core.nmf import residual_scales, robust_losses
from tests.reference import guan

ENTRY_LOSSES = {
    "l1": robust_losses.Absolute(0.05),
    "hypersurface": robust_losses.Hypersurface(0.3),
    "huber": robust_losses.Huber(),
    "cim": robust_losses.Correntropy(),
    "cauchy": robust_losses.Cauchy(),
    "truncated-cauchy": robust_losses.TruncatedCauchy(),
}
ALL = {
    **ENTRY_LOSSES,
    "l2": robust_losses.LeastSquaresLoss(),
    "l21": robust_losses.SampleNorm(),
    "capped": robust_losses.CappedNorm(0.8),
}

every = pytest.mark.parametrize("loss", ALL.values(), ids=ALL.keys())
by_entry = pytest.mark.parametrize("loss", ENTRY_LOSSES.values(), ids=ENTRY_LOSSES.keys())


def residuals(shape=(6, 50), seed=0):
    return (0.2 * np.random.default_rng(seed).standard_t(2, shape)).astype(np.float32)


@every
def test_a_weight_is_the_slope_of_the_loss_over_the_residual(loss):
    E = residuals()
    scale = loss.scale(E) * np.float32(1.01)  # Away from a sample whose norm is the threshold.
    Q = np.broadcast_to(loss.weights(E, scale), E.shape)
    step = 1e-3
    for place in [(0, 0), (1, 7), (2, 20), (3, 3), (5, 49)]:
        there, back = E.astype(np.float64), E.astype(np.float64)
        there[place] += step
        back[place] -= step
        if abs(np.abs(E[place]) - scale).min() < 2 * step:
            continue  # A kink lies between.
        slope = (loss.values(there, scale).sum() - loss.values(back, scale).sum()) / (2 * step)
        ours = Q[place] * (
            2 if isinstance(loss, robust_losses.CappedNorm) else 1
        )  # The table has half the weight there.
        assert ours * E[place] == pytest.approx(slope, rel=0.02, abs=1e-4)


@by_entry
def test_rows_that_are_scaled_by_themselves_do_not_know_of_each_other(loss):
    E = residuals()
    own = np.broadcast_to(loss.scale(E, each=True), (6, loss.scale(E).shape[1]))
    for i in range(6):
        np.testing.assert_allclose(own[i : i + 1], loss.scale(E[i : i + 1]), rtol=5e-3)


@every
def test_nothing_is_left_over_nor_infinite_where_the_residual_is_zero(loss):
    E = np.zeros((3, 8), np.float32)
    scale = loss.scale(E)
    assert np.isfinite(loss.weights(E, scale)).all()
    assert (loss.values(E, scale) == 0).all()
    capped = loss.capped(E, scale)
    assert capped is None or (capped == 0).all()


def test_nagys_scale_is_the_papers_and_the_likeliest():
    E = np.random.default_rng(1).standard_cauchy((20, 50)).astype(np.float32) * np.float32(0.07)
    gamma = float(robust_losses.Cauchy().scale(E)[0, 0])
    assert gamma == pytest.approx(guan.nagy_scale(E), rel=2e-3)
    assert gamma == pytest.approx(0.07, rel=0.1)

    def unlikely(scale):
        return np.mean(np.log(scale) + np.log1p((E / scale) ** 2))

    assert unlikely(gamma) < min(unlikely(1.05 * gamma), unlikely(gamma / 1.05))


def test_the_scales_of_huber_and_correntropy_are_those_of_du():
    E = residuals()
    assert robust_losses.Huber().scale(E)[0, 0] == pytest.approx(np.median(np.abs(E)))
    assert 2 * robust_losses.Correntropy().scale(E)[0, 0] ** 2 == pytest.approx(np.mean(E**2), rel=1e-5)


def test_truncation_is_by_three_sigmas_of_the_lower_half():
    E = np.random.default_rng(2).standard_normal((30, 40)).astype(np.float32)
    loss = robust_losses.TruncatedCauchy()
    zero = loss.weights(E, loss.scale(E)) == 0
    assert np.array_equal(zero, guan.is_outlier(E))
    assert 0.3 < zero.mean() < 0.42, "about a third of clean Gaussian residuals"
    assert not np.array_equal(zero, np.abs(E) > 3 * E.std()), "sigmas of all would not do"


def test_a_lenient_scale_takes_no_weight_away():
    E = residuals()
    loss = robust_losses.TruncatedCauchy()
    lenient = loss.lenient(loss.scale(E))
    np.testing.assert_allclose(loss.weights(E, lenient), robust_losses.Cauchy().weights(E, lenient[:, :1]))


@pytest.mark.parametrize(("n", "kept", "n_capped"), [(10, 0.8, 2), (10, 0.9, 1), (8, 0.9, 1), (5, 0.8, 1), (3, 1, 0)])
def test_the_worst_samples_are_capped_as_a_whole(n, kept, n_capped):
    E = residuals((n, 50))
    loss = robust_losses.CappedNorm(kept)
    norms, Q = np.linalg.norm(E, axis=1), loss.weights(E, loss.scale(E))[:, 0]
    assert sorted(np.flatnonzero(Q == 0)) == sorted(np.argsort(norms)[n - n_capped :])
    np.testing.assert_allclose(Q[Q > 0], 1 / (2 * norms[Q > 0]), rtol=1e-5)


def test_scales_of_long_residuals_come_from_values_spread_over_them(monkeypatch):
    E = residuals((40, 500))
    exact = robust_losses.Huber().scale(E)
    monkeypatch.setattr(residual_scales, "MOST_VALUES", 4000)
    assert robust_losses.Huber().scale(E)[0, 0] == pytest.approx(exact[0, 0], rel=0.1)


def test_a_late_scale_spares_clean_residuals_that_the_papers_limit_calls_outliers():
    loss = robust_losses.TruncatedCauchy()
    E = np.random.default_rng(3).normal(0, 0.02, (20, 500)).astype(np.float32)
    scale = loss.scale(E)
    late = loss.late(E, scale)
    assert late[0, 1] == pytest.approx(0.06, rel=0.05)
    assert np.mean(loss.weights(E, scale) == 0) > 0.25
    assert np.mean(loss.weights(E, late) == 0) < 0.005
    for other in (robust_losses.Cauchy(), robust_losses.Huber()):
        np.testing.assert_array_equal(other.late(E, other.scale(E)), other.scale(E))
