"""Spoiled pixels found by what stands out from the model and from its neighbours."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.batch import BatchNmf
from core.methods.corrupted_entries.impulse_noise import NEAR, ROUNDS, LonePixels
from core.methods.corrupted_entries.rows import BOTH

LAYOUT = Layout(16, 15, Planes.GREY)


def smooth_images(n=30, rank=3, n_hit=24, seed=0):
    """Return samples of smooth parts (n, F) with grain, without, and where they were spoiled: much, or a little."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:16, 0:15] / 15
    parts = np.stack(
        [(np.hypot(y - a, x - b) < 0.4) * 0.5 + 0.3 * y * b for a, b in ((0.3, 0.3), (0.6, 0.7), (0.8, 0.2))]
    )
    clean = (0.2 + rng.random((n, rank))) @ parts.reshape(rank, -1)
    clean = 0.1 + 0.6 * clean / clean.max()
    V = np.clip(clean + 0.01 * rng.standard_normal(clean.shape), 0, 1)
    hit = np.zeros(V.shape, bool)
    for row in hit:
        row[rng.choice(V.shape[1], n_hit, replace=False)] = True
    much = np.where(clean[hit] > 0.45, 0, 1)
    V[hit] = np.where(rng.random(hit.sum()) < 0.5, much, clean[hit] + 0.15 * np.sign(much - clean[hit]))
    return V.astype(np.float32), clean.astype(np.float32), hit


def margin_by_the_book(v, background, spoiled):
    """Each pixel by itself, in loops."""
    shape = (LAYOUT.height, LAYOUT.width)
    v, e, spoiled = v.reshape(shape), (v - background).reshape(shape), spoiled.reshape(shape)
    edge = np.pad(v, 1, mode="edge")
    out = np.zeros(shape)
    for y in range(shape[0]):
        for x in range(shape[1]):
            total = mean_v = mean_e = 0.0
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    i, j = y + dy, x + dx
                    if 0 <= i < shape[0] and 0 <= j < shape[1] and not spoiled[i, j]:
                        weight = NEAR[dy + 1, dx + 1]
                        total, mean_v, mean_e = total + weight, mean_v + weight * v[i, j], mean_e + weight * e[i, j]
            total = total or 1.0
            errors = np.array([
                e[y, x] - mean_e / total, e[y, x], v[y, x] - mean_v / total,
                v[y, x] - np.median(edge[y : y + 3, x : x + 3]),
            ])  # fmt: skip
            out[y, x] = min(errors * np.sign(errors[0]))
    return out.ravel()


def test_a_pixel_is_judged_by_four_guesses_of_what_it_should_show():
    V, clean, hit = smooth_images(n=2)
    hit[0, :40] = True  # Some have no neighbour left.
    pixels = LonePixels(LAYOUT, 4)
    pixels.load(np.full(LAYOUT.n_values, 0.02, np.float32))
    found = pixels.search(V, clean, hit, 4)
    for v, background, spoiled, row in zip(V, clean, hit, found, strict=True):
        assert np.array_equal(row, margin_by_the_book(v, background, spoiled) > 0.08)
    assert found.any()


def test_whole_objects_are_left_alone_and_lone_pixels_of_either_sign_are_found():
    V, clean, _ = smooth_images(n=6)
    V = clean.copy()
    LAYOUT.plane(V[0], 0)[5:10, 5:10] = 1
    V[1, 37], V[2, 52] = 1, 0
    pixels = LonePixels(LAYOUT, 4)
    pixels.load(np.full(LAYOUT.n_values, 0.02, np.float32))
    found = pixels.settle(V, clean, np.zeros(V.shape, bool))
    assert [np.flatnonzero(row).tolist() for row in found[1:3]] == [[37], [52]]
    assert not LAYOUT.plane(found[0], 0)[6:9, 6:9].any()
    assert not found[3:].any()


def build(**chosen):
    method = BOTH.build(LAYOUT, {**BOTH.defaults(), "rank": 3, "lone_pixels": True, **chosen}, 0)
    assert isinstance(method, BatchNmf)
    return method


def test_it_finds_nearly_all_where_the_penalty_finds_some():
    V, clean, hit = smooth_images()
    errors, recalls = [], []
    for lone in (True, False):
        method = build(lone_pixels=lone)
        method.gather(V)
        method.fit()
        encoding = method.transform_batch(V)
        found = encoding.outliers != 0
        recalls.append((found & hit).sum() / hit.sum())
        errors.append(np.linalg.norm(encoding.background - clean))
        assert (found & hit).sum() > 0.9 * found.sum()
        shown = method.improve(shown=4).split.outliers != 0
        assert np.mean(shown == found[4]) > 0.95
    assert recalls[0] > 0.9 > recalls[1] + 0.1
    assert errors[0] < errors[1]


def test_in_a_set_that_has_grown_the_search_begins_anew():
    V, _, _ = smooth_images()
    method = build()
    method.gather(V[:20])
    method.fit()
    method.gather(V[20:])
    method.fit()
    encoding, fresh = method.encoding(), build()
    fresh.gather(V)
    fresh.fit()
    found, wanted = (one.outliers != 0 for one in (encoding, fresh.encoding()))
    assert np.mean(found == wanted) > 0.98


def test_what_was_learnt_of_the_noise_is_part_of_the_state():
    V, _, _ = smooth_images()
    method, other = build(), build()
    method.gather(V)
    method.fit()
    other.load(method.state())
    assert np.array_equal(other.transform(V[3]).outliers, method.transform(V[3]).outliers)
    assert method.state()["past_noise"].shape == (LAYOUT.n_values,)
    assert build().rule.state() == {}


@pytest.mark.parametrize(
    "layout", [Layout(1, 1, Planes.GREY), Layout(2, 2, Planes.RGB), Layout(5, 7, Planes.YCC420, full_range=False)]
)
def test_small_and_coloured_images_are_taken(layout):
    method = BOTH.build(layout, {**BOTH.defaults(), "rank": 2, "lone_pixels": True}, 0)
    rng = np.random.default_rng(0)
    for _ in range(4):
        method.step(rng.integers(0, 256, layout.n_values).astype(np.uint8))
    method.fit()
    assert np.isfinite(method.transform(np.zeros(layout.n_values, np.uint8)).background).all()
    assert np.isfinite(method.W).all()


def test_learning_ends_when_all_thresholds_were_tried():
    rng = np.random.default_rng(0)
    scene = np.outer(rng.uniform(0.95, 1, 60), rng.random(LAYOUT.n_values))
    V = (np.rint(255 * scene) / 255).astype(np.float32)
    method = build(rank=4)
    method.gather(V)
    assert len(method.fit()) > ROUNDS
    assert not method.rule.is_settling
