"""The composition: planted factors, changes of rank, mini-batches, seeds."""

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes

KEYS = ("opgd", "oadmm", "onmfo")
LAYOUT = Layout(20, 20, Planes.GREY)


def build(key, seed=0, **chosen):
    row = catalogue.row(key)
    return row.build(LAYOUT, {**row.defaults(), **chosen}, seed)


def trained(key, V, seed=0, **chosen):
    """A method that has seen the samples once."""
    method = build(key, seed, **chosen)
    for v in V:
        method.step(v)
    return method


def planted(n, seed=0, outliers=0.05):
    """Samples (n, F) of four disjoint parts, with a share of bright outliers; and the samples without."""
    rng = np.random.default_rng(seed)
    W = np.zeros((4, 20, 20), np.float32)
    for k, (y, x) in enumerate(((0, 0), (0, 10), (10, 0), (10, 10))):
        W[k, y : y + 10, x : x + 10] = 0.2 + 0.3 * rng.random((10, 10))
    H = (0.2 + rng.random((n, 4), dtype=np.float32)) * (rng.random((n, 4)) < 0.5)
    clean = H.astype(np.float32) @ W.reshape(4, -1)
    hit = rng.random(clean.shape) < outliers
    return np.where(hit, np.float32(1), clean), clean


@pytest.mark.parametrize("key", KEYS)
def test_planted_factors_are_recovered_in_spite_of_outliers(key):
    V, clean = planted(300)
    method = trained(key, np.concatenate([V, V, V]), rank=4, lam=0.05)
    found = np.stack([method.transform(v).background for v in V[:50]])
    spoilt = np.linalg.norm(V[:50] - clean[:50])
    assert np.linalg.norm(found - clean[:50]) < 0.12 * spoilt
    corners = (method.W / np.linalg.norm(method.W, axis=0)).reshape(20, 20, 4)
    shares = np.stack([np.square(corners[y : y + 10, x : x + 10]).sum((0, 1)) for y in (0, 10) for x in (0, 10)])
    assert sorted(shares.argmax(axis=0)) == [0, 1, 2, 3], "each part has a basis image of its own"


@pytest.mark.parametrize("key", KEYS)
def test_a_mini_batch_of_one_is_a_step(key):
    V, _ = planted(12)
    single, batch = build(key, rank=3, batch=1), build(key, rank=3, batch=1)
    for v in V:
        a, b = single.step(v), batch.step_batch(v[None])
        assert np.array_equal(a.background, b.background[0])
    assert np.array_equal(single.W, batch.W)


def test_a_mini_batch_on_matrices_learns_what_single_steps_do():
    V, _ = planted(40)
    tight = {"rank": 3, "lam": 0.05, "batch": 4, "encode_tolerance": 1e-9, "encode_steps": 3000}
    single, batch = build("opgd", **tight), build("opgd", **tight)
    for v in V:
        single.step(v)
    for i in range(0, 40, 4):
        batch.step_batch(V[i : i + 4])
    np.testing.assert_allclose(single.W, batch.W, atol=5e-3)


def test_samples_taken_together_are_learnt_from_as_one_by_one():
    V, _ = planted(10)
    tight = {"rank": 3, "lam": 0.05, "batch": 4, "encode_tolerance": 1e-9, "encode_steps": 3000}
    single, grouped = build("opgd", **tight), build("opgd", **tight)
    ones = [single.step(v) for v in V]
    assert (grouped.n_together, build("opgd", **tight, content="scene").n_together) == (4, 1)
    assert grouped.step_together(V[:1])[0].background.tobytes() == ones[0].background.tobytes()
    assert grouped.n_together == 3, "what one mini-batch still lacks"
    splits = [*ones[:1], *grouped.step_together(V[1:4]), *grouped.step_together(V[4:8]), *grouped.step_together(V[8:])]
    assert grouped.n_together == 2
    np.testing.assert_allclose([s.background for s in splits], [s.background for s in ones], atol=5e-3)
    np.testing.assert_allclose(single.W, grouped.W, atol=5e-3)
    assert single.state()["pending_V"].tobytes() == grouped.state()["pending_V"].tobytes()


def test_a_frame_is_reported_before_it_is_learnt():
    V, _ = planted(8)
    whole, cut = build("opgd", rank=3, batch=4), build("opgd", rank=3, batch=4)
    reports = [whole.step(v).background for v in V]
    for v, background in zip(V[:6], reports, strict=False):
        assert np.array_equal(cut.step(v).background, background), "what comes later has no effect"


