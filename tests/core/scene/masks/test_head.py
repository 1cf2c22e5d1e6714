import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.runtime import bands
from core.scene.masks.cells import CellGrid
from core.scene.masks.head import NOTHING, Head, shipped
from core.scene.masks.statistics import CellStatistics

LAYOUT = Layout(192, 256, Planes.GREY)


def judged(picture, layout=LAYOUT, background=None):
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


def test_the_weights_that_come_with_the_program_are_finite_and_fit_the_kernels():
    weights = shipped()
    n = weights.enter.shape[0]
    assert weights.spread.shape == (4, n, 9)
    assert weights.mix.shape == (4, n, n)
    assert weights.leave.shape == (2, n)
    for array in vars(weights).values():
        assert array.dtype == np.float32
        assert np.isfinite(array).all()


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


def test_what_lies_far_off_changes_nothing(picture):
    alone, both = judged(picture), picture.copy()
    both[100:130, 230:250] = 20
    near = np.s_[:, :60]
    np.testing.assert_array_equal(judged(both).foreground[near], alone.foreground[near])


def test_a_verdict_of_one_frame_does_not_hang_on_the_one_before(picture):
    grid, other = CellGrid(LAYOUT), np.full((192, 256), 30, np.uint8)
    known, base, head = CellStatistics(grid), np.full(LAYOUT.n_values, 100, np.uint8), Head(grid.shape)
    first, second = (grid.measure(frame.ravel(), base) for frame in (picture, other))
    once = head.judge(shipped(), first, first.expected[0], known)
    head.judge(shipped(), second, second.expected[0], known)
    again = head.judge(shipped(), first, first.expected[0], known)
    np.testing.assert_array_equal(again.foreground, once.foreground)
    np.testing.assert_array_equal(again.shadow, once.shadow)


def test_bands_on_one_core_or_several_give_the_same(picture, monkeypatch):
    several = judged(picture)
    monkeypatch.setattr(bands, "run_rows", lambda kernel, rows, size, *arguments: kernel(0, rows, *arguments))
    one = judged(picture)
    np.testing.assert_array_equal(several.foreground, one.foreground)
    np.testing.assert_array_equal(several.shadow, one.shadow)


@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1), (7, 9), (17, 33)])
def test_any_size_of_frame_is_judged(size):
    layout = Layout(*size, Planes.GREY)
    verdict = judged(np.full(size, 250, np.uint8), layout)
    assert verdict.foreground.shape == CellGrid(layout).shape
    assert np.isfinite(verdict.foreground).all()
    assert np.isfinite(verdict.shadow).all()
