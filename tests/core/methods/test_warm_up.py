"""Rules that learn from mini-batches start from the median where frames show one scene, as the others do."""

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.methods.mini_batch import StochasticNmf

LAYOUT = Layout(24, 32, Planes.GREY)
SCENE = np.random.default_rng(0).integers(40, 200, LAYOUT.n_values).astype(np.uint8)
KEYS = [
    key for key, row in catalogue.METHODS.items()
    if row.kind == "online" and isinstance(row.build(LAYOUT, row.defaults(), 0), StochasticNmf)
]  # fmt: skip


def passers(n=60):
    """Give a scene in which something bright stands for a while, and then walks away."""
    for t in range(n):
        frame = SCENE.reshape(24, 32).copy()
        at = max(4, t - 4)
        frame[8:16, at : at + 4] = 250
        yield frame.ravel()


def background_error(key, **chosen):
    row = catalogue.row(key)
    method = row.build(LAYOUT, {**row.defaults(), "rank": 3, "batch": 2, **chosen}, 0)
    for v in passers():
        method.step(v)
    return method, float(np.abs(255 * method.transform(SCENE).background - SCENE).mean())


@pytest.mark.parametrize("key", KEYS)
def test_a_warm_up_keeps_what_passes_out_of_the_basis(key):
    method, error = background_error(key, warm_up=240)
    assert method.warming.n_done == 60
    assert error < 6
    assert np.isfinite(method.W).all()


def test_without_it_the_start_is_random():
    _, warm = background_error("ol-l1", warm_up=240)
    method, cold = background_error("ol-l1", warm_up=0)
    assert method.warming is None
    assert cold > 1 > warm


def test_it_ends_after_its_frames_and_where_a_state_is_taken_up():
    method, _ = background_error("ol-l1", warm_up=20)
    assert method.warming is None
    other, _ = background_error("ol-l1", warm_up=240)
    other.load(method.state())
    assert other.warming is None


def test_a_step_of_a_divergence_undoes_no_median():
    row = catalogue.row("ol-huber")
    method = row.build(LAYOUT, {**row.defaults(), "rank": 3, "batch": 2, "warm_up": 8}, 0)
    for t, v in enumerate(passers(16)):
        before = method.W.copy()
        method.step(v)
        medians_only = not np.array_equal(before, method.W)
        assert not medians_only or t in {0, 1, 2, 4} or t >= 8, "one at each doubling, then it learns"
    assert not np.array_equal(before, method.W)
