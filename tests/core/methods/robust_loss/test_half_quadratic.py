"""Robust factorization: against the paper's algorithm, monotone where that is proven, robust where it says so."""

import cv2
import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.methods.robust_loss.half_quadratic import HalfQuadraticRule
from core.methods.robust_loss.rows import ROWS
from core.nmf import robust_losses
from core.nmf.weighted_least_squares import Precision
from tests.reference import guan

KEYS = ("l2", "l1", "l21", "capped", "hypersurface", "huber", "cim", "cauchy", "truncated-cauchy", "rnmf-l1")
CLOSE = Precision(1e-3, 300)


def factors(n=60, F=90, K=3, seed=0):
    rng = np.random.default_rng(seed)
    H = rng.random((n, K)) * (rng.random((n, K)) < 0.7)
    W = rng.random((K, F)) * (rng.random((K, F)) < 0.6)
    return H.astype(np.float32), W.astype(np.float32)


def planted(share, seed=0, **sizes):
    """Return a product of nonnegative factors, and the same with a little noise, and with salt and pepper."""
    H, W = factors(seed=seed, **sizes)
    clean = H @ W
    clean /= clean.max()
    rng = np.random.default_rng(seed + 1)
    noisy = np.maximum(clean + 0.02 * rng.standard_normal(clean.shape), 0)
    hit = rng.random(clean.shape) < share
    return clean, np.where(hit, rng.random(clean.shape) < 0.5, noisy).astype(np.float32)


def relative(found, clean):
    return float(np.linalg.norm(found - clean) / np.linalg.norm(clean))


def fixed(loss, scale):
    """The same loss with its scale held."""

    class Fixed(type(loss)):
        def __init__(self):
            pass

        def scale(self, E, *, each=False):
            return scale

    return Fixed()


def test_all_ten_rows_are_there_and_learn_in_batches():
    assert tuple(row.key for row in ROWS) == ("l2", "l1", "l21", "capped", "hypersurface", *KEYS[5:])
    for key in KEYS:
        row = catalogue.row(key)
        assert row.kind == "batch"
        assert not row.for_video
        assert row.paper


def test_an_iteration_is_the_papers():
    _, V = planted(0.1, n=12, F=15, K=3)
    H, W = factors(12, 15, 3, seed=9)
    W_ours, H_ours, _ = HalfQuadraticRule(robust_losses.Cauchy(), Precision(1e-5, 2000)).improve(V, W, H)
    W_slow, H_slow = guan.iteration(V.T.astype(float), W.T.astype(float), H.T.astype(float), 2000, 1e-6)
    np.testing.assert_allclose((H_ours @ W_ours).T, W_slow @ H_slow, atol=5e-3)
    W_wrong, H_wrong = guan.iteration(V.T.astype(float), W.T.astype(float), H.T.astype(float), 1, 1e-6)
    assert np.abs((H_ours @ W_ours).T - W_wrong @ H_wrong).max() > 2e-2, "one step would not do"


LOSSES = {
    "l2": (robust_losses.LeastSquaresLoss(), None),
    "l1": (robust_losses.Absolute(0.05), 0.05),
    "l21": (robust_losses.SampleNorm(), None),
    "capped": (robust_losses.CappedNorm(0.7), 0.7),
    "hypersurface": (robust_losses.Hypersurface(0.1), 0.1),
    "huber": (robust_losses.Huber(), None),
    "cim": (robust_losses.Correntropy(), None),
    "cauchy": (robust_losses.Cauchy(), None),
}


@pytest.mark.parametrize("key", LOSSES)
def test_an_iteration_of_every_loss_is_that_of_the_papers_table(key):
    loss, given = LOSSES[key]
    _, V = planted(0.1, n=12, F=15, K=3)
    H, W = factors(12, 15, 3, seed=9)
    W_ours, H_ours, _ = HalfQuadraticRule(loss, Precision(1e-5, 2000)).improve(V, W, H)
    slow = V.T.astype(float), W.T.astype(float), H.T.astype(float)
    W_slow, H_slow = guan.iteration_of_table_1(key, *slow, 2000, 1e-6, given)
    np.testing.assert_allclose((H_ours @ W_ours).T, W_slow @ H_slow, atol=5e-3)
    wrong = "cauchy" if key == "l2" else "l2"
    W_wrong, H_wrong = guan.iteration_of_table_1(wrong, *slow, 2000, 1e-6)
    assert np.abs((H_ours @ W_ours).T - W_wrong @ H_wrong).max() > 1e-2, "another loss would not be told from it"


@pytest.mark.parametrize(
    ("loss", "scale"),
    [
        (robust_losses.LeastSquaresLoss(), 1.0),
        (robust_losses.SampleNorm(), 1.0),
        (robust_losses.Absolute(0.01), 0.01),
        (robust_losses.Hypersurface(0.1), 0.1),
        (robust_losses.Huber(), 0.05),
        (robust_losses.Correntropy(), 0.1),
        (robust_losses.Cauchy(), 0.05),
        (robust_losses.CappedNorm(0.9), 1.5),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, robust_losses.RobustLoss) else "",
)
def test_with_a_fixed_scale_the_loss_never_rises(loss, scale):
    _, V = planted(0.2)
    H, W = factors(seed=5)
    if (
        not isinstance(loss, robust_losses.Absolute | robust_losses.Hypersurface | robust_losses.CappedNorm)
        and type(loss).scale
    ):
        loss = fixed(loss, np.full((1, 1), scale, np.float32))
    rule, values = HalfQuadraticRule(loss, CLOSE), []
    for _ in range(15):
        W, H, value = rule.improve(V, W, H)
        values.append(value)
    if not isinstance(loss, robust_losses.CappedNorm):  # Its threshold follows the residual.
        assert (np.diff(values) <= 1e-5 * np.array(values[:-1])).all()
    assert values[-1] < values[0]
    assert W.min() >= 0
    assert H.min() >= 0


