"""Automatic rank: a planted rank is found from above, what goes is taken over, and nothing goes that is of use."""

import itertools

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.nmf.relevance_determination import SETTLED_SAMPLES, RankEvidence, least_relevant, relevances
from core.session.model import Model
from core.session.session import Session
from core.session.settings import Settings

LAYOUT = Layout(20, 20, Planes.GREY)
EVIDENCE = RankEvidence(n_samples=400, n_values=100, dispersion=1e-3, mean=0.3)


def objective(V, H, W, evidence):
    """Tan & Févotte's objective with each relevance at its best, and scales of w and h that make the sum least."""
    N, F = V.shape
    fit = 0.5 * np.sum((V - H @ W) ** 2) / evidence.dispersion
    b, c = evidence.floor(len(W)), (F + N) / 2 + 5 + 1
    cost = 0.0
    for h, w in zip(H.T, W, strict=True):
        scales = np.geomspace(1e-4, 1e4, 4001)
        least = min(0.5 * s**2 * (w @ w) + 0.5 * (h @ h) / s**2 for s in scales) if h.any() else 0.0
        cost += c * np.log((least + b) / c)
    return fit + cost


@pytest.fixture
def factors():
    """Factors of three parts and a small fourth that nearly follows from the others: H (400, 4), W (4, 100)."""
    rng = np.random.default_rng(0)
    W = np.abs(rng.standard_normal((4, 100)))
    W[3] = 0.5 * W[0] + 0.3 * W[1] + 0.1 * np.abs(rng.standard_normal(100))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    return rng.random((400, 4)) * [1, 1, 1, 0.1], W


def test_the_gain_is_the_fall_of_the_objective_that_the_paper_minimises(factors):
    """Dropped for nothing: the fit term alone must rise by what the criterion charges, the rest fall by its gain."""
    H, W = factors
    before = objective(H @ W, H, W, EVIDENCE)
    gains = EVIDENCE.cost * np.log(relevances(H.T @ H / 400, W @ W.T, EVIDENCE))
    for k in range(4):
        without = H.copy()
        without[:, k] = 0
        rise = 0.5 * np.sum(np.outer(H[:, k], W[k]) ** 2) / EVIDENCE.dispersion
        assert before - objective(H @ W, without, W, EVIDENCE) + rise == pytest.approx(gains[k], rel=1e-4)


def test_what_goes_is_taken_over_by_the_others(factors):
    H, W = factors
    A, G = H.T @ H / 400, W @ W.T
    fold = least_relevant(A, G, EVIDENCE)
    assert list(fold.kept) == [0, 1, 2]
    assert fold.into_coefficients
    after = fold.coefficients(H) @ fold.dictionary(W)
    dropped = H[:, :3] @ W[:3]
    assert np.linalg.norm(H @ W - after) < 0.3 * np.linalg.norm(H @ W - dropped)
    np.testing.assert_allclose(fold.products(A), fold.coefficients(H).T @ fold.coefficients(H) / 400)
    B = H.T @ (H @ W) / 400
    np.testing.assert_allclose(fold.weighted(B), fold.coefficients(H).T @ (H @ W) / 400)


def test_a_column_whose_coefficients_follow_another_goes_into_its_basis_image(factors):
    H, W = factors
    W[3] = np.random.default_rng(1).permutation(W[3])
    H[:, 3] = 0.7 * H[:, 0]
    fold = least_relevant(H.T @ H / 400, W @ W.T, EVIDENCE)
    assert not fold.into_coefficients
    np.testing.assert_allclose(fold.coefficients(H) @ fold.dictionary(W), H @ W, atol=1e-6)


def test_nothing_goes_that_is_worth_its_cost_nor_before_there_is_evidence(factors):
    H, W = factors
    A, G = (H.T @ H / 400)[:3, :3], (W @ W.T)[:3, :3]
    assert least_relevant(A, G, EVIDENCE) is None
    assert least_relevant(A[:1, :1], G[:1, :1], EVIDENCE) is None
    noisy = RankEvidence(400, 100, 1.0, 0.3)
    assert least_relevant(A, G, noisy) is not None, "in such noise it is not"
    assert least_relevant(A, G, RankEvidence(SETTLED_SAMPLES - 1, 100, 1.0, 0.3)) is None
    unused = np.diag([1.0, 1.0, 0.0])
    assert list(least_relevant(unused, G, EVIDENCE).kept) == [0, 1]
    assert relevances(unused, G, EVIDENCE)[2] == 1


def planted(n, seed=0):
    """Samples (n, F) of four disjoint parts, with a share of bright outliers; and the samples without."""
    rng = np.random.default_rng(seed)
    W = np.zeros((4, 20, 20), np.float32)
    for k, (y, x) in enumerate(((0, 0), (0, 10), (10, 0), (10, 10))):
        W[k, y : y + 10, x : x + 10] = 0.2 + 0.3 * rng.random((10, 10))
    H = (0.2 + rng.random((n, 4))) * (rng.random((n, 4)) < 0.5)
    clean = (H @ W.reshape(4, -1) + 0.01 * rng.standard_normal((n, 400))).astype(np.float32).clip(0)
    return np.where(rng.random(clean.shape) < 0.05, np.float32(1), clean), clean


