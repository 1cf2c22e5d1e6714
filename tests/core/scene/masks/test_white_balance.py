"""Where a camera sets its white balance, what is known of the scene has another colour, and is no foreground."""

import numpy as np
import pytest

from core import catalogue
from core.frames import colour
from core.frames.frame import Frame, Layout, Planes
from core.scene.masks.cells import CellGrid
from core.scene.masks.foreground import Foreground
from core.scene.masks.white_balance import WhiteBalance

SIZE = (90, 121)
LAYOUTS = {
    "RGB": Layout(*SIZE, Planes.RGB),
    "RGB of 16 bits": Layout(*SIZE, Planes.RGB, 16),
    "4:2:0": Layout(*SIZE, Planes.YCC420, full_range=False),
    "10 bits, BT.709": Layout(*SIZE, Planes.YCC420, 10, matrix="bt709"),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
GAINS = (1.1, 0.97, 0.9)
"""Of about the same light."""
THING = np.s_[20:70, 30:80]


def picture(*, gains=(1, 1, 1), thing=None, seed=1):
    """Return red, green and blue (3, H, W) in [0, 1] of a scene of many colours, smooth, as a camera gives it."""
    rng = np.random.default_rng(seed)
    rough = rng.uniform(0.25, 0.75, (3, 6, 8))
    scene = rough.repeat(15, axis=1).repeat(16, axis=2)[:, : SIZE[0], : SIZE[1]].copy()
    if thing is not None:
        scene[(slice(None), *THING)] = np.reshape(thing, (3, 1, 1))
    return scene * np.reshape(gains, (3, 1, 1))


def vector(layout, rgb, noise=0.0):
    """Return the vector (F,) of a picture."""
    rgb = rgb + noise / 255 * np.random.default_rng(3).standard_normal(rgb.shape)
    if layout.planes is Planes.RGB:
        return layout.quantise(rgb.reshape(-1).astype(np.float32))
    luma, blue, red = np.tensordot(colour.ycc_of_rgb(layout.matrix), rgb, 1)
    out, of_chroma = layout.empty(), 1 if layout.full_range else 224 / 219
    for index, (plane, span) in enumerate(((luma, 1), (blue[::2, ::2], of_chroma), (red[::2, ::2], of_chroma))):
        samples = layout.zero(index) + span * layout.luma_span * plane
        layout.plane(out, index)[:] = np.clip(np.rint(samples), 0, layout.white)
    return out


def balanced(layout, shown, background):
    grid = CellGrid(layout)
    return WhiteBalance(layout, grid).balanced(grid.measure(shown, background), background)


def apart(layout, a, b):
    """Return by how many grey levels two vectors differ, (F,)."""
    return np.abs(a.astype(np.float64) - b) * 255 / layout.white


@layouts
@pytest.mark.parametrize("thing", [None, (0.8, 0.2, 0.2)], ids=["nobody", "somebody"])
def test_the_background_gets_the_colours_of_the_frame(layout, thing):
    background = vector(layout, picture())
    shown, there = vector(layout, picture(gains=GAINS, thing=thing), 1.0), vector(layout, picture(gains=GAINS))
    assert np.percentile(apart(layout, background, there), 95) > 8
    assert np.percentile(apart(layout, balanced(layout, shown, background), there), 95) < 2


@layouts
def test_light_is_not_followed_by_it(layout):
    grid, background = CellGrid(layout), vector(layout, picture())
    found = balanced(layout, vector(layout, picture(gains=np.multiply(GAINS, 0.8))), background)
    cells = grid.measure(found, background)
    assert np.median(cells.shown[0] / cells.expected[0]) == pytest.approx(1, abs=0.01)


@layouts
@pytest.mark.parametrize(
    "shown",
    [
        picture(), picture(gains=(0.7, 0.7, 0.7)), picture(thing=(0.9, 0.1, 0.1)), picture(seed=2),
        picture(gains=(1.002, 1, 1)),
    ],
    ids=["the same", "less light", "somebody in red", "another scene", "less than rounding"],
)  # fmt: skip
def test_what_is_no_white_balance_changes_nothing(layout, shown):
    assert balanced(layout, vector(layout, shown, 1.0), vector(layout, picture())) is None


@pytest.mark.parametrize(("gain", "is_seen"), [(1.006, False), (1.025, True)])
def test_what_rounding_takes_away_is_left_alone(gain, is_seen):
    layout = LAYOUTS["RGB of 16 bits"]
    background, shown = vector(layout, picture()), vector(layout, picture(gains=(gain, 1, 1)))
    assert (balanced(layout, shown, background) is not None) == is_seen


def test_a_picture_in_grey_has_none():
    layout = Layout(*SIZE, Planes.GREY)
    light = vector(LAYOUTS["RGB"], picture())[: layout.n_values]
    assert balanced(layout, light, (light // 2).astype(np.uint8)) is None


@layouts
def test_who_stands_there_is_foreground_and_the_rest_is_not(layout):
    foreground = Foreground(layout, {p.name: p.default for p in catalogue.MASK_PARAMETERS})
    background = vector(layout, picture())
    for index in range(30):
        frame = Frame(index, index / 25, vector(layout, picture(), 1.0), layout)
        foreground.update(foreground.detect(frame, background), index)
    shown = vector(layout, picture(gains=GAINS, thing=(0.9, 0.1, 0.5)), 1.0)
    usual = vector(layout, picture(thing=(0.9, 0.1, 0.5)), 1.0)
    masks = [foreground.detect(Frame(30, 1.2, one, layout), background).mask > 0 for one in (usual, shown)]
    assert masks[0][THING].mean() > 0.9
    assert (masks[0] != masks[1]).mean() < 0.01


@pytest.mark.parametrize("side", [None, 8], ids=["usual cells", "few cells"])
@pytest.mark.parametrize("light", [0.6, 1.0])
def test_the_cells_of_the_frame_stay_as_they_are(side, light):
    layout = LAYOUTS["RGB"]
    grid, background = CellGrid(layout, side), vector(layout, picture())
    cells = grid.measure(vector(layout, picture(gains=np.multiply(GAINS, light))), background)
    before = cells.shown.copy(), cells.expected.copy()
    WhiteBalance(layout, grid).balanced(cells, background)
    np.testing.assert_array_equal(cells.shown, before[0])
    np.testing.assert_array_equal(cells.expected, before[1])


@layouts
def test_nothing_is_made_of_a_colour_that_the_scene_hardly_has(layout):
    scene = picture()
    scene[2] = 0
    scene[(slice(None), *THING)] = np.reshape((0.25, 0.25, 0.6), (3, 1, 1))
    shown = scene * np.reshape((1.2, 1, 1), (3, 1, 1))
    assert balanced(layout, vector(layout, shown), vector(layout, scene)) is None


def test_rgb_has_the_cells_of_one_matrix_whatever_its_own_is():
    layout = Layout(*SIZE, Planes.RGB, matrix="bt709")
    found = balanced(layout, vector(layout, picture(gains=GAINS), 1.0), vector(layout, picture()))
    assert np.percentile(apart(layout, found, vector(layout, picture(gains=GAINS))), 95) < 2


def test_samples_above_white_are_white():
    layout = Layout(*SIZE, Planes.RGB, 10)
    background, shown = vector(layout, picture()), vector(layout, picture(gains=GAINS))
    background[:9] = layout.white + 1
    found = balanced(layout, shown, background)
    assert found is not None
    assert found.max() <= layout.white


@layouts
@pytest.mark.parametrize("seed", [None, 1], ids=["a flat wall", "many colours"])
@pytest.mark.parametrize("tint", [(0.59, 0.41, 0.41), (0.41, 0.44, 0.67)], ids=["reddish", "bluish"])
def test_a_thing_before_most_of_the_scene_is_no_gain(layout, tint, seed):
    scene = np.full((3, *SIZE), 0.45) if seed is None else picture(seed=seed)
    shown = scene.copy()
    shown[:, :, : round(0.6 * SIZE[1])] = np.reshape(tint, (3, 1, 1))
    assert balanced(layout, vector(layout, shown, 1.0), vector(layout, scene, 1.0)) is None


@layouts
def test_a_sky_that_is_cut_off_at_full_light_hides_no_gain(layout):
    scene, shown = picture(), picture(gains=GAINS)
    scene[:, :30] = shown[:, :30] = 1.0
    found = balanced(layout, vector(layout, shown, 1.0), vector(layout, scene))
    assert found is not None
    before, after = (
        layout.plane(apart(layout, values, vector(layout, shown)), 0)[35:] for values in (vector(layout, scene), found)
    )
    assert np.percentile(after, 95) < max(2, np.percentile(before, 95) / 2)
