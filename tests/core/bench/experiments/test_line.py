"""The line through spoiled points: what is spoiled, and who finds it."""

import numpy as np
import pytest

from core.bench.experiments import line
from core.bench.experiments.base import finish


def test_so_many_points_leave_the_line_and_the_rest_lie_on_it():
    V = line.points(20, 40, np.random.default_rng(0))
    off = np.abs(V[:, 1] - line.SLOPE * V[:, 0]) > 1e-6
    assert V.shape == (180, 2)
    assert off[:60].mean() > 0.95
    assert not off[60:].any()


def test_the_papers_demonstration_comes_out():
    result = finish(line.run(None, 0, False))
    found = result.figures["found"]
    assert all(values[0] == pytest.approx(line.SLOPE, rel=0.01) for values in found.values())
    assert all(claim.holds for claim in result.claims)
    assert found["truncated-cauchy"] == pytest.approx([line.SLOPE] * 4, rel=0.1)
    V = line.points(*line.SPOILED[1], np.random.default_rng((0, 1)))
    direction = np.linalg.svd(V, full_matrices=False)[2][0]
    assert found["l2"][1] == pytest.approx(direction[1] / direction[0], rel=0.01), "plain least squares is the SVD"
    assert len(result.charts) == 4
