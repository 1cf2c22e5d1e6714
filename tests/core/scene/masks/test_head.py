"""The learned head: what the kernels say is what the network says, on the evidence that it is trained on."""

import cv2
import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.kernels.head import PAD, N
from core.runtime import bands
from core.scene.masks.cells import CellGrid
from core.scene.masks.head import NOTHING, Head
from core.scene.masks.head_weights import Weights, shipped
from core.scene.masks.statistics import CellStatistics
from tests.reference import kernels_head

LAYOUT = Layout(90, 122, Planes.YCC420)


def random_weights(seed):
    rng = np.random.default_rng(seed)
    shapes = {name: value.shape for name, value in shipped()._asdict().items()}
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
    known.unrest[:], known.cover[:] = (rng.random(grid.shape) for _ in range(2))
    cells = grid.measure(frame, background)
    return cells, cells.shown[0] + rng.normal(0, 3, grid.shape).astype(np.float32), known


@pytest.mark.parametrize("weights", [shipped(), random_weights(1)], ids=["shipped", "random"])
def test_the_verdict_is_what_the_network_says_of_the_evidence(seen, weights):
    cells, before, known = seen
    head = Head(cells.peak.shape)
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
    head, weights = Head(cells.peak.shape), random_weights(1)
    evidence = head.evidence(cells, before, known)
    monkeypatch.setattr(kernels_head, "REACHES", (1, 2, 4, 7))
    wrong = kernels_head.network(weights, evidence.features, evidence.active)[0]
    found = head.judge(weights, cells, before, known).foreground
    assert np.abs(found - wrong)[evidence.active > 0].max() > 0.01 * np.abs(wrong).max()


def test_the_evidence_is_empty_where_nothing_is_looked_at(seen):
    evidence = Head(seen[0].peak.shape).evidence(*seen)
    assert evidence.features.shape == (N, *evidence.active.shape)
    assert not evidence.features[:, evidence.active == 0].any()
    assert np.abs(evidence.features[:, evidence.active > 0]).max() > 0.3


# -- what the shipped weights say of drawn frames

GREY = Layout(192, 256, Planes.GREY)


def judged(picture, layout=GREY, background=None):
    grid = CellGrid(layout)
    base = np.full(layout.n_values, 100, np.uint8) if background is None else background
    cells = grid.measure(picture.ravel(), base)
    return Head(grid.shape).judge(shipped(), cells, cells.expected[0], CellStatistics(grid))


@pytest.fixture
def picture():
    rng = np.random.default_rng(0)
    picture = np.full((192, 256), 100, np.uint8)
    picture[60:130, 80:120] = rng.integers(0, 256, (70, 40))
    return picture


def test_it_looks_where_something_differs_and_nowhere_else(picture):
    verdict = judged(picture)
    assert verdict.looked_at[30:65, 40:60].all()
    assert not verdict.looked_at[:, 110:].any()
    assert (verdict.foreground[~verdict.looked_at] == NOTHING).all()
    assert (verdict.shadow[~verdict.looked_at] == NOTHING).all()
    assert not judged(np.full((192, 256), 100, np.uint8)).looked_at.any()


def test_it_finds_what_has_a_texture_of_its_own(picture):
    verdict = judged(picture)
    assert (verdict.foreground[32:63, 42:58] > 0).mean() > 0.8
    assert (verdict.foreground[:, 75:] < 0).all()


def judged_colour(red, green, blue, noise=1.0, wall=125):
    """The verdict on a box of a colour, levels, before a flat grey wall whose cells have a noise, levels."""
    layout, rng = Layout(192, 256, Planes.YCC420), np.random.default_rng(0)
    walls, seen = (np.clip(wall + 2 * rng.standard_normal((192, 256, 3)), 0, 255).astype(np.uint8) for _ in range(2))
    seen[60:130, 80:120] = np.clip((red, green, blue) + 2 * rng.standard_normal((70, 40, 3)), 0, 255)
    base, frame = (cv2.cvtColor(x, cv2.COLOR_RGB2YUV_I420).ravel() for x in (walls, seen))
    grid = CellGrid(layout)
    cells, known = grid.measure(frame, base), CellStatistics(grid)
    known.variance[:] = noise**2
    return Head(grid.shape).judge(shipped(), cells, cells.expected[0], known)


@pytest.mark.parametrize("colour", [(20, 200, 30), (230, 85, 70), (70, 126, 250)])
@pytest.mark.parametrize("wall", [110, 125, 140])
def test_a_colour_as_bright_as_the_wall_is_found(colour, wall):
    verdict = judged_colour(*colour, wall=wall)
    assert (verdict.foreground[32:63, 42:58] > 0).mean() > 0.95
    assert (verdict.foreground[:, 75:] < 0).all()


