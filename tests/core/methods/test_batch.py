import numpy as np
import pytest

from core import catalogue
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.methods import batch
from core.methods.batch import BatchNmf
from core.methods.zhao_tan_batch import rules as zhao_tan_batch
from core.runtime.stopping import StoppedError, stops_when

LAYOUT = Layout(6, 8, Planes.GREY)


def samples(n=40, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((n, 3)) @ rng.random((3, LAYOUT.n_values)) / 3).astype(np.float32)


def method(key="bpgd", layout=LAYOUT, **chosen):
    row = catalogue.row(key)
    found = row.build(layout, {**row.defaults(), "rank": 3, **chosen}, 0)
    assert isinstance(found, BatchNmf)
    return found


def test_steps_gather_and_leave_the_dictionary_as_it_is():
    found, V = method(), samples()
    before = found.W.copy()
    for v in V:
        found.step(v)
    assert found.numbers == list(range(40))
    assert np.array_equal(found.W, before)
    found.improve()
    assert not np.array_equal(found.W, before)


def test_the_set_is_bounded_and_spread_over_all_that_came():
    found = method(frames=10)
    for v in samples(100):
        found.step(v)
    assert found.numbers == [0, 16, 32, 48, 64, 80, 96]
    np.testing.assert_allclose(found.encoding().background + found.encoding().residual, samples(100)[::16], atol=1e-6)


def test_large_frames_are_fewer(monkeypatch):
    monkeypatch.setattr(batch, "MOST_BYTES", 5 * 4 * LAYOUT.n_values)
    assert method(frames=100).capacity == 5
    assert method(frames=2).capacity == 2
    monkeypatch.setattr(batch, "MOST_BYTES", 1)
    assert method(frames=100).capacity == 1, "one frame at least"


def test_automatic_size_and_rank_go_by_what_the_input_looks_like():
    assert method().capacity >= 2429, "all of CBCL"
    video = method(layout=Layout(240, 320, Planes.RGB), rank=None)
    assert (video.capacity, video.W.shape[1]) == (100, 5)


def test_iterations_end_by_their_number_or_by_how_little_they_change():
    found = method(iterations=7, tolerance=1e-9)
    found.gather(samples())
    assert len(found.fit()) == 7
    assert found.finished
    assert found.fit() == []
    lax = method(iterations=1000, tolerance=0.01)
    lax.gather(samples())
    objectives = lax.fit()
    changes = np.abs(np.diff(objectives)) / objectives[1:]
    assert 1 < len(objectives) < 1000
    assert changes[-1] <= 0.01 < changes[:-1].min()


def test_an_iteration_that_was_stopped_halfway_is_done_anew_from_the_dictionary_there_is(monkeypatch):
    V = samples()
    monkeypatch.setattr(zhao_tan_batch, "BLOCK_BYTES", 10 * V[0].nbytes)
    found, anew = method("rnmf-mu"), method("rnmf-mu")
    found.gather(V)
    found.improve()
    before, asked = found.W.copy(), iter([False] * 2)
    with pytest.raises(StoppedError), stops_when(lambda: next(asked, True)):
        found.improve()
    assert np.array_equal(found.W, before)
    anew.load(found.state())
    anew.gather(V)
    ours, theirs = found.improve(), anew.improve()
    assert (ours.iteration, ours.objective) == (theirs.iteration, theirs.objective)
    assert np.array_equal(found.W, anew.W)


BATCH = [key for key, row in catalogue.METHODS.items() if row.kind == "batch"]


@pytest.mark.parametrize("key", BATCH)
def test_values_that_stay_what_they_were_and_when_to_stop_change_no_result(key):
    ends = []
    for chosen in ({}, {p.name: None for p in catalogue.row(key).parameters if p.live}, {"iterations": 50}):
        found = method(key, iterations=40, tolerance=1e-9)
        found.gather(samples())
        for _ in range(8):
            found.improve()
        for name, value in chosen.items():
            found.set(name, found.values[name] if value is None else value)
        for _ in range(4):
            found.improve()
        ends.append(found.W)
    assert np.array_equal(ends[0], ends[1])
    assert np.array_equal(ends[0], ends[2])


