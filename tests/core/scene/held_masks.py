"""What is held of each number of masks, ghosts and light that was set by hand: `test_tuning` moves them."""

import cv2
import numpy as np

from core.frames.frame import Frame, Layout, Planes
from core.kernels import regions
from core.scene.illumination import LightChange
from core.scene.masks.cells import CellGrid, Cells
from core.scene.masks.corrections import Corrections
from core.scene.masks.detection import Detector
from core.scene.masks.ghosts import Ghosts
from core.scene.masks.head import Head
from core.scene.masks.head_weights import Weights
from core.scene.masks.marks import Marks
from core.scene.masks.matte import find_matte
from core.scene.masks.parameters import MASK_PARAMETERS, MaskSettings
from core.scene.masks.statistics import CellStatistics
from tests.core.scene.masks.learning import follow, learn

GREY = Layout(96, 128, Planes.GREY)
CELLS = (48, 64)
NO_PLANE = np.empty((0, 0), np.uint8)
SURELY_NOT = np.full(CELLS, -12, np.float32)


def cells_of(shown, expected=0.0):
    """Cells that show a map (h, w) of luma where another is expected."""
    now, known = np.zeros((3, *CELLS), np.float32), np.zeros((3, *CELLS), np.float32)
    now[0], known[0] = shown, expected
    return Cells(now, known, np.abs(now[0] - known[0]), (now - known) ** 2, (NO_PLANE, NO_PLANE), 2)


def noise_after(*seen):
    """Noise scale after frames that differ by so many levels, so often each: (levels, times) in turn."""
    known, still = CellStatistics(CellGrid(GREY)), np.zeros(CELLS, np.float32)
    for levels, times in seen:
        for _ in range(times):
            learn(known, cells_of(levels), still, SURELY_NOT, None)
    return known.typical_noise


def looks(levels, n_cells=16, noise=None):
    """Does the head look at a block of which so many cells differ by so much?"""
    known, shown = CellStatistics(CellGrid(GREY)), np.zeros(CELLS, np.float32)
    if noise is not None:
        known.variance[:] = noise**2
    block = np.zeros(16, np.float32)
    block[:n_cells] = levels
    shown[20:24, 20:24] = block.reshape(4, 4)
    return Head(CELLS).active(cells_of(shown), known.variance).any()


def revealed(frame, background, n):
    """Cells that turn out to be background within n frames of a still scene."""
    ghosts, found = Ghosts(CELLS, 2), np.zeros(CELLS, bool)
    differs = np.where(np.abs(frame - background) > 10, 255, 0).astype(np.uint8)
    for _ in range(n):
        now = follow(ghosts, cells_of(frame, background), differs, 0)
        found |= False if now is None else now > 0
    return found


def left():
    """A floor, and what somebody who has left it looked like."""
    floor = np.full(CELLS, 100, np.float32)
    figure = floor.copy()
    figure[12:36, 20:40] = 30
    return floor, figure


def framed(width):
    """What somebody left, within a rim so many cells wide of their colour that stays; the frame is even beyond it."""
    frame = np.full(CELLS, 100, np.float32)
    background = frame.copy()
    for picture in (frame, background):
        picture[20 - width : 28 + width, 28 - width : 36 + width] = 30
    frame[20:28, 28:36] = 100
    return frame, background


def textured(layout, seed=0):
    return layout.quantise((0.2 + 0.3 * np.random.default_rng(seed).random(layout.n_values)).astype(np.float32))


def lit(layout, light, covered):
    """Return what is found of two frames in which a light (H, W) falls on all, while the mask covers a part (H, W)."""
    watch, background = LightChange(layout), textured(layout)
    for _ in range(30):
        watch.offer(background, background, np.zeros(layout.shapes[0], np.uint8))
    v = np.clip(np.rint(background.reshape(layout.shapes[0]) * light), 0, 255).astype(np.uint8)
    mask = np.where(covered, 255, 0).astype(np.uint8)
    watch.offer(v.ravel(), background, mask)
    return watch.offer(v.ravel(), background, mask)


def specks(layout, size, *, hole):
    """A square of so many pixels a side, or a hole in what is all foreground, as the automatic sizes leave it."""
    settings = MaskSettings.of({p.name: p.default for p in MASK_PARAMETERS}, layout)
    mask = np.full(layout.shapes[0], 255 * hole, np.uint8)
    mask[50 : 50 + size, 50 : 50 + size] = 255 - 255 * hole
    covered = np.zeros_like(mask)
    sizes, logit = (settings.smallest_region, settings.smallest_hole), np.full((1, 1), -9, np.float32)
    regions.drop_small(regions.runs_of(mask), *sizes, logit > 0, logit, 1000, settings.doubt, mask, covered)
    return mask[52, 52] == 255


def hole(logit):
    """Whether a large hole with a mean logit is filled."""
    settings = MaskSettings.of({p.name: p.default for p in MASK_PARAMETERS}, GREY)
    mask = np.full(GREY.shapes[0], 255, np.uint8)
    mask[10:-10, 10:-10] = 0
    sizes, covered = (settings.smallest_region, settings.smallest_hole), np.zeros_like(mask)
    logits = np.full((1, 1), logit, np.float32)
    regions.drop_small(regions.runs_of(mask), *sizes, logits > 0, logits, 1000, settings.doubt, mask, covered)
    return mask[40, 40] == 255


