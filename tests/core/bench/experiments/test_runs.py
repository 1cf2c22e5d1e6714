"""How methods are run for experiments: what counts as learning, and how large a mini-batch is."""

import time

import pytest

from core.bench.experiments import denoising, divergences, orl_noise, runs
from core.bench.experiments.data import drawn_faces
from core.bench.experiments.runs import fit
from core.bench.experiments.synthetic import synthetic
from core.methods.batch import BatchNmf
from core.methods.mini_batch import StochasticNmf
from core.methods.online.nmf import OnlineNmf

FIRST_USE_S = 1000.0


@pytest.fixture
def compiled(monkeypatch):
    """Let clocks tell a second for whatever learns, and `FIRST_USE_S` more for the first; return what has learnt."""
    monkeypatch.setattr(runs, "_warm", set())
    now, used = [0.0], []

    def slow(learn):
        def learnt(self, *arguments):
            now[0] += 1.0 if used else 1.0 + FIRST_USE_S
            used.append(self)
            return learn(self, *arguments)

        return learnt

    monkeypatch.setattr(StochasticNmf, "step_batch", slow(StochasticNmf.step_batch))
    monkeypatch.setattr(BatchNmf, "improve", slow(BatchNmf.improve))
    monkeypatch.setattr(time, "process_time", lambda: now[0])
    monkeypatch.setattr(time, "thread_time", lambda: now[0])
    return used


def fitted(key):
    faces = drawn_faces(12, (8, 8))
    return fit(key, faces.layout, faces.V, {"rank": 3, "iterations": 5}, 0).seconds


def denoised(key):
    faces = drawn_faces(12, (19, 19))
    contestant = next(m for m in (*denoising.METHODS, *denoising.UNSPOILED) if m.key == key)
    return denoising.learn(contestant, faces, faces.V, faces.V, 0).seconds


def traced(key):
    problem = synthetic("poisson", (5, 6), 60, 3, 0)
    choice = next(choice for choice in divergences.DRAWN if choice.key == "kl")
    return divergences.trace(key, problem, divergences.Judge(choice, problem.V[:9]), 0, 3.0).seconds[-1]


def factorized(key):
    faces = drawn_faces(12, (8, 8))
    return orl_noise._factorize(key, faces.layout, faces.V, {"rank": 3, "iterations": 5}, 0)[2]


@pytest.mark.parametrize(
    ("measured", "key"),
    [(fitted, "onmf"), (fitted, "l2"), (denoised, "onmf"), (denoised, "bpgd"), (traced, "ol-kl"), (traced, "b-kl"),
     (factorized, "huber")],
)  # fmt: skip
def test_what_is_compiled_or_loaded_at_the_first_use_is_no_learning(compiled, monkeypatch, measured, key):
    monkeypatch.setitem(denoising.CHOSEN, "rank", 3)
    monkeypatch.setitem(denoising.CHOSEN, "iterations", 5)
    seconds = measured(key)
    assert len(set(map(id, compiled))) == 2
    assert 0 < seconds < FIRST_USE_S


def test_a_method_is_warmed_up_once_for_each_choice_of_its_parameters(compiled):
    for rank, n_learnt in ((3, 1), (3, 0), (4, 1)):
        compiled.clear()
        faces = drawn_faces(12, (8, 8))
        runs.warm_up("onmf", faces.layout, faces.V, {"rank": rank}, 0)
        assert len(compiled) == n_learnt


@pytest.mark.parametrize(
    ("key", "chosen", "first", "last"), [("opgd", {}, 4, 7), ("opgd", {"batch": 5}, 5, 5), ("onmf", {}, 10, 10)]
)
def test_mini_batches_are_as_chosen_or_grow_as_in_the_catalogue(monkeypatch, key, chosen, first, last):
    sizes = []
    for method in (OnlineNmf, StochasticNmf):
        learn = method.step_batch
        monkeypatch.setattr(
            method, "step_batch", lambda self, V, learn=learn: (sizes.append(len(V)), learn(self, V))[1]
        )
    monkeypatch.setattr(runs, "warm_up", lambda *_: None)
    faces = drawn_faces(40, (8, 8))
    fit(key, faces.layout, faces.V, {"rank": 3, "content": "images", **chosen}, 0, passes=10)
    assert sum(sizes) == 400, "each image once a pass"
    assert (sizes[0], max(sizes)) == (first, last)
