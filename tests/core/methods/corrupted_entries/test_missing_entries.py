"""NMF with missing entries, alone and after robust NMF."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.batch import BatchNmf
from core.methods.corrupted_entries.alternating import SetAside
from core.methods.corrupted_entries.missing_entries import Detected, DetectThenMissing, Extremes, Known
from core.methods.corrupted_entries.rows import ROWS, WNMF
from core.methods.corrupted_entries.squared_l1 import SquaredL1
from tests.core.methods.corrupted_entries.test_squared_l1 import start
from tests.core.planted import planted
from tests.reference import shen


def learn(rule, V, W, H, steps):
    rule.begin(V, W, H)
    objectives = []
    for _ in range(steps):
        W, H, objective = rule.improve(V, W, H)
        objectives.append(objective)
    return W, H, np.array(objectives)


def test_missing_entries_cost_nothing_and_the_rest_is_fitted_as_well_as_by_the_published_updates():
    V, _, clean, hit = planted(n=30)
    W, H = start(V, 4)
    Q = ~hit
    U, coefficients = shen.wnmf(V.T.astype(float), Q.T, W.T.astype(float), H.T.astype(float), 1500)
    theirs = np.sum(Q.T * (V.T - U @ coefficients) ** 2)
    W, H, objectives = learn(SetAside(Known(hit)), V, W, H, 1500)
    assert (np.diff(objectives) <= 1e-6 * objectives[0]).all()
    assert objectives[-1] * len(V) <= max(theirs * 1.05, 1e-4)
    assert np.linalg.norm(H @ W - clean) < 0.05 * np.linalg.norm(clean), "the missing entries are filled in too"
    plain, H2, _ = learn(SetAside(Known(np.zeros_like(hit))), V, *start(V, 4), 300)
    assert np.linalg.norm(H2 @ plain - clean) > 0.1 * np.linalg.norm(clean), "with them as they are, nothing is gained"


def test_extremes_are_what_is_black_or_white():
    V = np.array([[0, 1, 0.5, 254 / 255, 1 / 255]], np.float32)
    residual = np.full_like(V, -0.25)

    def found(extremes):
        E, penalty = extremes.of(V, residual)
        assert not penalty.any()
        assert set(np.unique(E)) <= {np.float32(0), np.float32(-0.25)}
        return (E != 0)[0].tolist()

    assert found(Extremes()) == [True, True, False, False, False]
    assert found(Extremes(black=False)) == [False, True, False, False, False]
    assert found(Extremes(white=False)) == [True, False, False, False, False]
    assert found(Extremes(margin=1 / 255)) == [True, True, False, True, True]


@pytest.mark.parametrize("bits", [8, 16])
def test_samples_at_the_ends_of_the_range_are_missing(bits):
    layout = Layout(3, 4, Planes.GREY, bits)
    method = WNMF.build(layout, WNMF.defaults(), 0)
    v = np.full(12, layout.white // 2, layout.dtype)
    for dead in range(1, 12):
        v[:] = layout.white // 2
        v[0 if dead % 2 else dead], v[dead] = 0, layout.white
        method.step(v)
    method.fit()
    v[:] = layout.white // 2
    v[2], v[7] = 0, layout.white
    split = method.transform(v)
    assert split.outliers[2] < -0.4
    assert split.outliers[7] > 0.4
    assert np.count_nonzero(split.outliers) == 2
    np.testing.assert_allclose(split.background, 0.5, atol=0.1)


def test_detected_entries_are_set_aside_as_a_whole():
    V, _, clean, hit = planted()
    E, penalty = Detected(SquaredL1(0.04)).of(V, V - clean)
    assert np.array_equal(E[hit], (V - clean)[hit])
    assert not E[~hit].any()
    assert not penalty.any()


def test_the_objective_does_not_rise_from_one_stage_to_the_next_and_the_second_is_nearer_the_truth():
    V, _, clean, hit = planted(n=120, n_hit=5)
    W, H = start(V, 4)
    first, H1, _ = learn(SetAside(SquaredL1(0.04)), V, W, H, 150)
    both = DetectThenMissing(SquaredL1(0.04), 300, 0.0)
    second, H2, objectives = learn(both, V, W, H, 300)
    assert (np.diff(objectives) <= 1e-5 * objectives[0]).all()
    errors = [np.linalg.norm(h @ w - clean) for w, h in ((first, H1), (second, H2))]
    assert errors[1] < 0.1 * errors[0]
    split = both.split(V, second, H2)
    assert np.mean((split.outliers != 0) == hit) > 0.99
    fresh = DetectThenMissing(SquaredL1(0.04), 300, 0.0).encode(V, second, H1)
    np.testing.assert_allclose(fresh.background, split.background, atol=0.03)


def test_the_first_stage_ends_when_it_has_converged():
    V, _, _, _ = planted()
    rule = DetectThenMissing(SquaredL1(0.04), 100_000, 1e-3)
    *_, objectives = learn(rule, V, *start(V, 4), 200)
    drops = -np.diff(objectives) / objectives[1:]
    stage = int(np.argmax(drops[10:])) + 10
    assert drops[stage] > 0.3, "the penalty goes at the second stage"


def test_learning_does_not_end_in_the_first_stage():
    V, _, _, _ = planted()
    rule = DetectThenMissing(SquaredL1(0.04), 20, 0.0)
    assert rule.is_settling
    learn(rule, V, *start(V, 4), 9)
    assert rule.is_settling
    learn(rule, V, *start(V, 4), 10)
    assert not rule.is_settling


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_every_row_fits_spoiled_images_and_says_what_was_spoiled(row):
    V, _, clean, hit = planted(n=50, height=8, width=9)
    chosen = {"rank": 4, "tolerance": 1e-6, "missing": "white"}
    method = row.build(Layout(8, 9, Planes.GREY), {**row.defaults(), **chosen}, 0)
    assert isinstance(method, BatchNmf)
    method.gather(V)
    objectives = np.array(method.fit())
    assert (np.diff(objectives) <= 1e-5 * objectives[0]).all()
    assert len(objectives) <= 300
    encoding = method.transform_batch(V)
    found = encoding.outliers != 0
    assert (found & hit).sum() > 0.9 * hit.sum()
    assert (found & ~hit).sum() < 0.05 * hit.sum()
    assert np.linalg.norm(encoding.background - clean) < 0.15 * np.linalg.norm(clean)
    assert method.W.min() >= 0
    np.testing.assert_allclose(np.linalg.norm(method.W, axis=0), 1, atol=1e-5)
