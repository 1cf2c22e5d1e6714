"""What the screen shows of a picture, without a screen."""

import cv2
import numpy as np
import pytest

from app.rendering import tone_mapping
from app.rendering.tone_mapping import Levels, Part
from app.rendering.viewport import Look, fitted


def whole(picture, width, height):
    return Part(0, 0, picture.shape[1], picture.shape[0], width, height)


def noise(shape, dtype=np.uint8, seed=0):
    return np.random.default_rng(seed).integers(0, np.iinfo(dtype).max, shape).astype(dtype)


@pytest.mark.parametrize("size", [(160, 120), (150, 111), (319, 239), (640, 480), (101, 33)])
@pytest.mark.parametrize("channels", [(), (3,)])
def test_reduced_picture_has_the_size_on_screen_and_keeps_the_mean(size, channels):
    picture = noise((480, 640, *channels))
    shown = tone_mapping.reduce(picture, whole(picture, *size))
    assert shown.shape == (size[1], size[0], *channels)
    assert shown.flags.c_contiguous
    assert shown.mean() == pytest.approx(picture.mean(), abs=1.0)


def test_reducing_skips_no_pixel_where_nearest_sampling_does():
    picture = np.zeros((512, 512), np.uint8)
    picture[3, 5] = 255
    assert tone_mapping.reduce(picture, whole(picture, 128, 128)).max() > 0
    # The wrong variant: every fourth pixel.
    assert cv2.resize(picture, (128, 128), interpolation=cv2.INTER_NEAREST).max() == 0


def test_enlarged_pixels_stay_squares_of_one_value():
    picture = noise((4, 5))
    part = Part(1, 1, 3, 2, 30, 20)
    np.testing.assert_array_equal(
        tone_mapping.reduce(picture, part), np.kron(picture[1:3, 1:4], np.ones((10, 10), np.uint8))
    )


@pytest.mark.parametrize("channels", [(), (3,)])
@pytest.mark.parametrize(("dtype", "levels"), [(np.uint8, Levels(40, 200)), (np.uint16, Levels(900, 7000))])
def test_levels_map_low_to_black_and_high_to_white(channels, dtype, levels):
    picture = noise((30, 40, *channels), dtype)
    expected = np.clip(np.rint((picture.astype(float) - levels.low) * 255 / (levels.high - levels.low)), 0, 255)
    shown = tone_mapping.to_8_bit(picture, levels)
    assert shown.dtype == np.uint8
    assert np.abs(shown.astype(int) - expected).max() <= 1


def test_full_range_of_8_bits_is_untouched():
    picture = noise((30, 40, 3))
    assert tone_mapping.to_8_bit(picture, Levels(0, 255)) is picture


def test_percentile_levels_leave_one_percent_on_either_side():
    picture = np.random.default_rng(1).normal(3000, 400, (700, 900)).clip(0, 65535).astype(np.uint16)
    levels = tone_mapping.percentile_levels(picture)
    assert np.mean(picture < levels.low) == pytest.approx(0.01, abs=0.004)
    assert np.mean(picture > levels.high) == pytest.approx(0.01, abs=0.004)


def test_percentile_levels_of_a_flat_picture_are_usable():
    levels = tone_mapping.percentile_levels(np.full((20, 20), 700, np.uint16))
    assert levels.high > levels.low


def test_levels_hold_still_under_noise_and_follow_a_change():
    before = Levels(1000, 3000)
    assert tone_mapping.steady(before, Levels(1020, 2980)) is before
    assert tone_mapping.steady(before, Levels(1500, 2980)) == Levels(1500, 2980)
    assert tone_mapping.steady(before, Levels(1060, 3060)) is before
    assert tone_mapping.steady(before, Levels(1000, 3070)) == Levels(1000, 3070)
    assert tone_mapping.steady(before, Levels(930, 3000)) == Levels(930, 3000)


def test_screen_bytes_are_blue_green_red_opaque():
    picture = np.zeros((1, 1, 3), np.uint8)
    picture[0, 0] = (10, 20, 30)
    np.testing.assert_array_equal(tone_mapping.to_screen(picture)[0, 0], (30, 20, 10, 255))


def test_mask_tints_inside_draws_a_contour_and_leaves_the_rest():
    screen = tone_mapping.to_screen(np.full((40, 40), 100, np.uint8))
    mask = np.zeros((40, 40), np.uint8)
    mask[10:30, 10:30] = 255
    tone_mapping.lay_over(screen, mask, (200, 40, 60))
    np.testing.assert_array_equal(screen[20, 20], (80, 70, 150, 255))
    np.testing.assert_array_equal(screen[10, 20], (60, 40, 200, 255))
    np.testing.assert_array_equal(screen[9, 20], (100, 100, 100, 255))
    assert (screen[mask == 0] == (100, 100, 100, 255)).all()