def test_a_value_that_changes_begins_the_rule_again():
    found = method("truncated-cauchy", lenient=2, tolerance=1e-9, content="scene")
    found.gather(samples())
    for _ in range(3):
        found.improve()
    before = found.rule
    found.set("strict", 20)
    assert found.rule is not before
    assert found.improve().iteration == 4


def test_a_value_that_changes_after_the_end_goes_on_learning():
    found = method(iterations=7, tolerance=1e-9)
    found.gather(samples())
    before = found.fit()
    found.set("iterations", 7)
    found.set("tolerance", 1e-8)
    assert found.finished
    found.set("iterations", 9)
    assert not found.finished
    whole = method(iterations=9, tolerance=1e-9)
    whole.gather(samples())
    assert before + found.fit() == whole.fit()
    found.set("lam", 0.2)
    assert len(found.fit()) == 9, "as many as at first"
    lax = method(iterations=1000, tolerance=0.01)
    lax.gather(samples())
    n_before = len(lax.fit())
    lax.set("iterations", 2000)
    assert lax.finished, "it had ended by the tolerance"
    lax.set("tolerance", 0.001)
    assert not lax.finished
    lax.set("tolerance", 0.01)
    lax.set("lam", 0.2)
    assert 1 < len(lax.fit()) <= n_before
    lax.gather(samples(seed=1))
    lax.encoding()
    lax.set("tolerance", 0.1)
    assert not lax.finished, "nothing was learnt of the new set"


def test_a_loaded_model_stays_finished_whatever_changes():
    found, loaded = method(iterations=3), method(iterations=3)
    found.gather(samples())
    found.fit()
    loaded.load(found.state())
    loaded.set("lam", 0.2)
    loaded.set("iterations", 50)
    assert loaded.finished
    assert loaded.fit() == []


@pytest.mark.parametrize("lone", [False, True])
def test_a_first_stage_ends_by_the_stops_in_force(lone):
    ends = []
    for change in ({}, {"iterations": 40}, {"tolerance": 0.1}):
        found = method("robust-nmf+wnmf", iterations=200, tolerance=1e-9, lone_pixels=lone)
        found.gather(samples())
        for _ in range(30):
            found.improve()
        for name, value in change.items():
            found.set(name, value)
        found.improve()
        ends.append(found.W)
    assert not np.array_equal(ends[0], ends[1])
    assert np.array_equal(ends[1], ends[2])


def test_each_improvement_tells_of_the_sample_asked_for():
    found, V = method(iterations=5, tolerance=1e-9), samples()
    found.gather(V)
    for n in range(1, 6):
        given = found.improve(shown=n)
        assert (given.iteration, given.n_iterations, given.finished) == (n, 5, n == 5)
        np.testing.assert_allclose(given.split.background + given.split.residual, V[n], atol=1e-6)
    np.testing.assert_allclose(given.split.background, found.encoding().background[5], atol=1e-6)


def test_a_frame_that_comes_later_joins_the_set_and_learning_goes_on_from_the_dictionary_there_is():
    found, V = method(tolerance=1e-6), samples()
    found.gather(V[:20])
    first = found.fit()
    found.gather(V[20:])
    assert not found.finished
    again = found.improve()
    assert again.iteration == 1
    assert again.objective < 0.2 * first[0]
    assert len(found.encoding().H) == 40


def test_nothing_gathered_is_one_sentence():
    for act in (lambda m: m.improve(), lambda m: m.fit(), lambda m: m.encoding()):
        with pytest.raises(CleanplateError, match="nothing to learn from"):
            act(method())


def test_a_set_given_at_once_is_the_set_given_one_by_one():
    one, other, V = method(iterations=5), method(iterations=5), samples()
    one.gather(V)
    for v in V:
        other.step(v)
    assert one.fit() == other.fit()
    assert np.array_equal(one.W, other.W)


def test_a_model_holds_what_was_learnt_and_not_the_frames():
    found = method()
    found.gather(samples())
    found.fit()
    assert sum(array.size for array in found.state().values()) < 2 * found.W.size
