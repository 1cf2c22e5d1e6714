"""A sky that is brighter than can be shown stays white while all else gets darker, and is no foreground."""

import cv2
import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene.masks.cells import CellGrid
from core.scene.masks.highlights import Highlights
from core.session.session import Session
from core.session.settings import Settings

SIZE = (96, 128)
LAYOUTS = {
    "grey": Layout(*SIZE, Planes.GREY),
    "RGB": Layout(*SIZE, Planes.RGB),
    "4:2:0": Layout(*SIZE, Planes.YCC420, full_range=False),
    "10 bits": Layout(*SIZE, Planes.YCC420, 10),
    "16 bits": Layout(97, 131, Planes.GREY, 16),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
SKY = np.s_[8:30, 72:112]
FALLS, DIMS, N = range(60, 76), range(76, 96), 110
NOISE = 2.0


def vector(layout, light):
    """Return the vector (F,) of a picture without colour, from light of 0 to 1; more is cut off."""
    height, width = layout.shapes[0]
    out, light = np.full(layout.n_values, layout.neutral, np.float64), cv2.resize(light, (width, height))
    for i in range(len(layout.shapes)):
        if not layout.is_signed(i):
            layout.plane(out, i)[:] = layout.dark + layout.luma_span * np.clip(light, 0, 1)
    return np.rint(out).astype(layout.dtype)


def scene(sky=1.7):
    """Return the light (H, W) of a floor and of a sky that is too bright for the camera."""
    light = 0.45 + 0.15 * cv2.resize(np.random.default_rng(1).uniform(-1, 1, (14, 18)), SIZE[::-1])
    light[SKY] = sky
    return light


def clip(layout, *, walker=True, sky=1.7):
    """Return a clip whose exposure falls for a while, while somebody walks by in front of the floor and of the sky."""
    frames, truth, rng, light = [], [], np.random.default_rng(2), scene(sky)
    coat = 0.15 + 0.1 * cv2.resize(rng.uniform(-1, 1, (12, 6)), (14, 44))
    for t in range(N):
        picture, there = light.copy(), np.zeros(SIZE, np.bool_)
        x = 2 * t - 90
        if walker and 0 <= x < SIZE[1] - 14:
            picture[24:68, x : x + 14], there[24:68, x : x + 14] = coat, True
        exposure = np.interp(t, [FALLS.start, FALLS.stop, DIMS.stop, DIMS.stop + 5], [1, 0.55, 0.55, 1])
        noise = NOISE / 255 * rng.standard_normal(SIZE)
        frames.append(Frame(t, t / 25, vector(layout, np.clip(exposure * picture, 0, 1) + noise), layout))
        truth.append(there)
    return SampleSource(SourceInfo("clip", layout, 25.0, N), lambda t: frames[t]), truth


def masked(source):
    """Return masks of the frames that are darker."""
    found = {}
    for report in Session(source, Settings(passes=1)).run():
        if report.frame.index in FALLS or report.frame.index in DIMS:
            found[report.frame.index] = report.full_mask > 0
    return found


@layouts
def test_a_sky_that_stays_bright_while_the_exposure_falls_is_no_foreground(layout):
    source, _ = clip(layout, walker=False)
    assert max(mask.mean() for mask in masked(source).values()) < 0.002


def test_it_would_be_foreground_if_what_is_cut_off_were_taken_for_what_it_is(monkeypatch):
    monkeypatch.setattr(Highlights, "lifted", lambda self, cells, *_: cells)
    source, _ = clip(LAYOUTS["RGB"], walker=False)
    shares = [mask[SKY].mean() for mask in masked(source).values()]
    assert np.mean(shares) > 0.15
    assert max(shares) > 0.8


def test_who_walks_by_is_found_before_both():
    source, truth = clip(LAYOUTS["RGB"])
    found = masked(source)
    there = np.array([truth[t] for t in found])
    masks = np.array(list(found.values()))
    assert (masks & there).sum() / there.sum() > 0.85
    assert (masks & ~there).sum() / there.sum() < 0.1


def cells_of(layout, grid, now, background):
    return grid.measure(vector(layout, now), vector(layout, background))


def settled(layout, light=None):
    """Return what has seen a scene in its usual light, and the grid."""
    grid = CellGrid(layout)
    highlights, light = Highlights(layout, grid), scene() if light is None else light
    for _ in range(3):
        highlights.learn(cells_of(layout, grid, light, light), nowhere(grid), None)
    return highlights, grid


def nowhere(grid):
    return np.zeros(grid.shape, np.uint8)


def measured(layout, highlights, grid, now, background):
    variance = np.full(grid.shape, NOISE**2, np.float32)
    before = vector(layout, background)
    return highlights.lifted(cells_of(layout, grid, now, background), vector(layout, now), before, variance)


def dimmed(light, to=0.55):
    return np.clip(light, 0, 1) * to


@layouts
def test_what_is_at_full_light_may_be_brighter_in_a_darker_frame_and_nothing_else(layout):
    highlights, grid = settled(layout)
    light = scene()
    now, expected = np.clip(0.55 * light, 0, 1), dimmed(light)
    assert (now[SKY] > expected[SKY] + 0.3).all()
    now[60:80, 20:60] += 0.3  # As bright, where nothing was cut off.
    before = cells_of(layout, grid, now, expected)
    cells = measured(layout, highlights, grid, now, expected)
    side = grid.side
    sky, rest = np.s_[10 // side : 28 // side, 76 // side : 108 // side], np.s_[36 // side :, :]
    assert before.square[0][sky].min() > 60**2
    assert cells.square[:, *sky].max() == 0
    np.testing.assert_array_equal(cells.expected[0][sky], cells.shown[0][sky])
    np.testing.assert_array_equal(cells.square[0][rest], before.square[0][rest])
    assert cells.is_darker


def is_lifted(layout, highlights, grid, now, background):
    """Whether a frame leaves the background by less than it would be said to by itself."""
    before = cells_of(layout, grid, now, background)
    return not np.array_equal(measured(layout, highlights, grid, now, background).square, before.square)


@pytest.mark.parametrize("sky", [0.4, 0.9])
def test_a_background_that_can_be_shown_is_what_it_is(sky):
    layout = LAYOUTS["RGB"]
    highlights, grid = settled(layout, scene(sky))
    now = dimmed(scene(sky))
    now[SKY] = 0.99
    assert not is_lifted(layout, highlights, grid, now, dimmed(scene(sky)))


def test_what_is_darker_before_a_white_sky_is_foreground_in_any_light():
    layout = LAYOUTS["grey"]
    highlights, grid = settled(layout)
    for light in (np.clip(scene(), 0, 1), dimmed(scene())):
        now = light.copy()
        now[10:26, 80:100] = 0.3
        assert not is_lifted(layout, highlights, grid, now, light)


def test_in_its_usual_light_a_background_that_has_become_darker_is_what_it_is():
    layout = LAYOUTS["grey"]
    highlights, grid = settled(layout)
    now, known = np.clip(scene(), 0, 1), np.clip(scene(), 0, 1)
    known[SKY] = 0.5
    assert not is_lifted(layout, highlights, grid, now, known), "it is so dark there alone"
    assert is_lifted(layout, highlights, grid, dimmed(now), dimmed(known))


VAN = np.s_[50:80, 20:60]


def with_van(light):
    light = light.copy()
    light[VAN] = 1.0
    return light


def at_van(grid):
    picture = np.zeros(SIZE, np.bool_)
    picture[VAN] = True
    return grid.mostly(picture).astype(np.uint8)


def test_a_white_thing_that_is_found_makes_its_place_no_bright_background():
    layout = LAYOUTS["grey"]
    light = scene(0.4)
    for seen in (("differs",), ("unseen",)):
        highlights, grid = settled(layout, light)
        where = at_van(grid)
        for _ in range(200):
            differs, unseen = (where, None) if seen == ("differs",) else (nowhere(grid), where)
            highlights.learn(cells_of(layout, grid, with_van(light), light), differs, unseen)
        assert not is_lifted(layout, highlights, grid, with_van(dimmed(light)), dimmed(light))


@pytest.mark.parametrize("is_told", [True, False])
def test_a_white_thing_that_was_background_is_forgotten_once_it_has_left(is_told):
    layout = LAYOUTS["grey"]
    light = scene(0.4)
    highlights, grid = settled(layout, with_van(light))
    assert is_lifted(layout, highlights, grid, with_van(dimmed(light)), dimmed(light))
    if is_told:
        highlights.forget(at_van(grid))
    else:
        for _ in range(5):
            highlights.learn(cells_of(layout, grid, light, light), nowhere(grid), None)
    assert not is_lifted(layout, highlights, grid, with_van(dimmed(light)), dimmed(light))


def test_it_stays_known_for_as_long_as_the_exposure_is_low():
    layout = LAYOUTS["grey"]
    highlights, grid = settled(layout)
    now, expected = np.clip(0.55 * scene(), 0, 1), dimmed(scene())
    for _ in range(200):
        highlights.learn(measured(layout, highlights, grid, now, expected), nowhere(grid), None)
    assert is_lifted(layout, highlights, grid, now, expected)
    highlights.forget()
    assert not is_lifted(layout, highlights, grid, now, expected), "in another scene nothing is known"


def test_a_camera_that_moves_takes_it_along_and_a_state_brings_it_back():
    layout = LAYOUTS["grey"]
    highlights, grid = settled(layout)
    other = Highlights(layout, grid)
    other.load(highlights.state())
    np.testing.assert_array_equal(other.state()["usual_light"], highlights.state()["usual_light"])
    Highlights.schema(grid).check(highlights.state())
    moved = np.roll(scene(), (8, -6), (0, 1))
    other.move(8, -6)
    now, expected = np.clip(0.55 * moved, 0, 1), dimmed(moved)
    sky = np.s_[18 // grid.side : 36 // grid.side, 70 // grid.side : 104 // grid.side]
    assert measured(layout, other, grid, now, expected).square[0][sky].max() == 0
    other.load({"usual_light": np.zeros((2, 2), np.float32)})
    assert is_lifted(layout, other, grid, now, expected), "of cells of another size: nothing changes"
