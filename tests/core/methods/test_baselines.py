"""Each baseline's rule against the algorithm as its paper prints it; planted factors and outliers are found."""

import numpy as np
import pytest

from core import catalogue
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.kernels import simplex
from core.methods.baselines.documents import SecondOrder
from core.methods.baselines.itakura_saito import LefevreRule
from core.methods.baselines.onmf import StochasticApproximation
from core.methods.baselines.orpca import RobustComponents
from core.methods.baselines.plain import LeastSquares, squared_error
from core.methods.baselines.robust_dictionary import RobustDictionary, check_size
from core.methods.baselines.rows import ROWS
from tests.reference import baselines as reference
from tests.reference.zhao_tan import project

LAM = 0.1


def problem(n=6, F=20, K=4, seed=0):
    """Samples V (n, F) of some columns W (K, F), coefficients H (n, K) near theirs, and pixels that do not fit."""
    rng = np.random.default_rng(seed)
    W = rng.random((K, F))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    H = rng.random((n, K))
    V = H @ W + 0.02 * rng.random((n, F))
    V[rng.random(V.shape) < 0.1] = 1
    start = np.maximum(0, H + 0.2 * rng.standard_normal(H.shape))
    return tuple(x.astype(np.float32) for x in (V, W, start))


def build(key, layout, **chosen):
    row = catalogue.row(key)
    values = catalogue.complete(row, chosen)
    return row.build(layout, {p.name: values[p.name] for p in row.parameters}, 0)


def learnt(rule, V, W, H):
    """The dictionary after one mini-batch, and its encoding."""
    encoding = rule.encode(V, W, H)
    return rule.learn(V, W, encoding), encoding


# -- coefficients


def test_least_squares_reach_the_nonnegative_minimiser():
    V, W, H = problem(seed=3)
    V -= V[::-1] / 2
    encoding = LeastSquares(1e-9, 5000).encode(V, W, H)
    np.testing.assert_allclose(encoding.H, [reference.nnls(W.T, v) for v in V], atol=1e-4)
    assert (encoding.H == 0).any(), "the bound should bind somewhere, or this shows little"


def test_orpca_encodes_to_the_minimiser():
    V, W, H = problem()
    W[1] *= -1
    encoding = RobustComponents(LAM, LAM, 1e-8, 5000).encode(V, W, H)
    for v, h, r in zip(V, encoding.H, encoding.outliers, strict=True):
        expected, outliers = reference.robust_components_encode(v, W.T, LAM, LAM)
        np.testing.assert_allclose(h, expected, atol=1e-4)
        np.testing.assert_allclose(r, outliers, atol=1e-4)
        assert np.abs(h - np.linalg.lstsq(W.T, v)[0]).max() > 0.01, "plain least squares would pass too"
    loss = sum(
        reference.robust_components_loss(v, W.T, h, r, LAM, LAM)
        for v, h, r in zip(V, encoding.H, encoding.outliers, strict=True)
    )
    assert encoding.loss == pytest.approx(loss, rel=1e-5)


@pytest.mark.parametrize(
    ("make", "update", "loss"),
    [
        (
            lambda n: RobustDictionary(LAM, 0.05, 1, 0, n, 1),
            lambda v, W, h: reference.robust_coefficients(v, W, h, LAM, 0.05),
            lambda v, W, h: reference.huber(v - W @ h, LAM) + 0.05 * h.sum(),
        ),
        (
            lambda n: LefevreRule(0.01, 1, 0, n),
            lambda v, W, h: reference.itakura_saito_coefficients(v, W, h, 0.01),
            lambda v, W, h: reference.itakura_saito(v + 0.01, W @ h + 0.01),
        ),
    ],
    ids=["ol-wang", "ol-lef"],
)
def test_multiplicative_coefficients_follow_the_paper_and_never_raise_the_objective(make, update, loss):
    V, W, H = problem()
    H = H + np.float32(0.1)
    one = make(1).encode(V, W, H)
    np.testing.assert_allclose(one.H, [update(v, W.T, h) for v, h in zip(V, H, strict=True)], rtol=2e-4)
    losses = [make(n).encode(V, W, H).loss for n in (1, 2, 3, 5, 10, 30, 100, 300)]
    assert losses[0] == pytest.approx(sum(loss(v, W.T, h) for v, h in zip(V, one.H, strict=True)), rel=1e-4)
    assert (np.diff(losses) <= 1e-5 * losses[0]).all()
    assert losses[-1] < 0.95 * losses[0]


