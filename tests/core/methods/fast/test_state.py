"""The copy of the dictionary at the sampled values is that of the dictionary, whatever has changed."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.fast.pixel_sample import PixelSample
from core.methods.fast.state import UNSEEN, State, places_in_parts
from core.methods.fast.units import Units
from core.nmf.relevance_determination import Fold

LAYOUT = Layout(30, 40, Planes.YCC420, full_range=False)
NOTHING = np.empty(0, np.uint8)


def sample(seed=0, count=200):
    return PixelSample(LAYOUT, Units(LAYOUT), count, np.random.default_rng(seed))


def begun(kind=State):
    """A state that starts from three columns."""
    rng = np.random.default_rng(1)
    state = kind(LAYOUT.n_values, Units(LAYOUT), sample())
    W = rng.random((3, LAYOUT.n_values)).astype(np.float32)
    state.begin(W / np.linalg.norm(W, axis=1, keepdims=True), np.array([20.0, 1.0, 0.5]))
    return state


def learnt(kind=State):
    """A state that has learnt from a few vectors since."""
    state = begun(kind)
    for _ in range(3):
        learn(state)
    return state


def learn(state):
    v = np.random.default_rng(2).integers(0, 256, LAYOUT.n_values).astype(np.uint8)
    state.learn(v, np.float32(1 / 255), 0.9, 0.1, NOTHING)


def overwrite(state):
    where = np.arange(LAYOUT.n_values) % 3 == 0
    assert state.overwrite(where, lambda at: np.full(at.size, 0.3, np.float32))


def fold(state):
    state.fold(Fold(np.array([0, 2]), np.array([[1, 0], [0.5, 0.5], [0, 1]]), into_coefficients=False))


def load(state):
    state.load({name: 2 * array for name, array in state.arrays().items()}, 3.0)


CHANGES = {
    "begin": lambda state: state.begin(state.W + np.float32(0.1), np.array([9.0, 0, 0])),
    "learn": learn,
    "overwrite": overwrite,
    "lift": lambda state: state.lift(np.float32(0.02)),
    "add": lambda state: state.add_columns(np.full((2, LAYOUT.n_values), 0.01, np.float32)),
    "keep": lambda state: state.keep_columns(np.array([0, 2])),
    "fold": fold,
    "load": load,
    "sample": lambda state: state.set_sample(sample(seed=5)),
    "none left": lambda state: state.keep_columns(np.arange(0)),
}


def index_of(name):
    return sample(seed=5 if name == "sample" else 0).index


@pytest.mark.parametrize("name", CHANGES)
def test_the_sampled_copy_is_that_of_the_dictionary_after_every_change(name):
    state = learnt()
    before = state.W_sample
    CHANGES[name](state)
    np.testing.assert_array_equal(state.W_sample, state.W[:, index_of(name)])
    assert not np.array_equal(state.W_sample, before), "the change does reach the sampled values"


class Forgetful(State):
    """Learns as its parent does, and forgets the copy."""

    def learn(self, *arguments):
        before = self._W_sample
        super().learn(*arguments)
        self._W_sample = before


def test_a_state_that_forgets_its_copy_is_found():
    state = learnt(Forgetful)
    learn(state)
    assert not np.array_equal(state.W_sample, state.W[:, index_of("learn")])


@pytest.mark.parametrize("name", CHANGES)
def test_everything_agrees_on_the_columns(name):
    state = learnt()
    CHANGES[name](state)
    K = state.rank
    assert (state.W.shape, state.B.shape) == ((K, LAYOUT.n_values),) * 2
    assert (state.A.shape, state.h.shape, state.usage.shape) == ((K, K), (K,), (K,))


def test_columns_too_long_are_brought_back_and_explain_the_same():
    state = begun()
    before, arrays = state.explained(slice(None)), state.arrays()
    longer = {"W": 3 * state.W, "B": state.B / 3, "A": state.A / 9, "h": state.h / 3}
    state.load({**arrays, **longer}, 1.0)
    state.learn(np.zeros(LAYOUT.n_values, np.uint8), np.float32(1 / 255), 0.9, 0.0, NOTHING)  # W h itself, as λ is 0
    assert np.linalg.norm(state.W, axis=1).max() <= 1
    np.testing.assert_allclose(state.explained(slice(None)), before, atol=0.02)
    np.testing.assert_allclose(state.B, state.A.astype(np.float32) @ state.W, rtol=0.05, atol=0.5)


@pytest.mark.parametrize("h", [[20.0, 1.0, 0.5], [0.0, 0.0, 0.0]], ids=["lit", "dark"])
def test_light_that_counts_from_lower_shows_the_same_and_colour_is_as_it_was(h):
    state, by, n = learnt(), np.float32(0.02), LAYOUT.signed_from
    state.follow(np.array(h))
    before, missed = state.explained(slice(None)), state.B - state.A.astype(np.float32) @ state.W
    state.lift(by)
    after = state.explained(slice(None))
    np.testing.assert_allclose(after[:n], before[:n] + by, atol=1e-5)
    np.testing.assert_allclose(after[n:], before[n:], atol=1e-5)
    assert np.linalg.norm(state.W, axis=1).max() <= 1
    if any(h):  # Statistics ask for what they did.
        now = state.B - state.A.astype(np.float32) @ state.W
        np.testing.assert_allclose(
            now / np.diag(state.A)[:, None] ** 0.5, missed / np.diag(learnt().A)[:, None] ** 0.5, atol=1e-3
        )


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
def test_places_come_in_order_and_in_parts_of_one_size(share, monkeypatch):
    monkeypatch.setattr("core.methods.fast.state.OVERWRITTEN", 64)
    where = np.random.default_rng(0).random(1003) < share
    found, at = list(places_in_parts(where)), np.flatnonzero(where)
    expected = np.array_split(at, max(1, -(-at.size // 64)))
    assert [part.tolist() for part in found] == [part.tolist() for part in expected]


def test_nothing_is_overwritten_where_no_column_brings_light():
    state = learnt()
    state.follow(np.zeros(3))
    before = state.W.copy()
    where = np.arange(LAYOUT.n_values) < 2
    assert not state.overwrite(where, lambda at: np.ones(at.size, np.float32))
    np.testing.assert_array_equal(state.W, before)


def test_what_is_given_out_to_be_kept_is_a_copy():
    state = learnt()
    kept = state.arrays()
    then = {name: array.copy() for name, array in kept.items()}
    learn(state)
    overwrite(state)
    for name, array in kept.items():
        np.testing.assert_array_equal(array, then[name], err_msg=name)


def following(state, h):
    return state.following_background(h, LAYOUT.empty)


def moved_by(state, samples):
    """The coefficients, when a sampled value has moved by so many samples, and none by more."""
    step = np.array([1.0, 0, 0])
    return state.h + step * samples / (255 * np.abs(step @ state.W_sample).max())


def test_a_background_is_kept_while_nothing_moves_by_a_quarter_of_a_sample():
    state = begun()
    first = following(state, state.h)
    assert following(state, moved_by(state, UNSEEN - 0.01)) is first
    assert following(state, moved_by(state, 0.01 - UNSEEN)) is first
    exact = state.background(moved_by(state, UNSEEN - 0.01), LAYOUT.empty())
    assert np.abs(exact.astype(int) - first).max() <= 1
    second = following(state, moved_by(state, UNSEEN + 0.01))
    assert second is not first
    np.testing.assert_array_equal(second, state.background(moved_by(state, UNSEEN + 0.01), LAYOUT.empty()))
    assert following(state, state.h) is not second, "it is held against the coefficients that it was written for"


def test_steps_that_are_not_seen_add_up_to_one_that_is():
    state = begun()
    first = following(state, state.h)
    kept = [following(state, moved_by(state, 0.1 * n)) is first for n in range(5)]
    assert kept == [True, True, True, False, False]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_background_is_written_anew_once_the_dictionary_has_changed(change):
    state = learnt()
    first = following(state, state.h)
    change(state)
    now = following(state, state.h)
    assert now is not first
    np.testing.assert_array_equal(now, state.background(state.h, LAYOUT.empty()))


def test_what_was_learnt_outlives_any_time_without_light():
    """With no coefficients the statistics only fade, and float32 ends where 250 memories have passed."""
    state = learnt()
    state.follow(np.zeros(3))
    black = LAYOUT.empty()
    black[:] = np.where(np.arange(LAYOUT.n_values) >= LAYOUT.signed_from, 128, 16)

    def wait(n_frames):
        for _ in range(n_frames):
            state.learn(black, np.float32(1 / 255), 0.9, 0.1, NOTHING)

    wait(400)  # Until the sweeps have brought it to where the statistics want it.
    before = state.W.copy()
    wait(2500)
    np.testing.assert_allclose(state.W, before, atol=1e-5)
    assert state.A.max() > 0
    assert np.isfinite(state.B).all()
