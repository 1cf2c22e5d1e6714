"""Penalties: each proximal operator is the minimiser; groups are what they are called."""

import numpy as np
import pytest
from scipy.optimize import minimize

from core.nmf.groups import ImageBlocks, Runs
from core.nmf.outlier_losses import OutlierLoss, PenalisedLoss
from core.nmf.penalties import ElasticNet, Lasso, NoPenalty, Ridge, SparseGroupLasso, WithRidge
from tests.reference import extensions

SHAPES = ((3, 4), (2, 2))
BLOCKS = ImageBlocks(SHAPES, 2)
LISTS = extensions.blocks(SHAPES, 2)
PENALTIES = {
    "none": (NoPenalty(), {}),
    "lasso": (Lasso(0.3), {"lasso": 0.3}),
    "ridge": (Ridge(0.8), {"ridge": 0.8}),
    "elastic net": (ElasticNet(0.3, 0.8), {"lasso": 0.3, "ridge": 0.8}),
    "lasso with ridge": (WithRidge(Lasso(0.3), 0.8), {"lasso": 0.3, "ridge": 0.8}),
    "group with ridge": (
        WithRidge(SparseGroupLasso(0.2, 0.3, BLOCKS), 0.8),
        {"lasso": 0.2, "ridge": 0.8, "group": 0.3, "groups": LISTS},
    ),
    "group": (SparseGroupLasso(0.0, 0.4, BLOCKS), {"group": 0.4, "groups": LISTS}),
    "sparse group": (SparseGroupLasso(0.2, 0.3, BLOCKS), {"lasso": 0.2, "group": 0.3, "groups": LISTS}),
}
INTERVALS = {"free": (-np.inf, np.inf), "nonnegative": (0, np.inf), "box": (-0.3, 0.5), "half box": (0, 0.4)}
penalties = pytest.mark.parametrize("name", PENALTIES)
intervals = pytest.mark.parametrize("interval", INTERVALS.values(), ids=INTERVALS.keys())


def points(n=8, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 16)) * rng.choice([0.1, 0.5, 2], (n, 1))


def test_runs_grow_by_as_many_entries_as_they_are_told():
    X = np.arange(10.0)[None]
    for sizes, growth, expected in (
        ((3,), 0, [3, 3, 3, 1]), ((1,), 1, [1, 2, 3, 4]), ((2,), 3, [2, 5, 3]), ((12,), 2, [10]),
        ((4, 1, 2), 0, [4, 1, 2, 2, 1]), ((4, 1, 3), 1, [4, 1, 3, 2]), ((2, 9, 4), 0, [2, 8]),
    ):  # fmt: skip
        runs = Runs(sizes, growth)
        assert runs.sizes(10).tolist() == expected
        assert runs.sums(X)[0].tolist() == [part.sum() for part in np.split(X[0], np.cumsum(expected)[:-1])]
        assert runs.spread(runs.sizes(10)[None], 10)[0].tolist() == np.repeat(expected, expected).tolist()


@penalties
def test_a_penalty_is_what_its_formula_says_summed_over_rows(name):
    penalty, formula = PENALTIES[name]
    X = points()
    assert penalty.value(X) == pytest.approx(sum(extensions.penalty(x, **formula) for x in X))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_bound_that_cuts_one_group_leaves_another_that_is_gone_at_nothing(dtype):
    X = np.full((1, 16), 0.1, dtype)
    X[0, LISTS[0]] = 2
    Z = SparseGroupLasso(0.0, 0.4, BLOCKS).prox(X, 1.0, -np.inf, 0.5)
    np.testing.assert_array_equal(Z[0, LISTS[0]], dtype(0.5))
    assert not np.delete(Z, LISTS[0]).any(), "not by a hair either"


def short_of_a_minimum(value, Z, X, low, high, rng):
    """How much a random feasible step, long or short, can gain over ``Z``; 0 or less at the minimiser."""
    gains = []
    for _ in range(60):
        direction = rng.standard_normal(X.shape) * (rng.random(X.shape) < rng.choice([0.1, 0.5, 1]))
        other = np.clip(Z + 10 ** rng.uniform(-6, 0) * direction, low, high)
        gains.append(value(Z) - value(other))
    gains += [value(Z) - value(np.clip(c * Z, low, high)) for c in (0, 0.99, 1.01)]
    return max(gains)


