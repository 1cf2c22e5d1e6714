"""The experiment on the share of spoiled pixels: how it spoils, and that it gives its tables and claims."""

import json

import numpy as np
import pytest

from core.bench.experiments import outlier_density
from core.bench.experiments.base import finish
from core.bench.experiments.data import drawn_faces


def test_outliers_only_add_light_and_are_clipped_at_white():
    clean = np.linspace(0, 1, 20_000, dtype=np.float32).reshape(10, -1)
    V = outlier_density.spoiled(clean, 0.3, np.random.default_rng(0))
    hit = clean != V
    assert hit[:3].mean() == pytest.approx(0.3, abs=0.02)
    assert V.max() == 1
    added = (V - clean)[hit & (V < 1)]
    assert (added.min(), added.max()) == pytest.approx((0.6, 1), abs=0.02)


def test_a_quick_run_gives_every_figure_and_claim(monkeypatch):
    monkeypatch.setattr(outlier_density, "DENSITIES", (0.1, 0.4))
    monkeypatch.setattr(outlier_density, "SIZE", (12, 12))
    monkeypatch.setattr(outlier_density, "RANK", 6)
    steps = []
    result = finish(outlier_density.run(None, 0, True), steps.append)
    assert [step.done for step in steps] == list(range(steps[0].total))
    names = [c.name for c in outlier_density.CONTESTANTS]
    assert [row[0] for row in result.tables[0].rows] == names
    assert np.array([result.figures["error"][name] for name in names]).shape == (5, 2, 1)
    assert all(claim.holds is None and "drawn" in claim.ours for claim in result.claims)
    json.dumps(result.as_data())


def test_each_repetition_comes_from_the_seed_alone():
    faces = drawn_faces(12, (8, 8))
    first, again, other = (
        outlier_density.repetition(outlier_density.ORPCA_WHITE, faces, 0.1, (5, repeat, 0))[0] for repeat in (0, 0, 1)
    )
    assert first == again != other