@pytest.mark.parametrize(("noise", "found"), [(5, 1), (8, 0)])
def test_a_colour_counts_beyond_ten_times_its_noise(noise, found):
    shown = judged_colour(20, 200, 30, noise).foreground[32:63, 42:58] > 0  # 67 levels away in red.
    assert abs(shown.mean() - found) < 0.1


def test_what_lies_far_off_changes_nothing(picture):
    alone, both = judged(picture), picture.copy()
    both[100:130, 230:250] = 20
    near = np.s_[:, :60]
    np.testing.assert_array_equal(judged(both).foreground[near], alone.foreground[near])


def test_a_verdict_of_one_frame_does_not_hang_on_the_one_before(picture):
    grid, other = CellGrid(GREY), np.full((192, 256), 30, np.uint8)
    known, base, head = CellStatistics(grid), np.full(GREY.n_values, 100, np.uint8), Head(grid.shape)
    first, second = (grid.measure(frame.ravel(), base) for frame in (picture, other))
    once = head.judge(shipped(), first, first.expected[0], known)
    head.judge(shipped(), second, second.expected[0], known)
    again = head.judge(shipped(), first, first.expected[0], known)
    np.testing.assert_array_equal(again.foreground, once.foreground)
    np.testing.assert_array_equal(again.shadow, once.shadow)


def test_bands_on_one_core_or_several_give_the_same(monkeypatch):
    rng, layout = np.random.default_rng(0), Layout(574, 96, Planes.GREY)
    grid, base = CellGrid(layout), np.full(layout.n_values, 100, np.uint8)
    known, head, cut = CellStatistics(grid), Head(grid.shape), []
    # Bands move with what differs and there are more or fewer; nothing stays in them of the frame before.
    for first, cores in ((0, 2), (204, 5), (90, 3), (204, 1), (100, 5), (204, 3), (204, 2)):
        frame = base.reshape(574, 96).copy()
        frame[first : first + 370, 10:] = rng.integers(0, 256, (370, 86))
        cells = grid.measure(frame.ravel(), base)
        monkeypatch.setattr(bands, "at_once", lambda n: 1)
        one = Head(grid.shape).judge(shipped(), cells, cells.expected[0], known)
        monkeypatch.setattr(bands, "at_once", lambda n, cores=cores: cores)
        several = head.judge(shipped(), cells, cells.expected[0], known)
        cut.append([len(part) for part in several.last_layer])
        for found, wanted in zip(values_of(several), values_of(one), strict=True):
            np.testing.assert_array_equal(found, wanted)
    assert [len(rows) for rows in cut] == [2, 4, 3, 1, 4, 3, 2], "of 48 rows of blocks 12 each at least"
    assert cut[1] != cut[4], "the bands have moved"


def values_of(verdict):
    looked_at = verdict.looked_at
    return verdict.foreground, verdict.shadow, verdict.activations_at(*np.nonzero(looked_at)), looked_at


def test_few_rows_of_blocks_are_one_band(picture, monkeypatch):
    monkeypatch.setattr(bands, "at_once", lambda n: 8)
    assert len(judged(picture).last_layer) == 1


def test_what_bands_work_in_is_hardly_more_than_a_frame_takes(monkeypatch):
    monkeypatch.setattr(bands, "at_once", lambda n: 64)
    layout = Layout(1080, 200, Planes.GREY)
    grid, base = CellGrid(layout), np.full(layout.n_values, 100, np.uint8)
    cells = grid.measure(np.random.default_rng(0).integers(0, 256, layout.n_values, np.uint8), base)
    of_frames = Head(grid.shape)
    judged_in = of_frames.judge(shipped(), cells, cells.expected[0], CellStatistics(grid)).last_layer
    assert len(judged_in) == 5, "of 68 rows of blocks 12 each at least"
    room = judged_in[0].base
    assert all(part.base is room for part in judged_in)
    assert room.nbytes < 1.6 * (270 + 2 * PAD) * (50 + 2 * PAD) * N * 4


@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1), (7, 9), (17, 33)])
def test_any_size_of_frame_is_judged(size):
    layout = Layout(*size, Planes.GREY)
    verdict = judged(np.full(size, 250, np.uint8), layout)
    assert verdict.foreground.shape == CellGrid(layout).shape
    assert np.isfinite(verdict.foreground).all()
    assert np.isfinite(verdict.shadow).all()
