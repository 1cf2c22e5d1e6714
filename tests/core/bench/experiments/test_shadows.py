"""Shadows: the law that tells what lies in shadow, and a score that a shadow left in place cannot pass."""

import numpy as np
import pytest

from core.bench.experiments import lights, shadows
from core.bench.experiments.base import finish
from core.bench.experiments.runs import Fitted
from core.errors import CleanplateError
from core.nmf.encoders.base import Encoding


@pytest.fixture(scope="module")
def face():
    return lights.drawn_lights(24, 24, seed=0)


def fitted(V, background):
    residual = V - background
    return Fitted(np.zeros((1, V.shape[1])), Encoding(np.zeros((len(V), 1)), background, residual, None, 0.0, 1), 1.0)


def test_directions_follow_the_file_names():
    np.testing.assert_allclose(lights.direction("yaleB02_P00A+000E+00"), [0, 0, 1], atol=1e-12)
    right, up, front = lights.direction("yaleB02_P00A+035E-20")
    assert right > 0
    assert up < 0
    assert front == pytest.approx(np.cos(np.deg2rad(35)) * np.cos(np.deg2rad(20)))
    with pytest.raises(CleanplateError, match="does not tell its light"):
        lights.direction("yaleB02_Ambient")


def test_lambert_fit_sees_through_shadows_that_least_squares_does_not():
    rng = np.random.default_rng(0)
    b = rng.uniform(0.1, 0.5, (40, 3))
    directions = np.abs(rng.normal(size=(30, 3)))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    clean = directions @ b.T
    V = np.where(rng.random(clean.shape) < 0.25, 0.1 * clean, clean).astype(np.float32)
    assert np.abs(lights.shadow_free(V, directions) - clean).mean() < 0.005
    plain = directions @ np.linalg.lstsq(directions, V, rcond=None)[0]
    assert np.abs(plain - clean).mean() > 0.02


def test_score_is_hundred_for_the_truth_and_nought_for_the_input(face):
    scored = shadows.scored_pictures(face)
    assert scored.sum() > 10
    V = face.faces.V
    nothing = shadows.score(face, scored, fitted(V, V))
    assert (nothing.removed, nothing.disturbed, nothing.specks) == (0, 0, 0)
    perfect = shadows.score(face, scored, fitted(V, face.ideal))
    assert perfect.removed == pytest.approx(100)
    assert perfect.disturbed < 5  # the noise of the drawing
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(V.shape) < 0.1, 1.0, V)
    assert shadows.score(face, scored, fitted(V, noisy)).specks > 5


def test_quick_run_tells_scores_of_all_methods_and_gives_a_sheet():
    result = finish(shadows.run(None, seed=0, quick=True))
    assert len(result.claims) == 4
    by_rank = result.figures["by_rank"]
    assert set(by_rank["12"]) == set(by_rank["4"]) == set(shadows.METHODS)
    assert all(np.isfinite(list(s.values())).all() for found in by_rank.values() for s in found.values())
    assert result.sheet.dtype == np.uint8
    assert result.sheet.shape[1] > 14 * shadows.TILE
