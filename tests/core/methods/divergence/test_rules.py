import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.divergence.rows import CHOICES, ROWS
from core.methods.divergence.rules import DivergentSet
from core.nmf import divergence_families
from core.nmf.dictionaries.divergent import GradientStep, project_onto_floored_sums
from core.nmf.divergences import SMOOTHED
from tests.core.planted import planted
from tests.reference import zhao_tan_xu as reference

DELTA = 10 / 255
LAYOUT = Layout(8, 9, Planes.GREY)
MAKE = {choice.key: choice.make for choice in CHOICES}
VALUES = {
    "delta": DELTA, "floor": 1 / 510, "alpha": reference.ALPHA, "beta": reference.BETA, "gamma": reference.GAMMA,
}  # fmt: skip
each = pytest.mark.parametrize("name", MAKE)


def small(seed=0, n=5, F=6, K=3):
    rng = np.random.default_rng(seed)
    return 0.1 + rng.random((n, F)), 0.1 + rng.random((K, F)), 0.1 + rng.random((n, K))


# -- the set of the dictionary


def test_the_projection_is_the_nearest_point_of_the_set():
    rng = np.random.default_rng(0)
    least, highest = 0.3, 1.5
    W = rng.standard_normal((4, 200)) * rng.choice([0.1, 1, 3], 200)
    expected = reference.project(W.T, least, highest).T
    found = project_onto_floored_sums(W.copy(), least, highest)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    inside = project_onto_floored_sums(2 * rng.random(W.shape), least, highest)
    # No point of the set lies beyond the plane through the nearest point, square to the way there.
    assert np.einsum("kf,kf->f", W - found, inside - found).max() < 1e-12
    clipped = np.clip(W, 0, highest)
    lifted = clipped + np.maximum(0, least - clipped.sum(axis=0)) / len(W)
    assert not np.allclose(lifted, expected, atol=1e-3), "lifting what was clipped evenly is not the projection"


def test_the_projection_holds_in_single_precision_at_the_papers_bounds():
    W = np.array([[-1, -0.5, 3e8, 0], [-2, 1e-9, 1, 0]], np.float32)
    found = project_onto_floored_sums(W.copy())
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[:, 0], [1e-8, 0], atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=0)[[1, 3]], 1e-8, rtol=1e-5)
    assert found[0, 2] == np.float32(1e8)


# -- the gradient step


@each
def test_a_step_follows_the_papers_gradient_in_units_of_the_curvature(name):
    V, W, H = small()
    divergence = MAKE[name](VALUES)
    found = GradientStep(divergence, 1e4, 1e4).step(V, W, H)
    G = reference.gradient(name, V.T, W.T, H.T, DELTA).T
    weights = np.broadcast_to(divergence.weights(V, H @ W), V.shape)
    curvature = sum(np.outer(h, h.sum() * q) for h, q in zip(H, weights, strict=True)) / len(V)
    eta = 1e4 / (1e4 + len(V))
    np.testing.assert_allclose(found, reference.project((W - eta * G / curvature).T, 1e-8, 1e8).T, rtol=1e-9)


@each
def test_a_whole_step_lowers_the_divergence_of_its_mini_batch_and_a_tenfold_one_does_not(name):
    better = []
    for stretch in (1, 10):
        V, W, H = small(3, n=20)
        V = V.mean(axis=0) * (1 + 0.05 * np.random.default_rng(0).standard_normal(V.shape))
        d = MAKE[name](VALUES)
        H *= V.mean() / (H @ W).mean()
        after = W + stretch * (GradientStep(d, 1e8, 1).step(V, W, H) - W)
        better.append(d.values(V, H @ np.maximum(after, 0)).sum() < d.values(V, H @ W).sum())
    assert better == [True, False]


