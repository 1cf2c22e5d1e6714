"""The experiment on salt and pepper: how it spoils, how it times batch learning, and that it gives its claims."""

import json

import numpy as np
import pytest

from core.bench.experiments import denoising
from core.bench.experiments.base import finish
from core.bench.experiments.denoising import NOISE


def test_salt_and_pepper_is_on_the_share_of_images_and_pixels_that_its_level_says():
    faces = np.full((400, 100), 0.5, np.float32)
    for level, (share, density) in enumerate(NOISE):
        clean, V = denoising.spoiled(faces, level, np.random.default_rng(0))
        hit = clean != V
        assert hit.any(axis=1).mean() == pytest.approx(share, abs=0.05)
        assert hit[hit.any(axis=1)].mean() == pytest.approx(density, abs=0.02)
        assert set(np.unique(V[hit])) == {0, 1}
        assert V[hit].mean() == pytest.approx(0.5, abs=0.03)


def test_a_quick_run_gives_every_figure_and_claim(monkeypatch):
    monkeypatch.setattr(denoising, "COPIES", 1)
    monkeypatch.setitem(denoising.CHOSEN, "rank", 6)
    monkeypatch.setitem(denoising.CHOSEN, "iterations", 20)
    steps = []
    result = finish(denoising.run(None, 0, True), steps.append)
    assert [step.done for step in steps] == list(range(3 * (1 + 2) + 2))
    methods = result.figures["methods"]
    assert [row[0] for row in result.tables[0].rows] == list(methods)
    assert all(np.isfinite(figures["psnr"]).all() for figures in methods.values())
    assert [claim.holds for claim in result.claims] == 7 * [None]
    json.dumps(result.as_data())
