"""Sets and penalties in the solvers: gradient steps and ADMM reach the same minimiser for every combination."""

import itertools

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.methods.online.extensions import EXTENSIONS, coefficients_penalty, column_norm, domain, outlier_loss
from core.nmf.dictionaries.admm import AdmmDictionary
from core.nmf.dictionaries.base import Statistics
from core.nmf.dictionaries.projected_gradient import ProjectedGradientDictionary
from core.nmf.encoders.admm import AdmmEncoder
from core.nmf.encoders.projected_gradient import ProjectedGradientEncoder
from core.session.session import Session
from core.session.settings import Settings
from tests.reference import extensions

LAYOUT = Layout(5, 6, Planes.GREY)
LAM = 0.05
CHOICES = {p.name: p.choices for p in EXTENSIONS if p.choices}


def values(**chosen):
    row = catalogue.row("opgd")
    return {**row.defaults(), "h_weight": 0.02, **catalogue.complete(row, chosen)}


@pytest.fixture(scope="module")
def problem():
    """A sample (1, F) with outliers in one corner, a dictionary (K, F) in the ball."""
    rng = np.random.default_rng(1)
    W = np.ascontiguousarray(rng.random((5, 30)))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    v = rng.random(5) * [1, 1, 0.1, 0, 2] @ W + 0.02 * rng.standard_normal(30)
    v.reshape(5, 6)[:3, :3] += rng.random((3, 3)) - 0.3
    return v[None], W


@pytest.mark.parametrize("h_penalty", CHOICES["h_penalty"])
@pytest.mark.parametrize("r_penalty", CHOICES["r_penalty"])
@pytest.mark.parametrize("bounds", [{}, {"brighter_only": True, "bound": 0.2}], ids=["box", "nonnegative"])
def test_encoders_agree_on_every_pair_of_penalties(problem, h_penalty, r_penalty, bounds):
    V, W = problem
    chosen = values(h_penalty=h_penalty, r_penalty=r_penalty, r_block=3, **bounds)
    penalty, loss = coefficients_penalty(chosen, LAYOUT), outlier_loss(chosen, LAM, LAYOUT)
    found = []
    for encoder in (
        ProjectedGradientEncoder(1.0, True, 0.0, 600, penalty), AdmmEncoder(0.3, 1e-12, 2500, penalty),
    ):  # fmt: skip
        encoder.prepare(W)
        found.append(encoder.encode(V, np.full((1, 5), 0.1), loss))
    np.testing.assert_allclose(found[0].H, found[1].H, atol=1e-6)
    assert found[0].loss == pytest.approx(found[1].loss, rel=1e-9)
    outliers = found[0].outliers
    assert found[0].loss == pytest.approx(
        0.5 * np.sum(found[0].capped ** 2) + loss.penalty(outliers) + penalty.value(found[0].H)
    )