@each
def test_no_step_raises_the_divergence_of_its_mini_batch_when_light_comes_back(name):
    rng = np.random.default_rng(0)
    still, d, W = 0.2 + 0.6 * rng.random(64), MAKE[name](VALUES), 0.1 + rng.random((2, 64))
    step = GradientStep(d, 1e8, 1)
    for light in [1.0] * 20 + [0.3] * 40 + [1.0] * 20:
        V = light * still * (1 + 0.02 * rng.standard_normal((20, 64)))
        H = np.full((20, 2), V.mean() / W.sum(axis=0).mean())
        after = step.step(V, W, H)
        assert d.values(V, H @ after).sum() <= d.values(V, H @ W).sum() * (1 + 1e-9)
        W = after


@each
def test_a_brighter_dictionary_with_smaller_coefficients_learns_the_same(name):
    V, W, H = small()
    plain, scaled = (GradientStep(MAKE[name](VALUES), 1e4, 1e4) for _ in range(2))
    for _ in range(3):
        moved, brighter = plain.step(V, W, H), scaled.step(V, 1000 * W, H / 1000)
        np.testing.assert_allclose(brighter, 1000 * moved, rtol=1e-9)


def test_steps_become_shorter_as_the_paper_says():
    V, W, H = small()
    step = GradientStep(MAKE["l2sq"](VALUES), 5, 10)
    lengths = [np.abs(step.step(V, W, H) - W).max() for _ in range(3)]
    expected = [5 / (10 + len(V) * t) for t in (1, 2, 3)]
    np.testing.assert_allclose(np.array(lengths) / lengths[0], np.array(expected) / expected[0], rtol=1e-9)


def test_columns_that_join_move_no_faster_than_the_others():
    V, W, H = small()
    step = GradientStep(MAKE["kl"](VALUES), 1e4, 1e4)
    step.step(V, W, H)
    step.keep(np.array([2, 0]), 1)
    assert step.state()["curvature"].shape == (3, V.shape[1])
    assert (step.state()["curvature"][2] >= step.state()["curvature"][:2].max(axis=0)).all()


# -- multiplicative updates


@each
def test_an_iteration_is_the_papers_multiplicative_update(name):
    V, W, H = small()
    found_W, found_H, objective = DivergentSet(MAKE[name](VALUES), 1e-4, 60).improve(V, W, H)
    beta = {"is": 0, "kl": 1, "l2sq": 2, "beta": reference.BETA}.get(name)
    if name == "alpha":
        expected_W, expected_H = reference.alpha_updates(reference.ALPHA, V.T, W.T, H.T)
    elif name == "ab":
        expected_W, expected_H = reference.alpha_beta_updates(*reference.AB, 1, V.T, W.T, H.T)
    elif name == "gamma":
        expected_W, expected_H = reference.gamma_updates(V.T, W.T, H.T)
    elif beta is None:
        expected_W, expected_H = reference.weighted_updates(name, V.T, W.T, H.T, DELTA, SMOOTHED)
    else:
        expected_W, expected_H = reference.beta_updates(beta, 0.5 if name == "is" else 1, V.T, W.T, H.T)
    np.testing.assert_allclose(found_H, expected_H.T, rtol=1e-9)
    np.testing.assert_allclose(found_W, expected_W.T, rtol=1e-9)
    model = zip(V, found_H @ found_W, strict=True)
    assert objective == pytest.approx(np.mean([reference.divergence(name, v, u, DELTA, SMOOTHED) for v, u in model]))


def objectives_of(divergence, V, seed=1, n=60, K=4):
    rng = np.random.default_rng(seed)
    W = rng.random((K, V.shape[1]), dtype=np.float32) + np.float32(0.1)
    H = rng.random((len(V), K), dtype=np.float32)
    H[::3, 1] = 0
    rule = DivergentSet(divergence, 1e-4, 60)
    rule.begin(V, W, H)
    objectives = []
    for _ in range(n):
        W, H, objective = rule.improve(V, W, H)
        objectives.append(objective)
        assert np.isfinite(W).all()
        assert min(W.min(), H.min()) >= 0
    return np.array(objectives)


