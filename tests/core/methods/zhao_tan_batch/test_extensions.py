"""Section VI of Zhao & Tan (2017) for the batch methods: sets, penalties, and what they reach."""

import numpy as np
import pytest

from core import catalogue
from core.methods.online.extensions import column_norm
from tests.core.methods.zhao_tan_batch.test_rules import LAYOUT, method, planted, rises, rule, run, start
from tests.reference import extensions, zhao_tan_batch

KEYS = ("bpgd", "badmm")
CHOICES = (
    {"dictionary_set": "simplex", "h_penalty": "lasso"},
    {"dictionary_set": "orthant", "h_penalty": "ridge", "r_penalty": "elastic-net"},
    {"dictionary_set": "elastic-net", "h_penalty": "group", "h_group": "1,2", "h_growth": 1},
    {"h_penalty": "sparse-group", "r_penalty": "group", "r_block": 2},
    {"w_lasso": 0.005, "w_ridge": 0.05, "r_penalty": "sparse-group", "r_block": 2},
    {"w_lasso": 0.05},
    {"w_lasso": 0.02, "dictionary_set": "orthant", "h_penalty": "lasso"},
    {"w_lasso": 0.02, "dictionary_set": "elastic-net", "w_ridge": 0.1},
    {"w_lasso": 0.02, "dictionary_set": "simplex", "w_ridge": 0.1},
    {"w_ridge": 0.5, "h_penalty": "sparse-group"},
)
MOST = ({"w_lasso": 1}, {"w_ridge": 10}, {"w_lasso": 1, "w_ridge": 10, "dictionary_set": "elastic-net"})


def project_on_simplex(w):
    return extensions.project(w, equation=lambda x: x.sum() - 1)


def both(key, n=3, **more):
    """Return factors after some iterations, ours and those of the slow twin, transposed as ours."""
    _, _, V = planted()
    W, H = start(V)
    W, H = W / W.sum(axis=1, keepdims=True), H * W.sum(axis=1)
    chosen = {"dictionary_set": "simplex", "r_penalty": "elastic-net", "r_ridge": 0.5, "h_penalty": "lasso", **more}
    plain = {"momentum": False, "dictionary_steps": 1} if key == "bpgd" else {}
    found = rule(key, **chosen, **plain)
    norm = column_norm({**catalogue.row(key).defaults(), **chosen}, LAYOUT)
    on_h = 0.01 * norm * LAYOUT.n_values**0.5
    ours = run(found, V, W, H, n)[:2]
    if key == "bpgd":
        slow = W.T.astype(np.float64), H.T.astype(np.float64)
        for _ in range(n):
            slow = zhao_tan_batch.bpgd_of_section_6(V.T, *slow, 0.05, 0.5, on_h, project_on_simplex)
        return ours, (slow[0].T, slow[1].T)
    twin = zhao_tan_batch.Badmm(
        V.T.astype(np.float64), W.T.astype(np.float64), H.T, 0.05, 1.0, 0.5, on_h, project_on_simplex, norm
    )
    for _ in range(n):
        twin.iterate()
    return ours, (twin.Z.T, twin.U.T)


@pytest.mark.parametrize("key", KEYS)
def test_iterations_are_those_of_the_slow_twin(key):
    ours, slow = both(key)
    np.testing.assert_allclose(ours[0], slow[0], atol=2e-4)
    np.testing.assert_allclose(ours[1], slow[1], rtol=0.01, atol=2e-3)
    without, _ = both(key, h_penalty="none")
    assert np.abs(without[1] - slow[1]).max() > 0.01, "the test would notice a penalty that is left out"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("chosen", CHOICES, ids=lambda c: ",".join(map(str, c.values())))