@pytest.mark.parametrize(
    ("h_penalty", "r_penalty"),
    [
        ("lasso", "ridge"), ("group", "lasso"), ("sparse-group", "group"), ("ridge", "sparse-group"),
        ("group", "elastic-net"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("unequal", "groups"),
    [
        ({}, [[0, 1], [2, 3], [4]]), ({"h_group": "1", "h_growth": 1}, [[0], [1, 2], [3, 4]]),
        ({"h_group": "3,1"}, [[0, 1, 2], [3], [4]]),
    ],
)  # fmt: skip
def test_what_they_agree_on_is_what_a_general_minimiser_finds_for_h_and_r_at_once(
    problem, h_penalty, r_penalty, unequal, groups
):
    V, W = problem
    chosen = values(h_penalty=h_penalty, r_penalty=r_penalty, r_block=3, h_weight=0.02, bound=0.2, **unequal)
    scale = 0.02 if h_penalty == "ridge" else 0.02 * 30**0.5
    parts = {
        "lasso": lambda w, groups: {"lasso": w}, "ridge": lambda w, groups: {"ridge": w},
        "group": lambda w, groups: {"group": w, "groups": groups},
        "sparse-group": lambda w, groups: {"lasso": w / 2, "group": w / 2, "groups": groups},
        "elastic-net": lambda w, groups: {"lasso": w, "ridge": chosen["r_ridge"]},
    }  # fmt: skip
    on_h = parts[h_penalty](scale, groups)
    on_r = parts[r_penalty](LAM, extensions.blocks([(5, 6)], 3))
    h, objective = extensions.encode(V[0], W.T, -0.2, 0.2, on_h, on_r)
    encoder = ProjectedGradientEncoder(1.0, True, 0.0, 3000, coefficients_penalty(chosen, LAYOUT))
    encoder.prepare(W)
    found = encoder.encode(V, np.full((1, 5), 0.1), outlier_loss(chosen, LAM, LAYOUT))
    assert found.loss == pytest.approx(objective, rel=1e-5)
    np.testing.assert_allclose(found.H[0], h, atol=2e-3)


@pytest.fixture(scope="module")
def learnt():
    """Statistics of 60 samples, and a dictionary (K, F) of norm 1 to start from."""
    rng = np.random.default_rng(3)
    W = rng.random((4, 30))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    H = rng.random((60, 4))
    V = H @ (2 * rng.random((4, 30)) - 0.6).clip(0)
    empty = Statistics(np.zeros((4, 4)), np.zeros((4, 30)), None, 0.0)
    return W, empty.joined(0.0, H, V, np.zeros_like(V), 0.0)


@pytest.mark.parametrize("dictionary_set", CHOICES["dictionary_set"])
@pytest.mark.parametrize(("w_lasso", "w_ridge"), [(0, 0), (0.05, 0), (0, 0.3), (0.05, 0.3)])
def test_dictionary_rules_agree_on_every_set_with_every_net(learnt, dictionary_set, w_lasso, w_ridge):
    W, statistics = learnt
    where = domain(values(dictionary_set=dictionary_set, w_lasso=w_lasso, w_ridge=w_ridge), LAYOUT)
    start = W / where.constraint.excess(W)[:, None]
    net = where.scaled(statistics.A)
    before, found = statistics.surrogate(start) + net.value(start), []
    for rule in (
        ProjectedGradientDictionary(1.0, True, 0.0, 500, where), AdmmDictionary(0.3, 0.0, 800, where),
    ):  # fmt: skip
        found.append(rule.update(start, statistics))
        assert statistics.surrogate(found[-1]) + net.value(found[-1]) <= before
    np.testing.assert_allclose(found[0], found[1], atol=1e-5)
    wanted = extensions.dictionary(
        start.T, statistics.A, statistics.B.T, w_lasso, w_ridge, lambda w: where.constraint.project(w[None].copy())[0],
        steps=300,
    ).T  # fmt: skip
    np.testing.assert_allclose(found[0], wanted, atol=1e-4)
    assert statistics.surrogate(wanted) + net.value(wanted) - statistics.constant == pytest.approx(
        extensions.surrogate(wanted.T, statistics.A, statistics.B.T, w_lasso, w_ridge)
    )


SINGLE = [
    *({"dictionary_set": name} for name in CHOICES["dictionary_set"]),
    *({"h_penalty": name} for name in CHOICES["h_penalty"]), *({"r_penalty": name} for name in CHOICES["r_penalty"]),
    {"w_lasso": 0.01, "w_ridge": 0.1}, {"brighter_only": True, "r_penalty": "group", "bound": 0.5},
    {"dictionary_set": "simplex", "h_penalty": "sparse-group", "r_penalty": "sparse-group", "w_lasso": 0.02},
]  # fmt: skip


@pytest.mark.parametrize(("key", "chosen"), list(itertools.product(("opgd", "oadmm"), SINGLE)), ids=str)
def test_every_part_runs_on_faces_and_stays_finite_and_in_its_set(key, chosen):
    source = open_source(InputSpec("sample:faces", size=(32, 32)))
    session = Session(source, Settings(method=key, values={"rank": 4, **chosen}))
    first = last = None
    for report in itertools.islice(session.run(), 8):
        split = report.split
        assert np.isfinite(split.background).all()
        assert np.isfinite(split.objective)
        assert split.h.min() >= 0
        size = np.sqrt(np.mean(split.residual**2))
        first, last = (size, size) if first is None else (first, size)
    W = np.ascontiguousarray(session.method.W.T)
    where = domain(session.method.values, session.layout).constraint
    np.testing.assert_allclose(where.project(W.copy()), W, atol=1e-5)
    assert last < first, "it learns"


@pytest.mark.parametrize("key", ["opgd", "oadmm"])
def test_another_set_changes_the_scale_of_what_was_learnt_and_not_the_fit(key):
    rng = np.random.default_rng(6)
    layout = Layout(12, 12, Planes.GREY)
    row = catalogue.row(key)
    method = row.build(layout, {**row.defaults(), "rank": 3, "batch": 1, "lam": 0.05}, 0)
    V = (rng.random((40, 3)) @ rng.random((3, 144))).astype(np.float32) / 3
    for v in V:
        method.step(v)
    before = method.transform(V[0])
    method.set("dictionary_set", "simplex")
    after = method.transform(V[0])
    assert np.linalg.norm(after.background - before.background) < 0.02 * np.linalg.norm(before.background)
    np.testing.assert_allclose(method.W.sum(axis=0), 1, atol=1e-4)
    for v in V:
        method.step(v)
    settled = method.transform(V[0])
    assert settled.objective < 2 * before.objective


def test_penalties_do_what_people_are_told(problem):
    """Sparser coefficients, groups that come and go together, outliers in blocks, sparser basis images."""
    V, W = problem
    encoder = ProjectedGradientEncoder(1.0, True, 0.0, 2000)
    encoder.prepare(W)
    plain = encoder.encode(V, np.full((1, 5), 0.1), outlier_loss(values(), LAM, LAYOUT)).H[0]
    used = {}
    for name in ("lasso", "group"):
        encoder = ProjectedGradientEncoder(
            1.0, True, 0.0, 2000, coefficients_penalty(values(h_penalty=name, h_weight=0.1), LAYOUT)
        )
        encoder.prepare(W)
        used[name] = encoder.encode(V, np.full((1, 5), 0.1), outlier_loss(values(), LAM, LAYOUT)).H[0] > 1e-9
    assert used["lasso"].sum() < (plain > 1e-9).sum()
    pairs = used["group"][:4].reshape(2, 2)
    assert np.array_equal(pairs[:, 0], pairs[:, 1])
    left, _ = outlier_loss(values(r_penalty="group", r_block=3), 0.2, LAYOUT).capped(V - plain @ W)
    is_outlier = (np.abs((V - plain @ W) - left) > 0).reshape(5, 6)
    assert is_outlier[:3, :3].all()
    assert not is_outlier[:, 3:].any()


def test_weights_mean_the_same_for_all_sizes_of_frames_and_all_sets():
    small, large = Layout(10, 10, Planes.GREY), Layout(40, 40, Planes.GREY)
    for layout in (small, large):
        for dictionary_set in CHOICES["dictionary_set"]:
            chosen = values(dictionary_set=dictionary_set, h_penalty="lasso", h_weight=0.1)
            norm = column_norm(chosen, layout)
            w = np.full((1, layout.n_values), norm / layout.n_values**0.5)
            encoder = ProjectedGradientEncoder(1.0, True, 0.0, 500, coefficients_penalty(chosen, layout))
            encoder.prepare(w)
            v = np.full((1, layout.n_values), 0.5)
            found = encoder.encode(v, np.zeros((1, 1)), outlier_loss(values(lam=1), 1.0, layout))
            np.testing.assert_allclose(found.background, 0.4, atol=1e-6)


@pytest.mark.parametrize("key", ["opgd", "oadmm"])
@pytest.mark.parametrize(
    "chosen",
    [{"w_ridge": 1}, {"w_ridge": 0.1, "h_penalty": "lasso"}, {"w_ridge": 10, "dictionary_set": "orthant"}],
    ids=str,
)
def test_a_penalty_on_the_squares_of_basis_images_does_not_drive_them_to_zero(key, chosen):
    rng = np.random.default_rng(7)
    layout = Layout(16, 16, Planes.GREY)
    row = catalogue.row(key)
    method = row.build(layout, {**row.defaults(), "rank": 4, "batch": 1, "rounds": 1, **chosen}, 0)
    V = (rng.random((60, 4)) @ rng.random((4, 256))).astype(np.float32) / 4
    for v in [*V, *V]:
        method.step(v)
    np.testing.assert_allclose(np.linalg.norm(method.W, axis=0), 1, atol=1e-3)
    split = method.transform(V[0])
    assert np.linalg.norm(split.residual) < 0.5 * np.linalg.norm(V[0])


@pytest.mark.parametrize("key", ["opgd", "oadmm"])
def test_basis_images_that_may_not_cost_anything_vanish_and_all_stays_finite(key):
    layout = Layout(8, 8, Planes.GREY)
    row = catalogue.row(key)
    method = row.build(layout, {**row.defaults(), "rank": 3, "batch": 1, "w_lasso": 1}, 0)
    for v in np.random.default_rng(8).random((50, 64)).astype(np.float32):
        assert np.isfinite(method.step(v).background).all()


@pytest.mark.parametrize("key", ["opgd", "oadmm"])
def test_planted_groups_of_unequal_size_are_told_where_they_are_listed(key):
    rng, sizes = np.random.default_rng(0), (4, 1, 3)
    layout, row = Layout(10, 8, Planes.GREY), catalogue.row(key)
    W = np.kron(np.eye(8), np.ones((1, 10))) * rng.uniform(0.2, 1, (8, 80))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    members = np.split(np.arange(8), np.cumsum(sizes)[:-1])
    H = np.zeros((30, 8))
    for n, h in enumerate(H):
        h[members[n % 3]] = rng.uniform(0.5, 1, sizes[n % 3])
    V = np.maximum(H @ W + 0.05 * rng.standard_normal((30, 80)), 0).astype(np.float32)

    def stray(groups):
        chosen = {"content": "images", "rank": 8, "h_penalty": "group", "h_weight": 0.02, "h_group": groups}
        method = row.build(layout, {**row.defaults(), **chosen}, 0)
        method.step_batch(V)
        method.load({**method.state(), "W": W.astype(np.float32)})
        return int((method.transform_batch(V).H[H == 0] > 1e-3).sum())

    assert stray("4,1,3") == 0
    assert stray("3,5") > 10, "other groups would not be noticed"
