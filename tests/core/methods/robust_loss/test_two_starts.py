"""Two starts of a truncated loss: as the slow twin has it, and each kept where it is the one that finds the factors."""

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.methods.robust_loss import two_starts
from core.methods.robust_loss.half_quadratic import HalfQuadraticRule
from core.methods.robust_loss.two_starts import TRIAL, MedianStartRule, TwoStartsRule
from core.nmf.residual_scales import shoulder
from core.nmf.robust_losses import TruncatedCauchy
from core.nmf.weighted_least_squares import Precision
from tests.core.methods.robust_loss.test_half_quadratic import factors, planted, relative
from tests.reference import guan

PRECISION = Precision(1e-5, 2000)


def rule(n_lenient=1, n_strict=2):
    strict = MedianStartRule(TruncatedCauchy(), PRECISION, 0, n_strict)
    return TwoStartsRule(strict, HalfQuadraticRule(TruncatedCauchy(), PRECISION, n_lenient, n_strict))


@pytest.mark.parametrize(("taken", "seed"), [("strict", 0), ("lenient", 1)])
def test_the_slow_twin_goes_the_same_way(taken, seed, monkeypatch):
    monkeypatch.setattr(two_starts, "TRIAL", 3)
    V, H, W = (x.astype(np.float32) for x in (planted(0.1, n=12, F=15)[1], *factors(12, 15, 3, seed=seed)))
    ours = rule()
    ours.begin(V, W, H)
    W_ours, H_ours = W, H
    for _ in range(3):
        W_ours, H_ours, _ = ours.improve(V, W_ours, H_ours)
    slow = V.T.astype(float), W.T.astype(float), H.T.astype(float)
    W_slow, H_slow = guan.two_starts(*slow, 1, 2, 3, 2000, 1e-6)
    np.testing.assert_allclose((H_ours @ W_ours).T, W_slow @ H_slow, atol=5e-3)
    limits = {"strict": ["lenient", "strict", "strict"], "lenient": ["strict", "strict", "late"]}
    W_other, H_other = guan.course(*slow, limits[taken], 2000, 1e-6)
    assert np.abs((H_ours @ W_ours).T - W_other @ H_other).max() > 2e-2, "the other start would lead elsewhere"


def test_the_shoulder_is_the_slow_twins():
    E = np.random.default_rng(0).standard_cauchy((20, 30)).astype(np.float32)
    assert shoulder(E) == pytest.approx(guan.shoulder(E))


def method(V, K, **chosen):
    row = catalogue.row("truncated-cauchy")
    built = row.build(Layout(V.shape[1], 1, Planes.GREY), {**row.defaults(), "rank": K, **chosen}, 0)
    built.gather(V)
    return built


def test_what_a_random_start_misses_is_found_by_the_second_one():
    clean, V = planted(0.15)
    errors = []
    for chosen in ({}, {"lenient": 0}):
        learnt = method(V, 3, **chosen)
        learnt.fit()
        errors.append(relative(learnt.encoding().background, clean))
    assert errors[0] < 0.05
    assert errors[1] > 0.2


@pytest.mark.parametrize("side", [18, 22])
def test_faces_behind_large_blocks_are_learnt_as_the_paper_starts(side, data):
    from core.bench.experiments import orl_noise, orl_noise_setting

    faces = orl_noise.faces_from(data)
    V = orl_noise_setting.add_blocks(faces.V, side, np.random.default_rng(0))
    learnt = method(V, 20, iterations=TRIAL + 3)
    learnt.fit()
    assert relative(learnt.encoding().background, faces.V) < 0.25, "the lenient start has 1.4"


def test_black_samples_keep_their_start():
    _, V = planted(0.15)
    V[3] = 0
    learnt = method(V, 3, iterations=3)
    learnt.fit()
    assert np.isfinite(learnt.W).all()
    assert learnt.encoding().background[3].max() < 0.01


def test_until_the_trial_is_over_the_strict_start_is_shown():
    _, V = planted(0.15)
    both, strict = method(V, 3), method(V, 3, lenient=0)
    for _ in range(TRIAL - 1):
        assert both.improve().objective == strict.improve().objective
    assert both.improve().objective != strict.improve().objective, "the lenient one is better here"


def test_more_samples_begin_both_starts_anew():
    _, V = planted(0.15)
    learnt = method(V[:40], 3)
    learnt.fit()
    learnt.gather(V[40:])
    learnt.fit()
    assert learnt.finished
    assert np.isfinite(learnt.W).all()


def test_one_scene_is_learnt_from_the_lenient_start_alone():
    rng = np.random.default_rng(0)
    scene = rng.random(300)
    V = np.clip(scene * rng.uniform(0.95, 1, (40, 1)) + 0.01 * rng.standard_normal((40, 300)), 0, 1).astype(np.float32)
    for n, v in enumerate(V):
        v[5 * n : 5 * n + 60] = 1 - v[5 * n : 5 * n + 60]
    learnt = method(V, 5, content="scene")
    assert isinstance(learnt.rule, HalfQuadraticRule)
    learnt.fit()
    assert np.median(np.abs(learnt.encoding().background - scene)) < 0.03


def identical_images():
    row = np.rint(255 * np.random.default_rng(0).random(256)).astype(np.float32) / 255
    return np.tile(row, (60, 1))


def test_learning_ends_in_no_trial_nor_stage():
    V = identical_images()
    learnt = method(V, 4)
    assert len(learnt.fit()) > TRIAL
    assert not learnt.rule.is_settling
    assert np.abs(learnt.encoding().background - V).max() < 1e-3
    scene = method(V, 4, content="scene", tolerance=0.01)
    assert len(scene.fit()) > 30
    assert not scene.rule.is_settling


def test_where_neither_start_leaves_a_shoulder_the_one_that_fits_is_kept():
    exact, missed = np.zeros((4, 50), np.float32), np.zeros((4, 50), np.float32)
    missed[:, :20] = 0.5
    assert shoulder(exact) == shoulder(missed) == 0
    assert two_starts.fits_clearly_better(exact, missed)
    assert not two_starts.fits_clearly_better(missed, exact)
    assert not two_starts.fits_clearly_better(exact, exact)


def test_strict_iterations_without_end_hold_no_learning_up():
    learnt = method(identical_images(), 4, lenient=0, strict=1000)
    assert not learnt.rule.is_settling
    assert len(learnt.fit()) < 30