def test_a_mask_at_the_border_keeps_its_contour():
    screen = tone_mapping.to_screen(np.full((20, 20), 100, np.uint8))
    tone_mapping.lay_over(screen, np.full((20, 20), 255, np.uint8), (200, 40, 60))
    np.testing.assert_array_equal(screen[0, 10], (60, 40, 200, 255))


def test_an_empty_mask_changes_nothing():
    screen = tone_mapping.to_screen(noise((20, 20)))
    before = screen.copy()
    tone_mapping.lay_over(screen, np.zeros((20, 20), np.uint8), (200, 40, 60))
    np.testing.assert_array_equal(screen, before)


def test_a_speck_of_the_mask_survives_being_halved():
    mask = np.zeros((64, 64), np.uint8)
    mask[10, 11] = 255
    assert tone_mapping.reduce_mask(mask, whole(mask, 32, 32)).max() == 255


@pytest.mark.parametrize(("dtype", "text"), [(np.uint8, "1 2 3"), (np.uint16, "1000 2000 3000")])
def test_pixel_text_gives_the_samples(dtype, text):
    assert tone_mapping.pixel_text(np.array([int(word) for word in text.split()], dtype)) == text
    assert tone_mapping.pixel_text(np.array(int(text.split()[0]), dtype)) == text.split()[0]


def test_camera_maps_there_and_back():
    look, pane = Look(100.0, 50.0, 2.5), (300.0, 200.0)
    x, y = look.to_picture(37.0, 190.0, pane)
    assert look.to_pane(x, y, pane) == pytest.approx((37.0, 190.0))


def test_zooming_keeps_the_point_under_the_pointer():
    look, pane = Look(100.0, 50.0, 2.0), (300.0, 200.0)
    at = look.to_picture(20.0, 30.0, pane)
    assert look.zoomed(1.7, at, 0.1).to_pane(*at, pane) == pytest.approx((20.0, 30.0))


def test_a_fitted_picture_touches_two_sides_and_passes_none():
    pane, picture = (300.0, 200.0), (1920, 1080)
    part, (left, top) = fitted(picture, pane).part(picture, pane)
    assert (part.x, part.y, part.width, part.height) == (0, 0, 1920, 1080)
    assert left == 0
    assert part.screen_width == 300
    assert top == pytest.approx((200 - part.screen_height) / 2, abs=1)


def test_only_the_visible_part_is_taken():
    part, (left, top) = Look(500.5, 300.5, 10.0).part((1920, 1080), (100.0, 50.0))
    assert (part.x, part.y, part.width, part.height) == (495, 298, 11, 5)
    assert -10 < left <= 0
    assert -10 < top <= 0


def test_a_picture_out_of_sight_has_no_part():
    assert Look(-500.0, 10.0, 1.0).part((100, 100), (50.0, 50.0)) is None


def test_panning_stops_at_the_border_of_the_picture():
    kept = Look(-900.0, 5000.0, 2.0).kept_on((400, 300), (200.0, 100.0))
    assert (kept.x, kept.y) == (50.0, 275.0)
    small = Look(7.0, 7.0, 0.1).kept_on((400, 300), (200.0, 100.0))
    assert (small.x, small.y) == (200.0, 150.0)


def test_a_part_is_the_same_one_in_a_smaller_version_of_the_picture_and_never_less_of_it():
    part = Part(3, 10, 10, 21, 30, 20)
    assert part.on((100, 100), np.zeros((100, 100))) is part
    assert part.on((100, 100), np.zeros((50, 50))) == Part(1, 5, 6, 11, 30, 20)
    assert part.on((100, 100), np.zeros((25, 50, 3))) == Part(1, 2, 6, 6, 30, 20)


@pytest.mark.parametrize(
    ("low", "high", "levels"),
    [(-30, 80, Levels(48, 208)), (-80, 30, Levels(48, 208)), (-1, 2, Levels(124, 132))],
    ids=["above", "below", "flat"],
)
def test_levels_of_differences_lie_around_zero_and_are_never_narrow(low, high, levels):
    picture = np.full((100, 100), 128, np.uint16)
    picture[:30], picture[70:] = 128 + low, 128 + high
    assert tone_mapping.symmetric_levels(picture, 128) == levels
