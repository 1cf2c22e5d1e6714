"""The frame of the online rules, with the plainest rule that learns."""

import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.methods import mini_batch
from core.methods.mini_batch import STREAM_LEARNING, StochasticNmf
from core.nmf.encoders.base import Encoding

LAYOUT = Layout(6, 8, Planes.GREY)
FRAMES = [LAYOUT.quantise(x) for x in 0.1 + 0.8 * np.random.default_rng(0).random((20, LAYOUT.n_values))]


class Gradient:
    """Squared error, coefficients as they come; remembers the mean coefficients and what it was handed."""

    def __init__(self, step):
        self.step, self.mean, self.seen = step, None, []

    def encode(self, V, W, H):
        residual = V - H @ W
        return Encoding(H, H @ W, residual, None, float((residual**2).sum()), 1)

    def learn(self, V, W, encoding):
        self.seen.append((V, W, encoding))
        self.mean = encoding.H.mean(axis=0)
        return np.maximum(0, W + np.float32(self.step) * encoding.H.T @ encoding.residual / len(V))

    def keep(self, kept, n_new):
        if self.mean is not None:
            self.mean = np.pad(self.mean[kept], (0, n_new))

    def state(self):
        return {} if self.mean is None else {"mean": self.mean}

    def load(self, state):
        self.mean = np.array(state["mean"]) if "mean" in state else None


def make(rank=3, batch=4, step=0.05, **more):
    values = {"rank": rank, "batch": batch, "step": step}
    return StochasticNmf(LAYOUT, values, 0, lambda values, layout: Gradient(values["step"]), **more)


def unit(frames):
    return np.stack(frames) / np.float32(255)


def test_a_mini_batch_is_encoded_and_learnt_with_the_dictionary_as_it_was():
    method = make()
    before = method.W.copy()
    splits = [method.step(v) for v in FRAMES[:4]]
    [(V, W, encoding)] = method.rule.seen
    assert np.array_equal(W.T, before)
    np.testing.assert_allclose(V, unit(FRAMES[:4]), atol=1e-7)
    np.testing.assert_allclose(encoding.H, [s.h for s in splits], atol=1e-6)
    assert not np.array_equal(method.W, before)


def test_steps_and_a_whole_mini_batch_come_to_the_same():
    steps, whole = make(), make()
    for v in FRAMES[:8]:
        steps.step(v)
    for first in (0, 4):
        whole.step_batch(unit(FRAMES[first : first + 4]))
    np.testing.assert_allclose(steps.W, whole.W, atol=1e-6)
    np.testing.assert_allclose(steps.state()["unexplained"], whole.state()["unexplained"], atol=0.02)


def test_fewer_samples_than_a_mini_batch_teach_nothing_yet():
    method = make()
    before = method.W.copy()
    for v in FRAMES[:3]:
        method.step(v)
    assert np.array_equal(method.W, before)
    assert not method.rule.seen


def test_what_waits_teaches_when_no_more_comes():
    method, whole = make(), make()
    for v in FRAMES[:3]:
        method.step(v)
    method.learn_waiting()
    whole.step_batch(unit(FRAMES[:3]))
    np.testing.assert_allclose(method.W, whole.W, atol=1e-6)
    method.learn_waiting()
    assert len(method.rule.seen) == 1, "nothing waits any more"


def test_samples_taken_together_are_encoded_at_once_and_learnt_from_as_one_by_one():
    single, grouped = make(), make()
    ones = [single.step(v) for v in FRAMES[:10]]
    assert grouped.n_together == 4
    splits = [s for i in (0, 4) for s in grouped.step_together(FRAMES[i : i + 4])] + grouped.step_together(FRAMES[8:10])
    assert grouped.n_together == 2
    assert [e.iterations for _, _, e in grouped.rule.seen] == [1, 1]
    for ours, theirs in zip(splits, ones, strict=True):
        np.testing.assert_allclose(ours.background, theirs.background, atol=1e-5)
        np.testing.assert_allclose(ours.h, theirs.h, atol=1e-5)
    np.testing.assert_allclose(single.W, grouped.W, atol=1e-6)
    assert np.array_equal(single.state()["waiting"], grouped.state()["waiting"])


def test_less_than_a_mini_batch_goes_along_with_the_state():
    method, other = make(), make()
    for v in FRAMES[:6]:
        method.step(v)
    other.load(method.state())
    for v in FRAMES[6:9]:
        assert np.array_equal(method.step(v).background, other.step(v).background)
    assert np.array_equal(method.W, other.W)
    assert np.array_equal(method.rule.mean, other.rule.mean)


def test_of_what_waits_a_state_holds_the_last_that_a_smaller_mini_batch_has_room_for():
    method = make(batch=8)
    for v in FRAMES[:6]:
        method.step(v)
    method.set("batch", 3)
    np.testing.assert_allclose(method.state()["waiting"], unit(FRAMES[4:6]), atol=1e-7)


def test_of_few_samples_all_count_alike_in_what_the_columns_leave_unexplained():
    method = make(batch=100)
    splits = [method.step(v) for v in FRAMES[:6]]
    above = [np.maximum(split.residual, 0) for split in splits]
    np.testing.assert_allclose(method.state()["unexplained"], np.mean(above, axis=0), atol=1e-6)
    np.testing.assert_allclose(method.state()["usage"], np.mean([split.h**2 for split in splits], axis=0), rtol=1e-5)


def test_another_value_leaves_what_the_rule_has_learnt():
    method = make()
    for v in FRAMES[:4]:
        method.step(v)
    mean = method.rule.mean
    method.set("step", 0.01)
    assert method.rule.step == 0.01
    assert np.array_equal(method.rule.mean, mean)


def test_the_rank_changes_while_samples_wait_and_the_rule_follows():
    method = make()
    for v in FRAMES[:6]:
        method.step(v)
    old = method.W.copy()
    method.set("rank", 5)
    assert np.array_equal(method.W[:, :3], old)
    assert method.rule.mean.shape == (5,)
    method.set("rank", 2)
    assert method.W.shape == (LAYOUT.n_values, 2)
    for v in FRAMES[6:9]:
        method.step(v)
    assert method.rule.seen[-1][2].H.shape == (4, 2)


def test_the_least_used_column_goes_first():
    method = make(rank=3)
    state = method.state()
    state["W"][1] = 1e-4
    state["n_seen"][:] = 1
    state["usage"][:] = (1, 1, 1)
    method.load(state)
    method.set("rank", 2)
    assert np.array_equal(method.W.T, state["W"][[0, 2]])


@pytest.mark.parametrize(("layout", "rank"), [(LAYOUT, 40), (Layout(300, 300, Planes.GREY), 5)])
def test_the_automatic_rank_is_the_papers_for_image_sets_and_small_for_video(layout, rank):
    values = {p.name: p.default for p in STREAM_LEARNING}
    method = StochasticNmf(layout, values, 0, lambda values, layout: Gradient(0.1), image_set_rank=40)
    assert method.W.shape[1] == rank


def test_an_empty_model_says_so():
    with pytest.raises(CleanplateError, match="empty"):
        make().transform(FRAMES[0])


def test_a_mini_batch_ends_where_one_more_frame_would_not_fit(monkeypatch):
    monkeypatch.setattr(mini_batch, "MOST_BYTES", 3 * 4 * LAYOUT.n_values)
    method = make(batch=1000)
    for v in FRAMES[:4]:
        method.step(v)
    assert [len(V) for V, _, _ in method.rule.seen] == [3]
