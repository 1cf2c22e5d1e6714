"""The experiments on noisy faces: noise as described, figures of clustering, and a whole quick run."""

import numpy as np
import pytest

from core.bench.experiments import orl_noise, orl_noise_figures
from core.bench.experiments.base import finish
from core.bench.experiments.clusters import accuracy, k_means, normalized_mutual_information

CLEAN = np.full((30, 1024), 0.6, np.float32)


def test_noise_is_what_it_says():
    rng = np.random.default_rng(0)
    spoiled = orl_noise.add_salt_pepper(CLEAN, 30, rng)
    assert (spoiled != CLEAN).mean() == pytest.approx(0.3, abs=0.02)
    assert set(np.unique(spoiled)) == {0.0, np.float32(0.6), 1.0}
    added = orl_noise.add_laplace(CLEAN, 40, rng) - CLEAN
    assert added.std() == pytest.approx(40 / 255, rel=0.05)
    assert orl_noise.add_laplace(CLEAN, 280, rng).min() == 0
    blocks = orl_noise.add_blocks(CLEAN, 12, rng).reshape(-1, 32, 32)
    for image in blocks:
        rows, columns = np.nonzero(image > 2)
        assert len(rows) == 144
        assert np.ptp(rows) == np.ptp(columns) == 11


def test_clusters_are_scored_whatever_they_are_called():
    truth = np.repeat(np.arange(4), 10)
    assert accuracy((truth + 2) % 4, truth) == 1
    assert normalized_mutual_information((truth + 2) % 4, truth) == pytest.approx(1)
    assert accuracy(truth // 2, truth) == 0.5
    assert normalized_mutual_information(truth // 2, truth) == pytest.approx(0.5)
    assert normalized_mutual_information(np.zeros(40, int), truth) == 0


def test_k_means_finds_clusters_that_lie_apart():
    truth = np.repeat(np.arange(3), 20)
    X = np.random.default_rng(0).standard_normal((60, 5)) * 0.05 + truth[:, None]
    runs = [k_means(X, 3, np.random.default_rng(seed)) for seed in range(5)]
    assert max(accuracy(found, truth) for found in runs) == 1


@pytest.mark.parametrize("run", [orl_noise.laplace, orl_noise.salt_pepper, orl_noise.occlusion])
def test_a_quick_run_on_drawn_faces_gives_figures_for_every_method(run):
    progress = []
    result = finish(run(None, 0, True), progress.append)
    assert "drawn faces" in result.data
    errors = result.figures["error"]
    assert all(np.isfinite(errors[key]).all() and len(errors[key]) == 2 for key in errors if key != "k-means")
    assert len(progress) == progress[0].total
    assert all(claim.holds is None for claim in result.claims), "levels of the claims are not in a quick run"


def test_persons_are_told_apart_where_they_are_known(data):
    faces = orl_noise.faces_from(data)
    assert faces.V.shape == (400, 1024)
    assert (np.bincount(faces.labels) == 10).all()


def test_the_printed_figures_fit_the_levels():
    tables = (orl_noise_figures.LAPLACE, orl_noise_figures.SALT_PEPPER, orl_noise_figures.OCCLUSION_ACCURACY,
              orl_noise_figures.OCCLUSION_NMI)  # fmt: skip
    for table in tables:
        assert all(len(row) == 7 for row in table.values())
