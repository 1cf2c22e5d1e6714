"""A model that is not finite is refused wherever it arises."""

from dataclasses import replace

import numpy as np
import pytest

from core import catalogue
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.nmf.finite import check_finite
from core.session.model import Model
from core.session.session import Session
from core.session.settings import Settings

LAYOUT = Layout(6, 5, Planes.GREY)
SENTENCE = "grown beyond all numbers.*start over"
ONLINE = [key for key, row in catalogue.METHODS.items() if row.kind == "online" and key != "fast"]
BATCH = [key for key, row in catalogue.METHODS.items() if row.kind == "batch"]
STRANGE = [np.nan, np.inf]


def learning(key, **values):
    row = catalogue.row(key)
    chosen = {**row.defaults(), "rank": 2, "batch": 2, **values}
    method = row.build(LAYOUT, {name: chosen[name] for name in row.defaults()}, 0)
    learn(method, np.random.default_rng(1).random((8, LAYOUT.n_values)))
    return method


def learn(method, V):
    for v in V.astype(np.float32):
        method.step(v)


@pytest.mark.parametrize("array", [1.0, np.zeros(3), np.ones((2, 2), int)])
def test_what_is_finite_passes(array):
    check_finite(array, array)


@pytest.mark.parametrize("strange", STRANGE)
@pytest.mark.parametrize("key", ONLINE)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_step_of_any_method_refuses_what_it_makes_of_numbers_that_are_none(key, strange):
    method = learning(key)
    with pytest.raises(CleanplateError, match=SENTENCE):
        learn(method, np.full((3, LAYOUT.n_values), strange))
    assert np.isfinite(method.W).all()


@pytest.mark.parametrize("strange", STRANGE)
@pytest.mark.parametrize("key", BATCH)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_iteration_of_any_method_refuses_factors_that_are_no_numbers(key, strange, monkeypatch):
    method = learning(key)
    method.improve()
    before = method.W.copy()
    improve = method.rule.improve
    monkeypatch.setattr(
        method.rule, "improve", lambda V, W, H: ((found := improve(V, W, H))[0], found[1] * strange, found[2])
    )
    with pytest.raises(CleanplateError, match=SENTENCE):
        method.improve()
    monkeypatch.setattr(method.rule, "improve", lambda V, W, H: (W * strange, H, 1.0))
    with pytest.raises(CleanplateError, match=SENTENCE):
        method.improve()
    np.testing.assert_array_equal(method.W, before)


@pytest.mark.parametrize("key", ["opgd", "onmf", "b-kl", "fast"])
def test_a_model_that_is_not_finite_is_neither_saved_nor_loaded(key, tmp_path):
    session = Session(open_source(InputSpec("sample:street", frames=(1, 6), grey=True, size=(32, 24))), Settings(key))
    for _ in session.run():
        pass
    learnt = session.model()
    state = {name: array.copy() for name, array in learnt.method_state.items()}
    state["W"].flat[0] = np.nan
    with pytest.raises(CleanplateError, match=SENTENCE):
        replace(learnt, method_state=state)
    learnt.save(tmp_path / "model.npz")
    assert Model.load(tmp_path / "model.npz").method == key
    if key != "fast":
        with pytest.raises(CleanplateError, match=SENTENCE):
            session.method.load(state)