@each
def test_multiplicative_updates_never_raise_the_objective(name):
    V, *_ = planted()
    divergence = MAKE[name](VALUES)
    objectives = objectives_of(divergence, V)
    assert (np.diff(objectives) <= 1e-5 * objectives[:-1]).all()
    assert objectives[-1] < 0.95 * objectives[0]


def with_black(n=60):
    """Samples of four parts, every fifth of them black all over, and some values black throughout."""
    rng = np.random.default_rng(0)
    V = (rng.random((n, 4)) @ rng.random((4, LAYOUT.n_values)) / 4).astype(np.float32)
    V[::5] = 0
    V[:, :7] = 0
    return V


def objectives_of_the_program(name):
    row = next(row for row in ROWS if row.key == f"b-{name}")
    method = row.build(LAYOUT, {**row.defaults(), "rank": 6, "iterations": 60, "tolerance": 0}, 0)
    method.gather(with_black())
    return np.array(method.fit()), method


@each
def test_nor_do_they_from_the_start_that_the_program_makes_where_frames_are_black(name):
    objectives, method = objectives_of_the_program(name)
    assert len(objectives) == 60
    assert (np.diff(objectives) <= 1e-5 * objectives[:-1]).all()
    assert method.transform(with_black()[0]).background.max() < 0.01


def test_that_sees_black_frames_that_have_weight(monkeypatch):
    monkeypatch.setattr(divergence_families, "_has_shape", lambda V: np.ones(len(V), bool))
    objectives, _ = objectives_of_the_program("gamma")
    assert (np.diff(objectives) > 1e-3 * objectives[:-1]).any()


def test_that_sees_an_exponent_that_is_too_large(monkeypatch):
    V, *_ = planted()
    divergence = MAKE["kl"](VALUES)
    monkeypatch.setattr(type(divergence), "exponent", 2.1)
    objectives = objectives_of(divergence, V, n=20)
    assert (np.diff(objectives) > 1e-5 * objectives[:-1]).any()


# -- what is learnt


def build(key, V, **chosen):
    row = next(row for row in ROWS if row.key == key)
    method = row.build(LAYOUT, {**row.defaults(), "rank": 4, **chosen}, 0)
    if key.startswith("b-"):
        method.gather(V)
        method.fit()
    else:
        for _ in range(20):
            for first in range(0, len(V), 20):
                method.step_batch(V[first : first + 20])
    return method


def closest(W, truth):
    """Return for each true part its cosine with the most similar column (F, K)."""
    W = W / np.linalg.norm(W, axis=0)
    return (truth / np.linalg.norm(truth, axis=1, keepdims=True) @ W).max(axis=1)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_planted_parts_are_found_again(row):
    _, truth, clean, _ = planted(n=200)
    clean = np.maximum(clean, 1 / 255)  # Ratios to black say nothing.
    method = build(row.key, clean, **({"iterations": 300, "tolerance": 1e-6} if row.key.startswith("b-") else {}))
    assert np.isfinite(method.W).all()
    assert method.W.min() >= 0
    cosines = closest(method.W, truth)
    assert (cosines > 0.99).all()


@pytest.mark.parametrize("kind", ["ol", "b"])
def test_robust_divergences_see_past_spoiled_pixels_where_the_squared_error_does_not(kind):
    V, _, clean, _ = planted(n=200)
    more = {"iterations": 300, "tolerance": 1e-6} if kind == "b" else {}
    errors = {
        name: np.linalg.norm(build(f"{kind}-{name}", V, **more).transform_batch(V).background - clean)
        for name in ("l2sq", "huber", "l1")
    }
    assert errors["huber"] < 0.2 * errors["l2sq"]
    assert errors["l1"] < 0.2 * errors["l2sq"]


def test_outliers_of_huber_are_what_exceeds_delta():
    V, *_ = planted()
    split = build("ol-huber", V).transform(V[0])
    beyond = np.sign(split.residual) * np.maximum(np.abs(split.residual) - np.float32(DELTA), 0)
    np.testing.assert_allclose(split.outliers, beyond, atol=1e-6)
    assert build("ol-kl", V[:20]).transform(V[0]).outliers is None
