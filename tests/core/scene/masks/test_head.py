"""The learned head: what the kernels say is what the network says, on the evidence that it is trained on."""

from dataclasses import asdict

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.kernels.head import N
from core.scene.masks.cells import CellGrid
from core.scene.masks.head import NOTHING, REACHES, Head, Weights, shipped
from core.scene.masks.statistics import CellStatistics
from tests.reference import kernels_head

LAYOUT = Layout(90, 122, Planes.YCC420)


def random_weights(seed):
    rng = np.random.default_rng(seed)
    shapes = {name: value.shape for name, value in asdict(shipped()).items()}
    return Weights.of({name: rng.normal(0, 0.3, shape) for name, shape in shapes.items()})


@pytest.fixture
def seen():
    """Cells of a noisy frame with two things in it, the frame before, and what is known of them."""
    rng = np.random.default_rng(0)
    background = rng.integers(90, 110, LAYOUT.n_values).astype(np.uint8)
    frame = background + rng.integers(0, 5, background.size).astype(np.uint8)
    luma, blue = LAYOUT.plane(frame, 0), LAYOUT.plane(frame, 1)
    luma[10:40, 6:20] += 60
    luma[60:88, 90:122] -= 50
    blue[5:20, 3:10] += 40
    grid = CellGrid(LAYOUT)
    known = CellStatistics(grid)
    known.flicker[:], known.cover[:] = (rng.random(grid.shape) for _ in range(2))
    cells = grid.measure(frame, background)
    return cells, cells.shown[0] + rng.normal(0, 3, grid.shape).astype(np.float32), known


@pytest.mark.parametrize("weights", [shipped(), random_weights(1)], ids=["shipped", "random"])
def test_the_verdict_is_what_the_network_says_of_the_evidence(seen, weights):
    cells, before, known = seen
    head = Head(cells.peak.shape[1:])
    evidence = head.evidence(cells, before, known)
    assert 0.1 < evidence.active.mean() < 0.9, "some is looked at, and some is not"
    expected = kernels_head.network(weights, evidence.features, evidence.active)
    for _ in range(2):  # Nothing is left of the frame before.
        verdict = head.judge(weights, cells, before, known)
        for found, logits in zip((verdict.foreground, verdict.shadow), expected, strict=True):
            wanted = np.where(evidence.active, logits, NOTHING)
            np.testing.assert_allclose(found, wanted, atol=1e-3 * np.abs(wanted).max())


def test_another_reach_would_be_noticed(seen, monkeypatch):
    cells, before, known = seen
    head, weights = Head(cells.peak.shape[1:]), random_weights(1)
    evidence = head.evidence(cells, before, known)
    monkeypatch.setattr(kernels_head, "REACHES", (1, 2, 4, 7))
    wrong = kernels_head.network(weights, evidence.features, evidence.active)[0]
    found = head.judge(weights, cells, before, known).foreground
    assert np.abs(found - wrong)[evidence.active > 0].max() > 0.01 * np.abs(wrong).max()


def test_the_evidence_is_empty_where_nothing_is_looked_at(seen):
    evidence = Head(seen[0].peak.shape[1:]).evidence(*seen)
    assert evidence.features.shape == (N, *evidence.active.shape)
    assert not evidence.features[:, evidence.active == 0].any()
    assert np.abs(evidence.features[:, evidence.active > 0]).max() > 0.3


def test_the_shipped_weights_fit_the_network():
    weights = asdict(shipped())
    n = len(REACHES)
    assert {name: value.shape for name, value in weights.items()} == {
        "enter": (N, N), "enter_bias": (N,), "spread": (n, N, 9), "mix": (n, N, N), "mix_bias": (n, N),
        "leave": (2, N), "leave_bias": (2,),
    }  # fmt: skip
    assert all(np.isfinite(value).all() for value in weights.values())