# -- what is held of each number


def settled_frames():
    floor, figure = left()
    assert not revealed(floor, figure, 8).any()
    assert revealed(floor, figure, 12)[14:34, 22:38].all()


def memory():
    assert 3.25 < noise_after((2, 300), (4, 50)) < 3.6


def noise():
    assert not looks(20)
    assert looks(30)


def differs():
    assert not looks(8, noise=2)
    assert looks(12, noise=2)


def likeness():
    layout, where = GREY, np.zeros(GREY.shapes[0], bool)
    where[30:60, 40:80] = True
    remembered, v = Corrections(layout), np.full(layout.shapes[0], 120, np.uint8)
    remembered.add(where, Frame(0, 0.0, v.ravel(), layout), is_background=True)
    marked = np.full(layout.shapes[0], 255, np.uint8)
    for levels, same in ((6, True), (10, False)):
        other = v.copy()
        other[where] += levels
        found = remembered.preview(Frame(1, 0.0, other.ravel(), layout), Marks(marked, marked, marked), 0.0)
        assert (found.mask[40:50, 50:70] == 0).all() == same


def few():
    columns = np.arange(128) / 128 * np.ones(GREY.shapes[0])
    for share, asked in ((0.2, False), (0.3, True)):
        assert (lit(GREY, 1.6, columns < share) is not None) == asked


def sure():
    """By a head made by hand, whose logit is 1.2 and 1.8 of what is brighter by 27 and by 32 levels."""
    n, known = 16, CellStatistics(CellGrid(GREY))
    arrays = {"enter": np.zeros((n, n)), "enter_bias": np.zeros(n), "spread": np.zeros((4, n, 9)),
              "mix": np.zeros((4, n, n)), "mix_bias": np.zeros((4, n)), "leave": np.zeros((2, n)),
              "leave_bias": np.full(2, -8.0)}  # fmt: skip
    arrays["enter"][0, 0], arrays["leave"][0, 0] = 1, 16
    settings = MaskSettings.of({**{p.name: p.default for p in MASK_PARAMETERS}, "sensitivity": 5}, GREY)
    assert hole(-1.2)
    assert not hole(-1.8)
    for levels, hides in ((27, False), (32, True)):
        v = np.full(GREY.shapes[0], 100, np.uint8)
        v[30:60, 40:80] += np.uint8(levels)
        detector = Detector(GREY)
        cells = detector.measure(Frame(0, 0.0, v.ravel(), GREY), np.full(GREY.n_values, 100, np.uint8))
        found = detector.detect(cells, cells.shown[0], known, Weights.of(arrays), settings)
        assert not found.mask.any()
        assert (found.covered[34:56, 44:76] > 0).all() == hides


def fastest():
    assert 13 < noise_after((3, 8)) ** 2 < 16


def clip():
    assert 1.6 < noise_after((2, 300), (1000, 25)) / 2 < 2.6


def fewest():
    assert not looks(100, n_cells=2)
    assert looks(100, n_cells=3)


def reach():
    assert revealed(*framed(2), 30).any()
    assert not revealed(*framed(3), 30).any()


def blocks():
    """Light that changes over a few blocks is followed; stripes no wider than a block are no light."""
    layout = Layout(240, 160, Planes.GREY)
    rows = np.arange(240)[:, None] * np.ones(160)
    for rows_a_wave, is_light in ((60, True), (40, False)):
        light = 1.5 + 0.3 * np.sin(2 * np.pi * rows / rows_a_wave)
        assert (lit(layout, light, light > 0) is not None) == is_light


def band():
    """A disc with a soft edge, of which the mask is known exactly."""
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:120, :120]
    depth = 40 - np.hypot(x - 60, y - 60)
    alpha = 1 / (1 + np.exp(-0.8 * depth))
    behind, before = (
        np.dstack([level + cv2.GaussianBlur(rng.normal(0, 100, x.shape), (0, 0), 3) for level in colour])
        for colour in ((100, 100, 100), (190, 60, 60))
    )
    mixed = behind * (1 - alpha[..., None]) + before * alpha[..., None]
    seen, known = (np.clip(np.rint(p + rng.normal(0, 2, p.shape)), 0, 255).astype(np.uint8) for p in (mixed, behind))
    matte = find_matte(seen, known, np.where(alpha > 0.5, 255, 0).astype(np.uint8), 255)
    assert np.abs(matte.alpha - 255 * alpha)[np.abs(depth) < 8].mean() < 6.5


def a_region():
    layout = Layout(300, 400, Planes.GREY)
    assert not specks(layout, 6, hole=False)
    assert specks(layout, 7, hole=False)


def a_hole():
    layout = Layout(300, 400, Planes.GREY)
    assert specks(layout, 19, hole=True)
    assert not specks(layout, 21, hole=True)
