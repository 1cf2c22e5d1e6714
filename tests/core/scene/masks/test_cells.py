import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.masks.cells import MOST_ROWS, CellGrid


def flat(layout, level):
    v = np.full(layout.n_values, level, layout.dtype)
    if layout.planes is Planes.YCC420:
        v[layout.slices[1].start :] = layout.neutral
    return v


@pytest.mark.parametrize(("height", "side"), [(1, 2), (240, 2), (576, 2), (578, 4), (1080, 4), (2160, 8)])
def test_cells_are_even_and_there_are_no_more_rows_of_them_than_a_head_knows(height, side):
    grid = CellGrid(Layout(height, 2 * height, Planes.GREY))
    assert grid.side == side
    assert grid.shape == (-(-height // side), -(-2 * height // side))
    assert grid.shape[0] <= MOST_ROWS


@pytest.mark.parametrize(("asked", "grey", "colour"), [(1, 1, 2), (2, 2, 2), (3, 3, 4), (16, 16, 16)])
def test_cells_are_as_large_as_was_asked_for_and_even_in_colour(asked, grey, colour):
    for planes in Planes:
        grid = CellGrid(Layout(700, 50, planes), asked)
        assert grid.side == (grey if planes is Planes.GREY else colour)
        assert grid.shape == (-(-700 // grid.side), -(-50 // grid.side))


@pytest.mark.parametrize("planes", Planes)
@pytest.mark.parametrize("size", [(8, 12), (7, 11), (1, 1)])
def test_what_is_as_the_background_differs_by_nothing(planes, size):
    layout = Layout(*size, planes)
    v = np.random.default_rng(0).integers(0, 256, layout.n_values).astype(np.uint8)
    cells = CellGrid(layout).measure(v, v)
    assert not cells.peak.any()
    assert not cells.square.any()
    np.testing.assert_array_equal(cells.shown, cells.expected)


def test_means_are_those_of_the_pixels_of_a_cell_at_the_border_too():
    layout = Layout(5, 7, Planes.GREY)
    v = np.arange(35, dtype=np.uint8)
    cells = CellGrid(layout).measure(v, np.zeros_like(v))
    picture = v.reshape(5, 7)
    for i in range(3):
        for j in range(4):
            part = picture[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].astype(float)
            assert cells.shown[0, i, j] == pytest.approx(part.mean())
            assert cells.peak[i, j] == part.max()
            assert cells.square[0, i, j] == pytest.approx((part**2).mean())
    assert not cells.shown[1:].any(), "grey has no chroma"


@pytest.mark.parametrize(("height", "width"), [(1081, 1921), (578, 854), (241, 321), (1080, 64), (5, 7), (1, 1)])
def test_means_of_a_map_over_pixels_are_those_of_the_pixels_of_each_cell(height, width):
    grid, of_pixels = CellGrid(Layout(height, width, Planes.GREY)), np.empty((height, width), np.float32)
    of_pixels[:] = np.random.default_rng(0).uniform(1, 9, (height, width))
    means, side = grid.means(of_pixels), grid.side
    assert (means.shape, means.dtype) == (grid.shape, np.float32)
    for i, j in {(0, 0), (grid.shape[0] // 2, grid.shape[1] // 2), (grid.shape[0] - 1, grid.shape[1] - 1)}:
        part = of_pixels[side * i : side * i + side, side * j : side * j + side]
        assert means[i, j] == pytest.approx(part.mean(dtype=float), rel=1e-5)


@pytest.mark.parametrize("depth", [8, 10, 12, 16])
@pytest.mark.parametrize("full_range", [True, False])
def test_grey_levels_are_the_same_at_every_bit_depth(depth, full_range):
    layout = Layout(6, 8, Planes.YCC420, depth, full_range)
    eight = Layout(6, 8, Planes.YCC420, 8, full_range)
    times = 1 << (depth - 8)
    now, known = flat(eight, 120), flat(eight, 80)
    wanted = CellGrid(eight).measure(now, known)
    found = CellGrid(layout).measure(
        (now.astype(np.uint32) * times).astype(layout.dtype), (known.astype(np.uint32) * times).astype(layout.dtype)
    )
    for name in ("shown", "expected", "peak", "square"):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=0.02, atol=0.5, err_msg=name)
    assert not found.shown[1:].any(), "grey has no chroma"


def test_rgb_is_measured_as_brightness_and_colour():
    layout = Layout(6, 8, Planes.RGB)
    grey, red = flat(layout, 100), flat(layout, 100)
    layout.plane(red, 0)[:] = 200
    cells = CellGrid(layout).measure(red, grey)
    np.testing.assert_allclose(cells.shown[0], 100 + 0.299 * 100, atol=1)
    assert (cells.shown[2] > 40).all(), "red"
    assert (cells.shown[1] < -10).all(), "less blue"
    np.testing.assert_allclose(cells.expected[1:], 0, atol=0.5)


def test_a_background_that_trembles_by_a_pixel_differs_by_nothing():
    layout = Layout(24, 32, Planes.GREY)
    floor = np.random.default_rng(0).integers(0, 256, (24, 32)).astype(np.uint8)
    cells = CellGrid(layout).measure(np.roll(floor, (1, -1), (0, 1)).ravel(), floor.ravel())
    assert not cells.peak[1:-1, 1:-1].any()
    far = CellGrid(layout).measure(np.roll(floor, (5, 7), (0, 1)).ravel(), floor.ravel())
    assert (far.peak[1:-1, 1:-1] > 0).mean() > 0.2