@pytest.mark.parametrize("key", KEYS)
def test_another_seed_gives_another_start_and_nearly_the_same_fit(key):
    V, clean = planted(200)
    errors = []
    for seed in (0, 1):
        method = trained(key, np.concatenate([V, V]), seed, rank=4, lam=0.05)
        errors.append(np.linalg.norm(method.transform(V[0]).background - clean[0]) / np.linalg.norm(V[0] - clean[0]))
    assert errors[0] != errors[1]
    assert max(errors) < 0.3


@pytest.mark.parametrize("key", KEYS)
def test_a_higher_rank_keeps_the_fit_and_then_improves_it(key):
    V, _ = planted(300)
    method = trained(key, V, rank=2, lam=0.05)
    before, W = method.transform(V[0]), method.W.copy()
    method.set("rank", 4)
    assert np.array_equal(method.W[:, :2], W)
    assert method.transform(V[0]).objective <= before.objective * 1.01
    for v in np.concatenate([V, V]):
        method.step(v)
    assert method.W.shape[1] == 4
    assert method.transform(V[0]).objective < 0.7 * before.objective


@pytest.mark.parametrize("key", KEYS)
def test_a_lower_rank_drops_what_was_used_least(key):
    V, _ = planted(100)
    method = trained(key, V, rank=4, lam=0.05)
    W = method.W.copy()
    usage = np.diag(method.statistics.A) * np.square(W).sum(axis=0)
    method.set("rank", 3)
    assert np.array_equal(method.W, np.delete(W, usage.argmin(), axis=1))
    assert method.statistics.A.shape == (3, 3)
    method.step(V[0])


def test_recency_one_is_the_plain_average():
    V, _ = planted(10)
    method = build("opgd", rank=3, batch=1, recency=1.0, rounds=1, lam=0.05)
    splits = [method.step(v) for v in V]
    H = np.stack([split.h for split in splits])
    np.testing.assert_allclose(method.statistics.A, H.T @ H / 10, rtol=1e-4)
    clean = V - np.stack([split.outliers for split in splits])
    np.testing.assert_allclose(method.statistics.B, H.T @ clean / 10, rtol=1e-3, atol=1e-4)


def test_recency_one_is_the_plain_average_whatever_the_mini_batches():
    V, _ = planted(300)
    method = build("opgd", rank=3, recency=1.0, rounds=1, lam=0.05)
    H, sizes = [], []
    while (n := sum(sizes)) < len(V):
        H.append(method.step_batch(V[n : n + method.n_together]).H.copy())
        sizes.append(len(H[-1]))
    assert sizes[-1] < sizes[-2], "the last is incomplete"
    H = np.concatenate(H)
    np.testing.assert_allclose(method.statistics.A, H.T @ H / len(V), rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("warm_up", [0, 5])
@pytest.mark.parametrize("batch", [None, 3, 7])
def test_learning_goes_on_from_a_saved_state_as_if_it_had_not_been_saved(warm_up, batch):
    V, _ = planted(330)
    method = trained("opgd", V[:302], rank=3, warm_up=warm_up, batch=batch)
    again = build("opgd", rank=3, warm_up=warm_up, batch=batch)
    again.load(method.state())
    for v in V[302:]:
        method.step(v)
        again.step(v)
    assert all(array.tobytes() == again.state()[name].tobytes() for name, array in method.state().items())


def test_a_state_that_counted_mini_batches_of_any_size_goes_on_as_one_that_counts_samples():
    V, _ = planted(440)
    method = trained("opgd", V[:402], rank=3)
    state = method.state()
    earlier = {**state, "scalars": state["scalars"].copy()}
    earlier["scalars"][1] = 90  # Mini-batches of 4 to 8, of which fewer now would be as many samples.
    assert earlier["scalars"][1] > state["scalars"][1]
    again = build("opgd", rank=3)
    again.load(earlier)
    for v in V[402:]:
        method.step(v)
        again.step(v)
    assert method.W.tobytes() == again.W.tobytes()


@pytest.mark.parametrize("key", KEYS)
def test_video_starts_from_the_median_so_that_early_passers_leave_no_ghost(key):
    layout = Layout(40, 60, Planes.YCC420)
    rng = np.random.default_rng(0)
    still = 0.3 + 0.4 * rng.random(layout.n_values)
    row = catalogue.row(key)
    method = row.build(layout, row.defaults(), 0)
    for t in range(60):
        v = still + 0.01 * rng.standard_normal(still.size)
        v.reshape(-1)[np.arange(300) + 35 * t] = 1.0 if key != "onmfo" else 0.95
        split = method.step(layout.quantise(v))
    assert method.W.shape[1] == 5
    assert np.abs(split.background - still).mean() < 0.02