# -- dictionaries


def test_projection_onto_the_simplex_is_the_nearest_point():
    rng = np.random.default_rng(1)
    for scale in (0.01, 0.3, 3):
        w = (scale * rng.standard_normal(30)).astype(np.float32)
        expected, wrong = reference.project_onto_simplex(w), reference.wrongly_project_onto_simplex(w)
        simplex.project(w)
        np.testing.assert_allclose(w, expected, atol=1e-5)
        assert np.abs(w - wrong).max() > 1e-3


def test_stochastic_approximation_takes_the_papers_steps():
    V, W, H = problem()
    W /= W.sum(axis=1, keepdims=True)
    order, steps = np.array([0, 3, 3, 5, 1]), np.array([0.2, 0.14, 0.11, 0.1, 0.09], np.float32)
    mean = np.empty_like(W)
    simplex.descend(V, H, order, steps, W.copy(), np.empty_like(V[0]), mean)
    expected = reference.stochastic_approximation(W.T, V.T, H.T, order, steps)
    np.testing.assert_allclose(mean, expected.T, atol=1e-5)
    wrong = reference.stochastic_approximation(W.T, V.T, H.T, order, steps, reference.wrongly_project_onto_simplex)
    assert np.abs(mean - wrong.T).max() > 1e-3


def test_onmf_keeps_columns_on_the_simplex_and_fits_better():
    V, W, H = problem(n=40)
    rule = StochasticApproximation(400, 0.1, 100)
    better, encoding = learnt(rule, V, W, H)
    assert better.min() >= 0
    np.testing.assert_allclose(better.sum(axis=1), 1, atol=1e-5)
    assert rule.encode(V, better, encoding.H).loss < 0.97 * encoding.loss


def test_the_buffer_keeps_the_newest_samples():
    V, W, H = problem(n=12)
    rule = StochasticApproximation(5, 0.1, 8)
    for start in (0, 6):
        part = slice(start, start + 6)
        W, _ = learnt(rule, V[part], W, H[part])
    np.testing.assert_array_equal(rule.state()["V"], V[4:])


def test_orpca_learns_as_the_paper_says():
    V, W, H = problem(n=12)
    rule = RobustComponents(LAM, LAM, 1e-7, 1000)
    A, B, expected = np.zeros((4, 4)), np.zeros((20, 4)), W.T
    for part in (slice(0, 5), slice(5, 12)):
        W, encoding = learnt(rule, V[part], W, H[part])
        A += encoding.H.T @ encoding.H
        B += encoding.clean.T @ encoding.H
        expected = reference.robust_components_dictionary(expected, A, B, LAM)
        np.testing.assert_allclose(W, expected.T, atol=1e-4)


def test_ol_wang_learns_from_weights_and_statistics_of_each_pixel():
    V, W, H = problem(n=12)
    rule = RobustDictionary(LAM, 0, 0.9, 0, 30, 600)
    A, B = np.zeros((20, 4, 4)), np.zeros((20, 4))
    for part in (slice(0, 5), slice(5, 12)):
        before = W
        W, encoding = learnt(rule, V[part], W, H[part])
        a, b = reference.robust_statistics(V[part].T, before.T.astype(float), encoding.H.T, LAM)
        A, B = 0.9 * A + a, 0.9 * B + b
        np.testing.assert_allclose(rule.state()["A"], A, rtol=1e-3, atol=1e-4)
    step = 1 / np.linalg.eigvalsh(A.sum(axis=0))[-1]
    expected = reference.robust_dictionary(before.T, A, B, project, 15 * step, 4000)
    np.testing.assert_allclose(W, expected.T, atol=2e-3)


@pytest.mark.parametrize("second_order", [True, False])
def test_ol_wang2_reaches_the_minimiser_and_never_raises_the_surrogate(second_order):
    V, W, H = problem(n=30)
    encoding = LeastSquares().encode(V, W, H)
    A, B = (encoding.H.T @ encoding.H).astype(float) / 30, V.T @ encoding.H / 30

    def surrogate(W):
        return np.vdot(W @ W.T, A) / 2 - np.vdot(W.T, B)

    reached = [surrogate(W)]
    for steps in (1, 2, 4, 10, 3000):
        found = SecondOrder(second_order, 0, steps).learn(V, W, encoding)
        reached.append(surrogate(found))
    assert (np.diff(reached) <= 1e-6).all()
    best = reference.nonnegative_dictionary(A, B).T
    np.testing.assert_allclose(found, best, atol=2e-3)
    assert reached[1] > surrogate(best) + 1e-4


