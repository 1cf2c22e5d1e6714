"""The experiment on spoiled pixels, at a glance."""

import json

import numpy as np
import pytest

from core.bench.experiments import detection
from core.bench.experiments import detection_trials as trials
from core.bench.experiments.base import finish
from core.bench.experiments.data import drawn_faces, load_orl
from core.bench.experiments.registry import experiment


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detection, "SIZE", (16, 16))
        return finish(experiment("detection").begin(None, 0, True))


def test_faces_are_spoiled_as_the_paper_says():
    faces = drawn_faces(20, (32, 32))
    clean, V, hit = trials.spoil(faces, 12, 50, np.random.default_rng(0))
    assert clean.V.shape == V.shape == hit.shape == (12, 1024)
    assert (hit.sum(axis=1) == 50).all()
    assert (V[hit] == 1).all()
    assert np.array_equal(V[~hit], clean.V[~hit])
    assert len(np.unique(clean.V, axis=0)) == 12, "a face was taken twice"


def test_a_detector_that_is_told_what_white_means_finds_everything():
    faces = drawn_faces(60, (32, 32))
    found = trials.measure(detection.TOLD, faces, 50, 50, 0, {})
    assert found.recall == 100
    assert found.precision > 95
    assert found.error < trials.measure(detection.PLAIN, faces, 50, 50, 0, {}).error


def test_it_prints_the_papers_figures_beside_ours_and_judges_nothing_on_drawn_faces(result):
    first = result.tables[0]
    assert first.rows[0][:3] == ("paper: RobustNMF", "> 90", "> 50")
    assert {row[0] for row in first.rows[1:]} == {who.name for who in (*detection.DETECTORS, detection.PLAIN)}
    assert all(claim.holds is None for claim in result.claims)
    figures = json.loads(json.dumps(result.as_data()))["figures"]
    assert all(len(run["precision_percent"]) == len(run["seconds"]) > 0 for run in figures["runs"])
    assert result.charts


def test_on_orl_the_paper_is_met_and_ours_reaches_95_percent_on_both(data):
    faces = load_orl(data, detection.SIZE)
    robust = trials.measure(detection.ROBUST, faces, 50, 50, 7, {})
    assert robust.precision > 90
    assert robust.recall > 50
    ours = trials.measure(detection.LONE, faces, 50, 50, 7, {})
    assert min(ours.precision, ours.recall) > 95
