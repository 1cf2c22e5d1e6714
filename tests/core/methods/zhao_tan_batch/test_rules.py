import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.methods.zhao_tan_batch import rules
from tests.reference import zhao_tan_batch

LAYOUT = Layout(6, 8, Planes.GREY)
K, N = 4, 60


def planted(seed=0, outliers=0.1):
    """Sparse nonnegative factors, and their product with a share of its entries brightened."""
    rng = np.random.default_rng(seed)
    W = rng.random((K, LAYOUT.n_values)) * (rng.random((K, LAYOUT.n_values)) < 0.4)
    H = rng.random((N, K)) * (rng.random((N, K)) < 0.6) + 0.05
    clean = H @ W / (H @ W).max()
    hit = rng.random(clean.shape) < outliers
    return W, clean, (clean + 0.6 * hit * rng.random(clean.shape)).astype(np.float32)


def start(V, seed=1):
    rng = np.random.default_rng(seed)
    W = rng.random((K, V.shape[1]), dtype=np.float32) + np.float32(0.1)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    return W, rng.random((len(V), K), dtype=np.float32) + np.float32(0.1)


def rule(key, **chosen):
    row = catalogue.row(key)
    return row.build(LAYOUT, {**row.defaults(), "lam": 0.05, **chosen}, 0).rule


def run(chosen_rule, V, W, H, n):
    objectives = []
    chosen_rule.begin(V, W, H)
    for _ in range(n):
        W, H, objective = chosen_rule.improve(V, W, H)
        objectives.append(objective)
    return W, H, objectives


def method(key, V, n=400, **chosen):
    row = catalogue.row(key)
    values = {**row.defaults(), "rank": K, "iterations": n, "tolerance": 1e-9, **chosen}
    found = row.build(LAYOUT, values, 3)
    found.gather(V)
    return found


@pytest.fixture(params=[1, 1 << 20], ids=["blocks of one sample", "one block"])
def _block_size(request, monkeypatch):
    monkeypatch.setattr(rules, "BLOCK_BYTES", request.param)


# -- the iterations are those of the papers


@pytest.mark.usefixtures("_block_size")
def test_gradient_iterations_are_the_papers():
    _, _, V = planted()
    W, H = start(V)
    slow = wrong = W.T, H.T
    for _ in range(6):
        slow = zhao_tan_batch.bpgd(V.T, *slow, 0.05, 0.9)
        wrong = zhao_tan_batch.bpgd(V.T, *wrong, 10.0, 0.9)
    plain = rule("bpgd", kappa=0.9, momentum=False, dictionary_steps=1)
    W, H, objectives = run(plain, V, W, H, 6)
    np.testing.assert_allclose(W.T, slow[0], atol=2e-5)
    np.testing.assert_allclose(H.T, slow[1], atol=2e-4)
    best = zhao_tan_batch.best_outliers(V.T, *slow, 0.05)
    assert objectives[-1] == pytest.approx(zhao_tan_batch.objective(V.T, *slow, best, 0.05) / N, rel=1e-4)
    assert np.abs(W.T - wrong[0]).max() > 1e-3, "the test would not notice that nothing is an outlier"


@pytest.mark.usefixtures("_block_size")
def test_admm_iterations_are_the_papers():
    _, _, V = planted()
    W, H = start(V)
    slow = zhao_tan_batch.Badmm(V.T.astype(np.float64), W.T, H.T, 0.05, 0.8)
    for _ in range(6):
        slow.iterate()
    W, H, _ = run(rule("badmm", rho=0.8), V, W, H, 6)
    np.testing.assert_allclose(W.T, slow.Z, atol=1e-4)
    np.testing.assert_allclose(H.T, slow.U, atol=1e-3)


@pytest.mark.usefixtures("_block_size")
def test_multiplicative_iterations_are_the_papers():
    _, _, V = planted()
    W, H = start(V)
    R = np.maximum(V - H @ W - np.float32(0.05), np.float32(0.01) * V)  # Just above zero, where ours begins.
    slow = W.T, H.T, R.T
    for _ in range(6):
        slow = zhao_tan_batch.rnmf_mu(V.T, *slow, 0.05)
    W, H, objectives = run(rule("rnmf-mu"), V, W, H, 6)
    np.testing.assert_allclose(W.T, slow[0], rtol=1e-3)
    np.testing.assert_allclose(H.T, slow[1], rtol=1e-3)
    assert objectives[-1] == pytest.approx(zhao_tan_batch.objective(V.T, *slow, 0.05) / N, rel=1e-4)


# -- what they reach


def rises(objectives):
    return max(np.diff(objectives) / np.array(objectives[1:]))


@pytest.mark.parametrize("key", ["bpgd", "rnmf-mu"])
def test_the_objective_never_rises(key):
    _, _, V = planted()
    assert rises(run(rule(key), V, *start(V), 200)[2]) < 1e-6