@penalties
@intervals
def test_the_proximal_operator_is_the_minimiser(name, interval):
    penalty, formula = PENALTIES[name]
    low, high = interval
    rng = np.random.default_rng(1)
    for X in points(3)[:, None]:
        kept = X.copy()
        Z = penalty.prox(X, 0.7, low, high)
        assert np.array_equal(X, kept)
        assert Z.min() >= low
        assert Z.max() <= high

        def value(Z, X=X):
            return 0.5 * np.sum((Z - X) ** 2) + 0.7 * extensions.penalty(Z[0], **formula)

        assert short_of_a_minimum(value, Z, X, low, high, rng) <= 1e-12
        bounds = [(low, high)] * 16
        general = minimize(lambda z: value(z[None]), Z[0] + 0.01, bounds=bounds, method="L-BFGS-B")
        assert value(Z) <= general.fun + 1e-7


def test_that_search_finds_a_group_that_was_clipped_after_it_was_shortened():
    """The obvious shortcut for a bounded group, and not the minimiser."""
    penalty, formula = PENALTIES["group"]
    X = np.full((1, 16), 1.2)
    X[0, ::3] = 0.2
    wrong = np.clip(penalty.prox(X, 0.7), -0.3, 0.5)

    def value(Z):
        return 0.5 * np.sum((Z - X) ** 2) + 0.7 * extensions.penalty(Z[0], **formula)

    assert short_of_a_minimum(value, wrong, X, -0.3, 0.5, np.random.default_rng(2)) > 1e-6
    assert value(penalty.prox(X, 0.7, -0.3, 0.5)) < value(wrong) - 1e-3


@penalties
def test_single_precision_stays_single(name):
    penalty, _ = PENALTIES[name]
    X = points()
    for low, high in INTERVALS.values():
        found = penalty.prox(X.astype(np.float32), 0.7, low, high)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, penalty.prox(X, 0.7, low, high), atol=1e-6)


@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_image_blocks_are_squares_of_each_plane(size):
    shapes = ((5, 7), (3, 4), (1, 1))
    blocks, lists = ImageBlocks(shapes, size), extensions.blocks(shapes, size)
    X = np.random.default_rng(3).random((2, 48))
    wanted = np.array([[x[g].sum() for g in lists] for x in X])
    np.testing.assert_allclose(blocks.sums(X), wanted)
    np.testing.assert_array_equal(blocks.sizes(48), [len(g) for g in lists])
    spread = blocks.spread(wanted, 48)
    for g, column in zip(lists, wanted.T, strict=True):
        np.testing.assert_array_equal(spread[:, g], np.repeat(column[:, None], len(g), axis=1))


def test_runs_follow_each_other_and_the_last_may_be_shorter():
    X = np.arange(10.0).reshape(2, 5)
    np.testing.assert_array_equal(Runs((2,)).sums(X), [[1, 5, 4], [11, 15, 9]])
    np.testing.assert_array_equal(Runs((2,)).sizes(5), [2, 2, 1])
    np.testing.assert_array_equal(Runs((2,)).spread(np.array([[1.0, 2, 3]]), 5), [[1, 1, 2, 2, 3]])
    np.testing.assert_array_equal(Runs((9,)).sizes(5), [5])


def test_a_lasso_loss_by_its_penalty_is_that_of_the_kernel():
    e = points()
    for low, high in ((-0.4, 0.4), (0.0, 0.5), (-np.inf, np.inf)):
        kernel, composed = OutlierLoss(0.3, low, high), PenalisedLoss(Lasso(0.3), 0.3, low, high)
        for a, b in zip(kernel.capped(e), composed.capped(e), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-12)
        assert kernel.penalty(e) == pytest.approx(composed.penalty(e))
        np.testing.assert_allclose(kernel.shrink(e.copy(), 0.6), composed.shrink(e.copy(), 0.6), atol=1e-12)


@pytest.mark.parametrize("loss", [OutlierLoss(0.3, -0.5, 0.5), PenalisedLoss(Lasso(0.3), 0.3, -0.5, 0.5)])
def test_losses_of_samples_are_those_of_each_by_itself(loss):
    e = points().astype(np.float32)
    assert loss.losses(e).tolist() == [loss.capped(row[None])[1] for row in e]


@penalties
def test_the_slope_of_a_loss_is_what_is_left_beside_the_outliers(name):
    loss, rng = PenalisedLoss(PENALTIES[name][0], 0.3, -0.5, 0.5), np.random.default_rng(4)
    e, direction = points(), rng.standard_normal((8, 16))
    (left, _), step = loss.capped(e), 1e-5
    slope = (loss.capped(e + step * direction)[1] - loss.capped(e - step * direction)[1]) / (2 * step)
    assert np.vdot(left, direction) == pytest.approx(slope, rel=1e-4)