def test_factors_stay_in_their_sets_and_the_objective_falls(key, chosen):
    _, _, V = planted()
    W, H, objectives = run(rule(key, **chosen), V, *start(V), 80)
    assert np.isfinite(objectives).all()
    assert H.min() >= 0
    member = extensions.MEMBERS[chosen.get("dictionary_set", "ball")]
    more = (1 / LAYOUT.n_values**0.5, 1) if chosen.get("dictionary_set") == "elastic-net" else ()
    assert all(member(w.astype(np.float64), *more) > -1e-4 for w in W)
    assert objectives[-1] < 0.95 * objectives[0]
    if key == "bpgd":
        assert rises(objectives) < 1e-6


@pytest.mark.parametrize("chosen", MOST, ids=str)
def test_at_the_most_that_an_elastic_net_may_weigh_nothing_grows(chosen):
    _, _, V = planted()
    for key in KEYS:
        W, H, objectives = run(rule(key, **chosen), V, *start(V), 300)
        assert max(objectives) < 2 * objectives[0]
        assert max(np.linalg.norm(W, axis=1).max(), H.max()) < 100
        if key == "bpgd":
            assert rises(objectives) < 1e-6


@pytest.mark.parametrize("key", KEYS)
def test_the_objective_is_one_function_of_both_factors(key):
    _, _, V = planted()
    W, H = start(V)
    unit = np.sqrt(np.sum(V.astype(np.float64) ** 2) / H.size)
    W, H, objectives = run(rule(key, w_lasso=0.02, w_ridge=0.3), V, W, H, 20)
    W, H = W.astype(np.float64), H.astype(np.float64)
    R = zhao_tan_batch.best_outliers(V, H, W, 0.05)
    net = 0.02 * unit * W.sum() + 0.3 / 2 * np.mean(H**2) * np.sum(W**2)
    expected = zhao_tan_batch.objective(V, H, W, R, 0.05) / len(V) + net
    assert objectives[-1] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("chosen", [{}, {"dictionary_set": "orthant"}, {"dictionary_set": "elastic-net"}], ids=str)
def test_the_sparser_the_basis_is_asked_for_the_sparser_it_is_and_its_norms_are_held(key, chosen):
    _, _, V = planted()
    shares = []
    for lasso in (0.001, 0.01, 0.1):
        W, _, _ = run(rule(key, w_lasso=lasso, **chosen), V, *start(V), 80)
        shares.append(np.mean(W > 0))
        norms = np.linalg.norm(W, axis=1)
        np.testing.assert_allclose(norms, column_norm({**catalogue.row(key).defaults(), **chosen}, LAYOUT), rtol=1e-4)
    assert shares[0] > shares[1] > shares[2]


@pytest.mark.parametrize("chosen", CHOICES[:4], ids=lambda c: ",".join(map(str, c.values())))
def test_both_reach_about_the_same_objective(chosen):
    _, _, V = planted()
    ends = [method(key, V, 150, lam=0.05, **chosen).fit()[-1] for key in KEYS]
    assert ends[0] == pytest.approx(ends[1], rel=0.05)


@pytest.mark.parametrize("key", KEYS)
def test_planted_factors_are_recovered_under_section_6(key):
    planted_W, clean, V = planted()
    chosen = {"dictionary_set": "simplex", "h_penalty": "lasso", "h_weight": 1e-4, "r_penalty": "elastic-net"}
    found = method(key, V, 400, lam=0.02, **chosen, r_ridge=0.01)
    found.fit()
    basis, truth = (W / np.linalg.norm(W, axis=1, keepdims=True) for W in (found.W.T, planted_W))
    assert (truth @ basis.T).max(axis=1).min() > 0.95
    assert np.sqrt(np.mean((found.encoding().background - clean) ** 2)) < 0.2 * np.sqrt(np.mean((V - clean) ** 2))


def test_a_price_of_the_squares_drives_no_dictionary_to_nothing():
    _, _, V = planted()
    ends = []
    for key in KEYS:
        W, H, objectives = run(rule(key, w_ridge=1, h_penalty="lasso"), V, *start(V), 300)
        assert np.linalg.norm(W, axis=1).max() > 0.5
        assert H.max() < 100
        ends.append(objectives[-1])
    assert ends[0] == pytest.approx(ends[1], rel=0.05)
