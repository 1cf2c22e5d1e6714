from dataclasses import replace

import numpy as np
import pytest

from app.rendering.measuring import background_in, clipped, input_in, luma_in, luma_of, on, profile, statistics
from app.rendering.picture_kinds import KINDS, draw, measured
from app.rendering.report_images import Pictures
from core.frames.colour import LUMA_WEIGHTS
from core.frames.frame import Frame, Layout, Planes
from core.frames.split import DenseSplit
from core.io.calibration import PixelSize
from tests.app.view_helpers import HEIGHT, WIDTH, make_report

INSIDE = (44, 34, 10, 20)
"""Within the rectangle of the report, where the input is 10 and the background 200."""


def test_statistics_are_those_of_the_samples():
    samples = np.random.default_rng(0).integers(0, 4000, (20, 30)).astype(np.uint16)
    found = statistics(samples, 600)
    assert found.mean == pytest.approx(samples.mean())
    assert found.deviation == pytest.approx(samples.std())
    assert (found.low, found.high, found.area) == (samples.min(), samples.max(), 600)


@pytest.mark.parametrize("matrix", ["bt601", "bt709", "bt2020"])
def test_luma_is_weighted_as_the_film_has_it(matrix):
    picture = np.random.default_rng(0).integers(0, 256, (20, 30, 3)).astype(np.uint8)
    red, blue = LUMA_WEIGHTS[matrix]
    plain = picture @ np.array([red, 1 - red - blue, blue])
    assert luma_of(picture, matrix) == pytest.approx(plain, abs=0.501)
    layout = Layout(20, 30, Planes.RGB, matrix=matrix)
    assert luma_in(picture.transpose(2, 0, 1).ravel(), layout, (0, 20, 0, 30)) == pytest.approx(plain, abs=0.501)


def coloured_film_report(planes, matrix, is_masked):
    """Return the report of a saturated picture that is its own background; the mask is everywhere, or nowhere."""
    layout = Layout(HEIGHT, WIDTH, planes, full_range=planes is Planes.RGB, matrix=matrix)
    values = np.random.default_rng(1).integers(60, 200, layout.n_values).astype(np.uint8)
    mask = np.full((HEIGHT, WIDTH), 255 * is_masked, np.uint8)
    split = DenseSplit(values / np.float32(255), np.zeros(layout.n_values, np.float32), None, np.ones(1), 0.0)
    return replace(make_report(), frame=Frame(0, 0.0, values, layout), split=split, mask=mask)


@pytest.mark.parametrize("halvings", [0, 1])
@pytest.mark.parametrize("matrix", ["bt601", "bt709", "bt2020"])
@pytest.mark.parametrize("planes", [Planes.YCC420, Planes.RGB])
def test_equal_pixels_measure_equal_in_every_pane(planes, matrix, halvings):
    region = (20, 10, 31, 21)
    found = {
        is_masked: Pictures(coloured_film_report(planes, matrix, is_masked), halvings, region)
        for is_masked in (False, True)
    }
    seen = measured(found[False], KINDS["input"])
    assert measured(found[False], KINDS["background"]) == seen
    assert measured(found[False], KINDS["cleaned"]) == seen
    assert measured(found[True], KINDS["foreground"]) == seen
    assert measured(found[False], KINDS["residual"]).mean == 0


@pytest.mark.parametrize("planes", [Planes.YCC420, Planes.RGB])
def test_residual_and_outliers_are_differences_of_the_films_own_luma(planes):
    report = coloured_film_report(planes, "bt709", is_masked=True)
    background = report.split.background.copy()
    layout = report.frame.layout
    layout.plane(background, 0)[:] -= 20 / 255  # Red alone, or luma alone.
    changed = replace(report, split=replace(report.split, background=background, residual=report.split.residual * 0))
    pictures = Pictures(changed, 0, (0, 0, WIDTH, HEIGHT))
    mean = measured(pictures, KINDS["residual"]).mean
    assert mean == pytest.approx(20 * LUMA_WEIGHTS["bt709"][0] if planes is Planes.RGB else 20 * 255 / 219, abs=0.1)
    assert measured(pictures, KINDS["outliers"]).mean == pytest.approx(mean, abs=0.5)
    shown = pictures.residual.mean() - pictures.differences.zero
    assert shown == pytest.approx(mean, abs=0.5)


