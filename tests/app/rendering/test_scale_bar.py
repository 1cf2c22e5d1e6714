import pytest

from app.rendering.scale_bar import area_text, bar
from core.io.calibration import PixelSize


@pytest.mark.parametrize(
    ("size", "scale", "room", "words"),
    [
        (PixelSize(0.325, "um"), 1.0, 100, "20 µm"),
        (PixelSize(0.325, "micron"), 10.0, 100, "2 µm"),
        (PixelSize(0.325, "µm"), 0.01, 100, "2 mm"),
        (PixelSize(65, "nm"), 1.0, 100, "5 µm"),
        (PixelSize(1.0, "m"), 1.0, 100, "100 m"),
        (PixelSize(2.0, "furlong"), 1.0, 100, "200 furlong"),
        (PixelSize(3e-5, "cm"), 1.0, 60, "10 µm"),
        (PixelSize(1e-4, "nm"), 1.0, 50, "0.005 nm"),
    ],
)
def test_a_bar_is_a_round_number_long_and_fits(size, scale, room, words):
    length, said = bar(size, scale, room)
    assert said == words
    assert room / 2.6 <= length <= room * 1.0001


def test_its_length_is_what_it_says():
    length, said = bar(PixelSize(0.5, "µm"), 3.0, 200)
    assert said == "20 µm"
    assert length == pytest.approx(20 / 0.5 * 3)


@pytest.mark.parametrize(
    ("n_pixels", "size", "words"),
    [
        (4408, PixelSize(0.325, "um"), "465.6 µm²"),
        (4408, PixelSize(0.325, "um", aspect=2.0), "931.2 µm²"),
        (4400, PixelSize(3.25, "µm"), "46\u202f475 µm²"),
        (5, PixelSize(65, "nm"), "21\u202f125 nm²"),
        (1_000_000, PixelSize(1, "µm"), "1 mm²"),
        (4408, PixelSize(3.25e-5, "cm"), "465.6 µm²"),
        (100, PixelSize(2.0, "furlong"), "400 furlong²"),
    ],
)
def test_an_area_is_said_in_the_largest_unit_of_which_it_has_one(n_pixels, size, words):
    assert area_text(n_pixels, size) == words