def test_steps_that_are_too_long_raise_it():
    _, _, V = planted()
    assert rises(run(rule("bpgd", kappa=3.0, momentum=False), V, *start(V), 50)[2]) > 1e-3


def test_the_objective_does_not_rise_on_account_of_an_automatic_penalty():
    _, _, V = planted()
    automatic = rule("bpgd", lam=None)
    first = automatic.loss.lam
    assert rises(run(automatic, V, *start(V), 100)[2]) < 1e-6
    assert first >= automatic.loss.lam >= LAYOUT.n_values**-0.5


def noisy(n, noise, layout, seed):
    rng = np.random.default_rng(seed)
    scene = 0.2 + 0.6 * np.random.default_rng(0).random(layout.n_values)
    V = np.outer(0.7 + 0.3 * rng.random(n), scene) + noise * rng.standard_normal((n, layout.n_values))
    return np.clip(V, 0, 1).astype(np.float32)


def of_noisy(key, **chosen):
    row, layout = catalogue.row(key), Layout(40, 40, Planes.GREY)
    found = row.build(layout, {**row.defaults(), "rank": 2, "iterations": 60, **chosen}, 0)
    found.gather(noisy(20, 0.002, layout, 1))
    return found, noisy(40, 0.06, layout, 2)


@pytest.mark.parametrize("key", ["bpgd", "badmm"])
def test_each_set_is_judged_by_its_own_noise(key):
    learnt, more = of_noisy(key)
    learnt.fit()
    loaded, _ = of_noisy(key)
    loaded.load(learnt.state())
    assert loaded.rule.loss == learnt.rule.loss, "a model encodes by the noise that it has learnt"
    for found in (learnt, loaded):
        before = found.rule.loss.lam
        found.gather(more)
        found.fit()
        assert found.rule.loss.lam > 1.3 * before


def test_a_dead_column_is_not_taken_for_pictures_without_noise():
    layout, rng = Layout(1024, 1024, Planes.GREY), np.random.default_rng(2)
    V = np.full((2, *layout.shapes[0]), 0.5, np.float32)
    V += rng.normal(0, 0.02, V.shape).astype(np.float32)
    W = np.full((1, layout.n_values), 1e-3, np.float32)
    H = np.full((2, 1), 500, np.float32)
    V[:, :, 0] = 0.5
    row = catalogue.row("bpgd")
    measured = row.build(layout, row.defaults(), 0).rule
    measured.begin(V.reshape(2, -1), W, H)
    assert measured.state()["sigma"] == pytest.approx(0.02, rel=0.05)


@pytest.mark.parametrize("key", ["bpgd", "badmm"])
def test_a_parameter_that_changes_meanwhile_does_not_raise_an_automatic_penalty(key):
    found, more = of_noisy(key, rank=3)
    found.gather(more)
    for _ in range(20):
        last = found.improve().objective
    before = found.rule.loss.lam
    assert before > 1 / 40, "it goes by the noise"
    found.set("encode_steps", 7)
    assert found.rule.loss.lam == before
    if key == "bpgd":
        assert found.improve().objective < last
    found.drop(0)
    assert found.rule.loss.lam <= before
    found.improve()
    assert found.rule.loss.lam <= before


def test_gradient_and_admm_reach_the_same_objective():
    _, _, V = planted()
    ends = [method(key, V, 1500, lam=0.05).fit()[-1] for key in ("bpgd", "badmm")]
    assert ends[0] == pytest.approx(ends[1], rel=0.02)


@pytest.mark.parametrize("key", ["bpgd", "badmm", "rnmf-mu"])
def test_planted_factors_are_recovered_from_under_outliers(key):
    planted_W, clean, V = planted()
    found = method(key, V, 1500, lam=0.02)
    found.fit()
    basis, truth = (W / np.linalg.norm(W, axis=1, keepdims=True) for W in (found.W.T, planted_W))
    assert (truth @ basis.T).max(axis=1).min() > 0.97
    error = np.sqrt(np.mean((found.encoding().background - clean) ** 2))
    plain = np.sqrt(np.mean((V - clean) ** 2))
    assert error < 0.1 * plain
    new = clean[:5].astype(np.float32)
    assert np.abs(found.transform_batch(new).background - new).mean() < 0.02


@pytest.mark.parametrize("key", ["bpgd", "badmm", "rnmf-mu"])
def test_a_rule_that_takes_up_the_past_of_another_encodes_alike(key):
    _, _, V = planted()
    learnt = rule(key, lam=None)
    W, H, _ = run(learnt, V, *start(V), 20)
    other = rule(key, lam=None)
    other.load(learnt.state())
    assert other.loss == learnt.loss
    assert np.array_equal(other.encode(V, W, H).background, learnt.encode(V, W, H).background)