def test_ol_lef_learns_as_the_paper_says():
    V, W, H = problem(n=12)
    rule = LefevreRule(0.01, 0.9, 1e-6, 100)
    A = B = np.zeros((20, 4))
    expected = W.T
    for part in (slice(0, 5), slice(5, 12)):
        W, encoding = learnt(rule, V[part], W, H[part])
        expected, A, B = reference.itakura_saito_dictionary(
            expected, A, B, V[part].T, encoding.H.T.astype(float), 0.01, 0.9
        )
        np.testing.assert_allclose(W, expected.T, rtol=1e-3, atol=1e-5)


def test_ol_wang_refuses_what_would_not_fit_in_memory():
    layout = Layout(1080, 1920, Planes.RGB)
    with pytest.raises(CleanplateError, match="choose a rank of at most 6"):
        build("ol-wang", layout, rank=49)
    with pytest.raises(CleanplateError, match="make the frames smaller"):
        check_size(5, 1 << 29)
    check_size(5, layout.n_values)


# -- the methods


PARTS = Layout(6, 8, Planes.GREY)


def parts(n, outliers=0.0, seed=0):
    """Images of four parts that do not overlap, each as bright as it happens to be; outliers are white pixels."""
    rng = np.random.default_rng(seed)
    W = np.kron(np.eye(4), 0.5 + rng.random(12)).reshape(4, 4, 12).transpose(0, 2, 1).reshape(4, 48)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    clean = (rng.random((n, 4)) * (rng.random((n, 4)) < 0.7) + 0.05) @ W
    V = np.where(rng.random(clean.shape) < outliers, 1, clean)
    return W, clean.astype(np.float32), V.astype(np.float32)


@pytest.mark.parametrize(("key", "outliers"), [("onmf", 0), ("ol-wang2", 0), ("ol-lef", 0), ("ol-wang", 0.05)])
def test_planted_parts_are_found(key, outliers):
    W, _, V = parts(600, outliers)
    # Where the first guesses fade by a factor, it is to be few of these few samples in which they do.
    fade = {"ol-lef": {"forgetting": 0.98}, "ol-wang": {"forgetting": 0.9}}
    method = build(key, PARTS, rank=4, batch=10, **fade.get(key, {}))
    for _ in range(2):
        for i in range(0, len(V), 10):
            method.step_batch(V[i : i + 10])
    found = method.W.T / np.linalg.norm(method.W.T, axis=1, keepdims=True)
    assert (W @ found.T).max(axis=1).min() > 0.97


def test_orpca_separates_a_planted_low_rank_part_from_outliers():
    _, clean, V = parts(600, 0.05)
    method = build("orpca", PARTS, rank=4, lam=0.05, lam_low_rank=0.05)
    for i in range(0, len(V), 10):
        method.step_batch(V[i : i + 10])
    encoding = method.transform_batch(V)
    error = np.linalg.norm(encoding.background - clean) / np.linalg.norm(clean)
    plain = squared_error(V, np.linalg.svd(V)[2][:4], V @ np.linalg.svd(V)[2][:4].T, 1)
    assert error < 0.1 < 0.5 * np.linalg.norm(plain.background - clean) / np.linalg.norm(clean)
    hit = clean != V
    assert encoding.outliers[hit].mean() > 0.5


@pytest.mark.parametrize("key", [row.key for row in ROWS])
def test_drawn_faces_give_finite_factors(key):
    source = open_source(InputSpec("sample:faces"))
    frames = [frame.values for frame, _ in zip(source.frames(), range(30), strict=False)]
    method = build(key, source.info.layout, rank=9)
    splits = [method.step(v) for v in frames]
    source.close()
    assert np.isfinite(method.W).all()
    assert all(np.isfinite(split.h).all() for split in splits)
    assert key == "orpca" or (method.W.min() >= 0 and min(split.h.min() for split in splits) >= 0)
    first, last = (np.linalg.norm(split.residual) for split in (splits[0], method.transform(frames[0])))
    assert last < first
