"""From cells to a mask, with a head that is made by hand: what parameters do does not hang on what was learnt."""

import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.scene.masks.detection import Detector
from core.scene.masks.head_weights import Weights
from core.scene.masks.parameters import MASK_PARAMETERS, MaskSettings
from core.scene.masks.statistics import CellStatistics

LAYOUT = Layout(96, 128, Planes.GREY)
FLOOR, DARKER, BRIGHTER = 100, 60, 180
BY_HAND = {"difference": 0, "distance": 2}
"""Features: the difference of luma, which has a sign, and its root mean square."""


def by_hand():
    """Weights of a head that takes what is brighter for foreground, and what is darker for shadow."""
    n = 16
    arrays = {
        "enter": np.zeros((n, n)), "enter_bias": np.zeros(n), "spread": np.zeros((4, n, 9)),
        "mix": np.zeros((4, n, n)), "mix_bias": np.zeros((4, n)), "leave": np.zeros((2, n)),
        "leave_bias": np.full(2, -8.0),
    }  # fmt: skip
    arrays["enter"][0, BY_HAND["difference"]], arrays["enter"][1, BY_HAND["difference"]] = 1, -1
    arrays["leave"][0, 0] = arrays["leave"][1, 1] = 16
    return Weights.of(arrays)


def detect(picture, layout=LAYOUT, background=None, swaying=np.s_[:0], before=None, **chosen):
    """Return what is found in a picture (H, W) before a flat floor; the background sways in a part of the cells.

    The frame before showed the same, or was of a luma ``before``.
    """
    detector = Detector(layout)
    known = CellStatistics(detector.grid)
    known.variance[0][swaying] = 100**2
    frame = Frame(0, 0.0, picture.astype(layout.dtype).ravel(), layout)
    base = np.full(layout.n_values, FLOOR / 255, np.float32) if background is None else background
    cells = detector.measure(frame, layout.quantise(base))
    values = {**{p.name: p.default for p in MASK_PARAMETERS}, **chosen}
    last = cells.shown[0] if before is None else np.full_like(cells.shown[0], before)
    return detector.detect(cells, last, known, by_hand(), MaskSettings.of(values, layout))


@pytest.fixture
def picture():
    return np.full((96, 128), FLOOR, np.uint8)


def test_nothing_is_found_where_nothing_differs(picture):
    found = detect(picture, smallest=0, holes=0)
    assert not found.mask.any()
    assert not found.covered.any()
    assert not found.verdict.looked_at.any(), "nor is it looked at"


def test_more_is_asked_where_the_background_sways_and_what_hides_it_is_learnt_from(picture):
    picture[30:40, 10:20] = picture[30:40, 100:110] = FLOOR + 40
    found = detect(picture, swaying=np.s_[:15, :32])  # Right above, where nothing differs.
    assert (found.mask[32:38, 102:108] == 255).all()
    assert (found.covered[32:38, 102:108] > 0).all()
    assert not found.mask[:, :32].any()
    assert not found.covered[:, :32].any()


def test_what_the_head_finds_is_marked_and_all_around_it_is_covered(picture):
    picture[30:60, 40:80] = BRIGHTER
    found = detect(picture)
    assert (found.mask[32:58, 42:78] == 255).all()
    outside = found.mask.copy()
    outside[26:64, 36:84] = 0
    assert not outside.any()
    assert (found.covered[28:62, 38:82] > 0).all()
    assert not found.covered[:20].any()


def test_what_may_hide_the_scene_is_what_was_found_with_its_shadow_and_nothing_by_itself(picture):
    picture[30:60, 40:80] = BRIGHTER
    picture[40:60, 80:100] = DARKER  # The shadow of it; a cloud's; and what is too small to be anything.
    picture[8:28, 104:120] = DARKER
    picture[80:84, 8:12] = BRIGHTER
    found = detect(picture, smallest=100)
    elsewhere = found.mask.copy()
    elsewhere[28:62, 38:82] = 0
    assert not elsewhere.any()
    assert (found.may_hide[42:58, 42:98] > 0).all()
    assert (found.covered[10:26, 106:118] > 0).all(), "nothing is learnt from it all the same"
    assert not found.may_hide[:24, 96:].any()
    assert not found.may_hide[72:].any()