def learn(key, V, K, **chosen):
    row = catalogue.row(key)
    method = row.build(Layout(9, 10, Planes.GREY), {**row.defaults(), "rank": K, **chosen}, 0)
    method.gather(V)
    method.fit()
    return method


@pytest.mark.parametrize("key", ["l1", "huber", "cim", "cauchy", "truncated-cauchy"])
def test_planted_factors_are_found_under_salt_and_pepper(key):
    clean, V = planted(0.15)
    found = learn(key, V, 3).encoding().background
    plain = learn("l2", V, 3).encoding().background
    assert relative(plain, clean) > 0.15
    assert relative(found, clean) < 0.05


@pytest.mark.parametrize("key", ["l2", "hypersurface"])
def test_planted_factors_are_found_where_nothing_is_spoiled(key):
    clean, V = planted(0.0)
    assert relative(learn(key, V, 3).encoding().background, clean) < 0.05


def test_planted_factors_are_found_beside_sparse_errors():
    clean, V = planted(0.15)
    assert relative(learn("rnmf-l1", V, 3).encoding().background, clean) < 0.07


@pytest.mark.parametrize("key", ["l21", "capped"])
def test_planted_factors_are_found_where_whole_samples_are_spoiled(key):
    clean, V = planted(0.0)
    spoiled = np.arange(0, len(V), 12)
    V[spoiled] = np.random.default_rng(0).random((len(spoiled), V.shape[1]))
    kept = np.delete(np.arange(len(V)), spoiled)
    errors = [relative(learn(one, V, 3).encoding().background[kept], clean[kept]) for one in (key, "l2")]
    assert errors[0] < 0.06
    assert errors[0] < errors[1] / 2


def test_truncation_holds_against_pixels_far_above_white_where_least_squares_does_not():
    clean, V = planted(0.0)
    V[:, 20:26] = np.where(np.random.default_rng(0).random((60, 6)) < 0.5, 550 / 255, V[:, 20:26])
    assert relative(learn("truncated-cauchy", V, 3).encoding().background, clean) < 0.15
    assert relative(learn("l2", V, 3).encoding().background, clean) > 0.3


def test_new_samples_are_encoded_each_by_itself_and_their_outliers_found():
    clean, V = planted(0.15)
    method = learn("truncated-cauchy", V, 3)
    fresh_clean, fresh = clean[:5], V[:5]
    together = method.transform_batch(fresh)
    assert relative(together.background, fresh_clean) < 0.08
    for i in range(5):
        np.testing.assert_allclose(method.transform(fresh[i]).background, together.background[i], atol=2e-3)
    outliers = np.abs(together.outliers) > 0.2
    assert (outliers == (np.abs(fresh - fresh_clean) > 0.2)).mean() > 0.95


def test_scales_are_kept_with_a_model():
    _, V = planted(0.15)
    method = learn("cauchy", V, 3)
    row = catalogue.row("cauchy")
    other = row.build(Layout(9, 10, Planes.GREY), {**row.defaults(), "rank": 3}, 1)
    other.load(method.state())
    assert np.array_equal(other.transform(V[0]).background, method.transform(V[0]).background)


def test_basis_images_have_norm_one():
    _, V = planted(0.1)
    np.testing.assert_allclose(np.linalg.norm(learn("huber", V, 3).W, axis=0), 1, rtol=1e-4)


@pytest.mark.parametrize("seed", [0, 1])
def test_truncation_by_default_is_not_led_astray_by_blocks_that_hide_a_fifth_of_each_image(seed):
    rng, layout, row = np.random.default_rng(seed), Layout(16, 16, Planes.GREY), catalogue.row("truncated-cauchy")
    W = np.stack([cv2.GaussianBlur(rng.random((16, 16)), (0, 0), 2).ravel() for _ in range(6)])
    W = (W - W.min()) / np.ptp(W)
    clean = np.clip(rng.random((120, 6)) @ W / 6 * 1.6 + 0.02 * rng.standard_normal((120, 256)), 0, 1)
    hidden = clean.astype(np.float32)
    for image in hidden.reshape(-1, 16, 16):
        top, left = rng.integers(0, 10, 2)
        image[top : top + 7, left : left + 7] = 1
    errors = []
    for chosen in ({}, {"lenient": 40, "strict": 1000}):
        method = row.build(layout, {**row.defaults(), "rank": 6, "iterations": 100, **chosen}, 0)
        method.gather(hidden)
        method.fit()
        errors.append(np.linalg.norm(method.encoding().background - clean) / np.linalg.norm(clean))
    assert errors[0] < 0.8 * errors[1]
