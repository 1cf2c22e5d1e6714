"""What multiplicative updates shrink for ever ends at 0, not among subnormal numbers, which take ten times as long."""

import re
from pathlib import Path

import numpy as np
import pytest

import core
from core import catalogue
from core.frames.frame import Layout, Planes
from core.kernels.multiplicative import step_band
from core.kernels.vanishing import VANISHED
from core.nmf.dictionaries.base import Statistics
from core.nmf.dictionaries.multiplicative import MultiplicativeDictionary
from core.nmf.vanishing import clear_vanished

LAYOUT = Layout(6, 5, Planes.GREY)
ITERATIONS = {"rnmf-mu": 1500, "rnmf-l1": 2000, "truncated-cauchy": 1200}
"""After so many each of these had subnormal numbers when it kept what had vanished."""
TINY = float(np.finfo(np.float32).tiny)


def n_subnormal(arrays):
    return sum(int(((X > 0) & (X < TINY)).sum()) for X in arrays)


def samples():
    """Of half as many basis images as are learnt, with a black edge and outliers."""
    rng = np.random.default_rng(0)
    W = rng.random((3, LAYOUT.n_values)) * (rng.random((3, LAYOUT.n_values)) < 0.6)
    V = np.clip(rng.random((24, 3)) @ W, 0, 1)
    V[:, :4] = 0
    V[rng.random(V.shape) < 0.1] = 1
    return V.astype(np.float32)


def test_what_is_no_normal_number_becomes_zero_and_all_else_stays():
    X = np.array([0, 1e-45, 1e-39, VANISHED, 1e-30, 1, np.nan], np.float32)
    clear_vanished(X)
    np.testing.assert_array_equal(X, np.array([0, 0, 0, VANISHED, 1e-30, 1, np.nan], np.float32))
    assert VANISHED == TINY


@pytest.mark.parametrize("key", ITERATIONS)
def test_no_factor_is_subnormal_after_many_iterations(key):
    row = catalogue.row(key)
    method = row.build(LAYOUT, {**row.defaults(), "rank": 6, "content": "images"}, 0)
    V = samples()
    W = method.W.T.copy()
    H = np.full((len(V), 6), 0.1, np.float32)
    method.rule.begin(V, W, H)
    for _ in range(ITERATIONS[key]):
        W, H, _ = method.rule.improve(V, W, H)
    assert (W == 0).any(), "nothing has vanished: the test shows nothing"
    assert n_subnormal((W, H)) == 0


def test_no_outlier_is_subnormal_after_many_updates_of_the_encoder():
    V = samples()
    rng = np.random.default_rng(0)
    W, H = rng.random((6, LAYOUT.n_values), np.float32), rng.random((len(V), 6), np.float32) / 6
    R = 0.01 * V
    for _ in range(200):
        step_band(0, LAYOUT.n_values, V, W, H, np.float32(0.1), R)
    assert (R[V > 0] == 0).any()
    assert n_subnormal((R,)) == 0


def test_no_dictionary_is_subnormal_after_many_updates():
    V, rng = samples(), np.random.default_rng(0)
    H = rng.random((len(V), 6), np.float32)
    known = Statistics((H.T @ H).astype(float), H.T @ V, np.zeros((6, LAYOUT.n_values), np.float32), 0.0)
    W = MultiplicativeDictionary(-1.0, 20_000).update(rng.random((6, LAYOUT.n_values), np.float32), known)
    assert (W == 0).any()
    assert n_subnormal((W,)) == 0


def test_what_is_kept_in_divisions_by_factors_is_said_once():
    folder = Path(core.__file__).parent
    said = [
        path.relative_to(folder).as_posix()
        for part in ("nmf", "methods") for path in sorted((folder / part).rglob("*.py"))
        if re.search(r"^[A-Z_]+(: \w+)? = (np\.float32\()?1e-12\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]  # fmt: skip
    assert said == ["nmf/vanishing.py"]
