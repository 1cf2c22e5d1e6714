import cv2
import numpy as np
import pytest

from core.frames.frame import Layout, Planes, frame_from_image
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene.masks import foreground
from core.scene.masks.cells import CellGrid
from core.scene.masks.shifts import count_shifts
from core.scene.tuning import DIFFERS
from core.session.session import Session
from core.session.settings import Settings

SIZE = (96, 128)
GREY = Layout(*SIZE, Planes.GREY)
N, LEANS = 40, 30
WHO = np.s_[16:80, 44:84]


def texture(seed, step, contrast, shape=SIZE):
    """Return a smooth random picture (H, W) with a node each ``step`` pixels."""
    nodes = np.random.default_rng(seed).uniform(-1, 1, (shape[0] // step + 2, shape[1] // step + 2))
    picture = cv2.resize(nodes, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.rint(110 + contrast * picture).clip(0, 255)


def clip(*, leans=0, tremble=0.0):
    """Return a clip in which somebody always stands, and late leans over by some pixels; the camera may tremble."""
    rng, floor, coat = np.random.default_rng(4), texture(1, 8, 30), texture(2, 3, 90)
    pictures = []
    for t in range(N):
        picture = floor.copy()
        picture[WHO] = np.roll(coat, leans if t >= LEANS else 0, 1)[WHO]
        way = np.float32([[1, 0, tremble * rng.standard_normal()], [0, 1, tremble * rng.standard_normal()]])
        picture = cv2.warpAffine(picture, way, SIZE[::-1], borderMode=cv2.BORDER_REFLECT)
        pictures.append(np.rint(picture + rng.standard_normal(SIZE)).clip(0, 255).astype(np.uint8))
    frames = [frame_from_image(t, t / 25, picture, bit_depth=8) for t, picture in enumerate(pictures)]
    return SampleSource(SourceInfo("clip", frames[0].layout, 25.0, N), lambda t: frames[t])


def shares(source):
    """Return what share of who stands there, and of all else, is in the masks of the second pass, after the lean."""
    who, found = np.zeros(SIZE, np.bool_), []
    who[WHO] = True
    for report in Session(source, Settings(passes=2)).run():
        if report.pass_index == 1 and report.frame.index >= LEANS:
            found.append((np.mean(report.full_mask[who] > 0), np.mean(report.full_mask[~who] > 0)))
    return np.mean(found, axis=0)


def test_who_leans_over_after_standing_for_most_of_a_short_clip_is_found():
    found, beside = shares(clip(leans=3))
    assert found > 0.6
    assert beside < 0.01


def test_it_would_not_be_found_without_what_the_first_pass_showed(monkeypatch):
    monkeypatch.setattr(foreground, "count_shifts", lambda *_: None)
    assert shares(clip(leans=3))[0] < 0.25


def test_a_camera_that_trembles_shows_nothing():
    assert max(shares(clip(tremble=0.5))) < 0.01


def shifted(by=1):
    """Return the cells of a floor with edges that lies some pixels further right than the plate has it."""
    floor = texture(3, 4, 90).astype(np.uint8)
    return CellGrid(GREY).measure(np.roll(floor, by, 1).ravel(), floor.ravel())


def calm(cells, scale=1.0):
    return np.full(cells.peak.shape, scale, np.float32)


def test_a_shift_by_a_pixel_counts_in_full_where_all_has_kept_its_place():
    cells, plain = shifted(), shifted()
    count_shifts(cells, calm(cells), calm(cells))
    apart = np.abs(plain.shown[0] - plain.expected[0])
    far = apart > DIFFERS
    assert far.mean() > 0.3
    assert np.median(plain.square[0][far]) < 4, "within the range of the neighbourhood"
    np.testing.assert_allclose(cells.square[0][far], np.maximum(plain.square[0], apart**2)[far], rtol=1e-6)
    np.testing.assert_array_equal(cells.peak[far], np.maximum(plain.peak, apart)[far])
    np.testing.assert_array_equal(cells.square[0][~far], plain.square[0][~far])
    np.testing.assert_array_equal(cells.peak[~far], plain.peak[~far])
    np.testing.assert_array_equal(cells.square[1:], plain.square[1:])


@pytest.mark.parametrize(("deviation", "noise"), [(30.0, 1.0), (1.0, 30.0)])
def test_it_does_not_where_as_much_is_usual_or_noise(deviation, noise):
    cells, plain = shifted(), shifted()
    count_shifts(cells, calm(cells, deviation), calm(cells, noise**2))
    np.testing.assert_array_equal(cells.square, plain.square)
    np.testing.assert_array_equal(cells.peak, plain.peak)