def test_words_say_mean_spread_ends_and_area_and_of_a_pixel_its_value():
    found = statistics(np.array([[10, 20]], np.uint8), 2)
    assert found.words() == ("15.0 ± 5.0", "10 to 20", "2 px")
    assert found.words(PixelSize(0.5, "µm"))[2] == "2 px, 500\u202f000 nm²"
    assert statistics(np.array([[7]], np.uint8), 1).mapped(0, 2, "%").words() == ("14 %",)


def test_a_region_of_the_original_is_found_in_a_smaller_picture_and_has_a_pixel_at_least():
    assert on((100, 50), (10, 20, 30, 10), (25, 50)) == (10, 15, 5, 20)
    assert on((100, 50), (99, 49, 1, 1), (5, 10)) == (4, 5, 9, 10)


def test_a_region_is_cut_at_the_picture_and_none_where_it_lies_beside():
    assert clipped((-5, 10, 20, 500), (100, 50)) == (0, 10, 15, 40)
    assert clipped((100, 0, 5, 5), (100, 50)) is None


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("colour", [False, True])
def test_a_profile_is_input_background_and_their_difference(dtype, colour):
    unit = 1 if dtype == np.uint8 else 256
    seen, known, difference = profile(make_report(dtype=dtype, colour=colour), INSIDE)
    assert seen == pytest.approx((10 + colour) * unit, abs=0.6 * unit)
    assert known == pytest.approx((200 + colour) * unit, abs=0.6 * unit)
    assert difference == seen - known


def test_video_levels_are_measured_at_full_range():
    layout = Layout(8, 8, Planes.YCC420, full_range=False)
    values = np.full(layout.n_values, 128, np.uint8)
    values[: layout.n_pixels] = 235
    frame = Frame(0, 0.0, values, layout)
    report = replace(make_report(), frame=frame, split=DenseSplit(np.full(layout.n_values, 16 / 255, np.float32),
                     np.zeros(1, np.float32), None, np.ones(1), 0.0), mask=np.zeros((8, 8), np.uint8))  # fmt: skip
    assert profile(report, (2, 2, 3, 3)) == (255, 0, 255)


def test_a_background_of_the_working_size_is_measured_as_large_as_the_region():
    report = make_report(colour=False)
    original = replace(report.frame, values=np.repeat(np.repeat(report.frame.image(), 2, 0), 2, 1).ravel(),
                       layout=replace(report.frame.layout, height=2 * HEIGHT, width=2 * WIDTH))  # fmt: skip
    scaled = replace(report, frame=replace(report.frame, original=original))
    region = tuple(2 * side for side in INSIDE)
    assert input_in(scaled, region).shape == background_in(scaled, region).shape == (40, 20)
    assert (background_in(scaled, region) == 200).all()


@pytest.mark.parametrize("halvings", [0, 1])
def test_each_kind_is_measured_in_its_unit_whatever_the_detail_shown(halvings):
    pictures = Pictures(make_report(size=(180, 240)), halvings, (90, 70, 20, 30))
    found = {key: measured(pictures, kind) for key, kind in KINDS.items()}
    means = {key: round(one.mean) for key, one in found.items() if one is not None}
    assert means == {
        "input": 11, "background": 201, "foreground": 11, "mask": 100, "matte": 100, "cleaned": 201,
        "residual": -190, "outliers": -190,
    }  # fmt: skip
    assert all(one.area == 600 for one in found.values() if one is not None)
    assert found["mask"].unit == "%"


def test_finer_pictures_are_not_measured_again():
    pictures = Pictures(make_report(size=(180, 240)), 1, (90, 70, 20, 30))
    before = measured(pictures, KINDS["input"])
    finer = pictures.finer(0)
    assert finer.input.shape == (180, 240, 3)
    assert measured(finer, KINDS["input"]) is before


def test_nothing_is_measured_without_a_region_or_beside_the_picture():
    for region in (None, (5000, 5000, 3, 3)):
        assert measured(Pictures(make_report(), 0, region), KINDS["input"]) is None


def test_what_is_drawn_is_measured_beforehand():
    pictures = Pictures(make_report(), 0, INSIDE)
    draw(pictures, {"input", "residual"})
    assert pictures.has("residual")
    assert not pictures.has("matte")
    assert "matte" not in vars(pictures)
    assert measured(pictures, KINDS["residual"]) is measured(pictures, KINDS["residual"])