def trained(key, V, **chosen):
    row = catalogue.row(key)
    method = row.build(LAYOUT, {**row.defaults(), "rank": 12, **chosen}, 0)
    for v in V:
        method.step(v)
    return method


@pytest.mark.parametrize("key", ["opgd", "oadmm"])
def test_a_planted_rank_is_found_from_above_and_the_fit_is_better_for_it(key):
    """Exactly for most draws; a column that has begun to follow outliers may stay, but none is missing."""
    ranks = []
    for seed in range(3):
        V, clean = planted(180, seed)
        errors = {}
        for auto_rank in (False, True):
            method = trained(key, V, auto_rank=auto_rank)
            found = np.stack([method.transform(v).background for v in V[:40]])
            errors[auto_rank] = np.linalg.norm(found - clean[:40]) / np.linalg.norm(V[:40] - clean[:40])
        ranks.append(method.W.shape[1])
        assert method.values["rank"] == 12, "the rank that was set is the most there may be"
        assert errors[True] < 0.7 * errors[False]
        assert errors[True] < 0.1
    assert min(ranks) == 4
    assert max(ranks) <= 6
    assert np.median(ranks) == 4


def test_a_rank_without_spare_columns_stays():
    V, _ = planted(240)
    assert trained("opgd", V, auto_rank=True, rank=4).W.shape[1] == 4


def test_switched_off_the_rank_that_was_set_comes_back():
    V, _ = planted(240)
    method = trained("opgd", V, auto_rank=True, rank=6, warm_up=0)
    assert method.W.shape[1] < 6
    method.set("auto_rank", False)
    method.step(V[0])
    assert method.W.shape[1] == 6
    method.set("auto_rank", True)
    ranks = [method.step(v).h.size for v in V[:80]]
    assert ranks[40] == 6, "new columns have time to be of use"
    assert ranks[-1] < 6


@pytest.mark.parametrize("key", ["opgd", "oadmm", "fast"])
def test_a_state_goes_on_dropping_where_it_was(key):
    V, _ = planted(160)
    row = catalogue.row(key)
    method = trained(key, V[:90], auto_rank=True, warm_up=0)
    other = row.build(LAYOUT, {**row.defaults(), "rank": 12, "auto_rank": True, "warm_up": 0}, 0)
    other.load(method.state())
    for v in V[90:]:
        assert np.array_equal(method.step(v).background, other.step(v).background)
    assert method.W.shape == other.W.shape


@pytest.mark.parametrize(("key", "rank"), [("fast", 5), ("opgd", 4)])
def test_on_video_columns_of_the_start_that_are_not_used_go_and_the_background_stays(key, rank):
    layout = Layout(30, 40, Planes.YCC420)
    still = 0.3 + 0.4 * np.random.default_rng(0).random(layout.n_values)
    row, backgrounds = catalogue.row(key), {}
    for auto_rank in (False, True):
        method = row.build(layout, {**row.defaults(), "rank": rank, "warm_up": 40, "auto_rank": auto_rank}, 0)
        rng, ranks = np.random.default_rng(1), []
        for t in range(400):
            v = still * (0.9 + 0.1 * np.cos(t / 20)) + 0.01 * rng.standard_normal(still.size)
            v[(np.arange(60) + 15 * t) % 1200] = 0.9
            split = method.step(layout.quantise(v))
            ranks.append(method.W.shape[1])
        backgrounds[auto_rank] = np.abs(split.background - still * (0.9 + 0.1 * np.cos(t / 20))).mean()
    assert ranks[39] == rank
    assert ranks[-1] == 1
    assert np.all(np.diff(ranks) <= 0)
    assert backgrounds[True] < 1.1 * backgrounds[False] + 1e-4
    method.set("auto_rank", False)
    method.step(layout.quantise(still))
    assert method.W.shape[1] == rank


def test_light_that_moves_keeps_the_columns_that_follow_it():
    layout = Layout(30, 40, Planes.GREY)
    rng = np.random.default_rng(0)
    still, ramp = 0.3 + 0.4 * rng.random((30, 40)), np.linspace(0, 1, 40)
    row = catalogue.row("fast")
    method = row.build(layout, {**row.defaults(), "rank": 4, "warm_up": 40, "auto_rank": True}, 0)
    for t in range(400):
        light = 0.8 + 0.2 * np.sin(t / 15) * ramp
        v = still * light + 0.01 * rng.standard_normal(still.shape)
        split = method.step(layout.quantise(v.ravel()))
    assert 2 <= method.W.shape[1] < 4
    assert np.abs(split.background - (still * light).ravel()).mean() < 0.01


def test_the_drawn_street_keeps_its_plate_and_a_model_of_it_loads():
    figures = {}
    for auto_rank in (False, True):
        values = {"auto_rank": auto_rank, "warm_up": 30}
        session = Session(open_source(InputSpec("sample:street")), Settings(method="fast", values=values))
        for report in itertools.islice(session.run(), 110):
            figures[auto_rank] = report.figures
    assert session.method.W.shape[1] < 3
    assert figures[True]["psnr_db"] > figures[False]["psnr_db"] - 0.1
    assert figures[True]["f_measure"] > figures[False]["f_measure"] - 0.01
    model = session.model()
    assert isinstance(model, Model)
    applied = Session(open_source(InputSpec("sample:street")), Settings(), model)
    assert applied.control.values["rank"] == session.method.W.shape[1]
    next(iter(applied.run()))
