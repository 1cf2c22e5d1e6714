"""Constraint sets: each projection is the nearest point of its set."""

import numpy as np
import pytest

from core.nmf.constraints import ElasticNetBall, FixedNorm, NonnegativeBall, NonnegativeOrthant, Simplex
from tests.reference import extensions

G1, G2 = 0.7, 0.9
SETS = {
    "orthant": (NonnegativeOrthant(), extensions.MEMBERS["orthant"], {}),
    "ball": (NonnegativeBall(), extensions.MEMBERS["ball"], {"bound": lambda w: 1 - w @ w}),
    "simplex": (Simplex(), extensions.MEMBERS["simplex"], {"equation": lambda w: w.sum() - 1}),
    "elastic net": (
        ElasticNetBall(G1, G2), lambda w: extensions.MEMBERS["elastic-net"](w, G1, G2),
        {"bound": lambda w: 1 - G1 * w.sum() - G2 / 2 * w @ w},
    ),
    "l1 ball": (
        ElasticNetBall(1.0, 0.0), lambda w: extensions.MEMBERS["elastic-net"](w, 1.0, 0.0),
        {"bound": lambda w: 1 - w.sum()},
    ),
}  # fmt: skip
sets = pytest.mark.parametrize("name", SETS)


def points(n=12, size=7, seed=0):
    """Points inside and outside of every set."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, size)) * rng.choice([0.1, 1, 10], (n, 1)) + 0.2


@sets
def test_projection_is_the_point_that_a_general_minimiser_finds(name):
    found, _, general = SETS[name]
    for x in points():
        np.testing.assert_allclose(found.project(x[None].copy())[0], extensions.project(x, **general), atol=2e-6)


@sets
def test_projection_satisfies_the_variational_inequality(name):
    """⟨x − Px, y − Px⟩ ≤ 0 for every y of the set: that makes Px the nearest point, and nothing else does."""
    found, inside, _ = SETS[name]
    x, y = points(40, 30), points(40, 30, seed=1)
    projected, others = found.project(x.copy()), found.project(y.copy())
    for p in projected:
        assert inside(p) >= -1e-12
    products = np.einsum("ip,ijp->ij", x - projected, others[None] - projected[:, None])
    assert products.max() <= 1e-9
    np.testing.assert_allclose(found.project(projected.copy()), projected, atol=1e-12)


def test_that_inequality_finds_a_point_that_is_only_in_the_set():
    x, y = points(40, 30), Simplex().project(points(40, 30, seed=1))
    wrong = np.stack([extensions.wrongly_project_on_simplex(row) for row in x])
    assert np.einsum("ip,ijp->ij", x - wrong, y[None] - wrong[:, None]).max() > 1e-3


@sets
def test_projection_in_single_precision_is_the_same_and_stays_so(name):
    found = SETS[name][0]
    x = points(6, 5000).astype(np.float32)
    projected = found.project(x.copy())
    assert projected.dtype == np.float32
    np.testing.assert_allclose(projected, found.project(x.astype(np.float64)), atol=1e-5)


@sets
def test_dividing_by_the_excess_brings_a_basis_image_into_the_set_and_leaves_those_that_are(name):
    found, inside, _ = SETS[name]
    W = np.abs(points())
    scaled = W / found.excess(W)[:, None]
    for w in scaled:
        assert inside(w) >= -2e-5
    np.testing.assert_array_equal(found.excess(scaled), 1)
    assert np.all(found.excess(np.zeros((2, 5))) == 1)


@pytest.mark.parametrize("name", ["ball", "simplex", "elastic net", "l1 ball"])
def test_the_column_norm_is_that_of_the_brightest_flat_image_of_the_set(name):
    found, inside, _ = SETS[name]
    flat = np.full(50, found.column_norm(50) / 50**0.5)
    assert inside(flat) == pytest.approx(0, abs=1e-12)
    assert inside(flat * 1.01) < 0


def test_the_elastic_net_ball_holds_the_ball_and_the_orthant_as_its_ends():
    x = points()
    np.testing.assert_allclose(ElasticNetBall(0.0, 2.0).project(x.copy()), NonnegativeBall().project(x.copy()))
    np.testing.assert_array_equal(ElasticNetBall(0.0, 0.0).project(x.copy()), np.maximum(x, 0))
    assert ElasticNetBall(0.0, 0.0).column_norm(9) == 1


def test_where_norms_are_fixed_no_image_of_that_norm_is_nearer():
    rng = np.random.default_rng(2)
    found, x = FixedNorm(0.8), points(40, 3)
    x[0] = [-1, -0.5, -2]
    x[1] = 0
    projected = found.project(x.copy())
    np.testing.assert_allclose(np.linalg.norm(projected, axis=1), 0.8)
    assert projected.min() == 0
    others = np.abs(rng.standard_normal((20_000, 3))) * (rng.random((20_000, 3)) < 0.7) + 1e-12
    others *= 0.8 / np.linalg.norm(others, axis=1, keepdims=True)
    nearest = np.linalg.norm(x[:, None] - others, axis=2).min(axis=1)
    assert (np.linalg.norm(x - projected, axis=1) <= nearest + 1e-9).all()
    np.testing.assert_allclose(found.excess(3 * projected), 3)
    np.testing.assert_array_equal(found.excess(np.zeros((2, 3))), 1)