def test_a_shadow_is_no_foreground_but_covers_and_counts_where_it_shall(picture):
    picture[30:60, 40:80] = DARKER
    found = detect(picture)
    assert not found.mask.any()
    assert (found.covered[30:60, 40:80] > 0).all()
    assert (detect(picture, shadows=False).mask[32:58, 42:78] == 255).all()


@pytest.mark.parametrize(("tone", "before", "chosen", "kept"), [
    (BRIGHTER, None, {}, True),
    (BRIGHTER, FLOOR, {}, False),
    (BRIGHTER, BRIGHTER - 4, {}, True),
    (BRIGHTER, BRIGHTER - 20, {}, False),
    (BRIGHTER, FLOOR, {"smallest": 0}, True),
    (BRIGHTER, None, {"smallest": 300}, False),
    (FLOOR + 26, None, {}, False),
    (FLOOR + 26, None, {"smallest": 0}, True),
])  # fmt: skip
def test_who_is_far_away_stays_where_surely_seen_twice_unless_a_size_is_set(tone, before, chosen, kept):
    picture, layout = np.full((480, 640), FLOOR, np.uint8), Layout(480, 640, Planes.GREY)
    picture[200:216, 300:306] = tone
    found = detect(picture, layout, before=before, **chosen)
    assert found.mask[204:212, 302:304].any() == kept
    assert np.count_nonzero(found.mask) < 480 * 640 / 3000


@pytest.mark.parametrize(("smallest", "kept"), [(0, True), (60, True), (400, False)])
def test_smaller_regions_are_dropped(picture, smallest, kept):
    picture[10:22, 10:22] = BRIGHTER
    picture[40:90, 40:100] = BRIGHTER
    mask = detect(picture, smallest=smallest).mask
    assert (mask[16, 16] == 255) == kept
    assert mask[60, 60] == 255


@pytest.mark.parametrize(("holes", "filled"), [(0, False), (60, False), (600, True)])
def test_smaller_holes_are_filled(picture, holes, filled):
    picture[20:80, 30:100] = BRIGHTER
    picture[40:56, 50:66] = FLOOR
    mask = detect(picture, holes=holes).mask
    assert (mask[44:52, 54:62] == 255).all() == filled
    assert (mask[44:52, 54:62] == 255).any() == filled


def test_a_higher_sensitivity_marks_more(picture):
    levels = np.linspace(FLOOR, BRIGHTER, 128)
    picture[20:80] = levels.round()
    shares = [(detect(picture, sensitivity=s, holes=0).mask > 0).mean() for s in (1, 20, 50, 80, 99)]
    assert shares == sorted(shares)
    assert shares[-1] > shares[0] + 0.02


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (7, 5), (97, 131), (33, 2)])
@pytest.mark.parametrize("planes", Planes)
def test_maps_have_the_size_of_the_frame_whatever_it_is(size, planes):
    layout = Layout(*size, planes)
    frame = np.full(layout.n_values, 220, np.uint8)
    found = detect(frame, layout, smallest=0, holes=0)
    assert found.mask.shape == found.covered.shape == size
    assert found.hides.shape == found.verdict.foreground.shape == found.cells.shown.shape[1:]
    assert np.isfinite(found.hides).all()


@pytest.mark.parametrize("depth", [10, 16])
def test_bit_depths_are_seen_alike(picture, depth):
    picture[30:60, 40:80] = BRIGHTER
    layout = Layout(96, 128, Planes.GREY, depth)
    deep = np.rint(picture * (layout.white / 255))
    np.testing.assert_array_equal(detect(deep, layout).mask, detect(picture).mask)


def test_edges_follow_what_departs_from_the_background_not_the_cells():
    floor = np.full((96, 128), FLOOR, np.uint8)
    for top in range(30, 36):
        picture = floor.copy()
        picture[top:70, 41:81] = BRIGHTER
        mask = detect(picture).mask
        truth = picture != FLOOR
        assert ((mask > 0) & truth).sum() / ((mask > 0) | truth).sum() > 0.9
