import numpy as np
import pytest

from app.rendering.colour_tables import SIGNED, TABLES, screen_table, table
from app.rendering.tone_mapping import LEAST_REACH, Levels, symmetric_levels, to_8_bit, to_screen


@pytest.mark.parametrize("key", TABLES)
def test_a_table_has_256_colours_as_the_screen_takes_them(key):
    colours, pixels = table(key), screen_table(key).view(np.uint8).reshape(256, 4)
    assert colours.shape == (256, 3)
    assert np.array_equal(pixels[:, 2::-1], colours)
    assert (pixels[:, 3] == 255).all()


def test_the_tables_are_those_that_the_names_promise():
    assert table("fire")[[0, 255]].tolist() == [[0, 0, 0], [255, 255, 255]]
    assert np.abs(table("viridis")[[0, 255]].astype(int) - [[68, 1, 84], [253, 231, 37]]).max() <= 2
    blue, middle, red = table(SIGNED)[[0, 127, 255]].astype(int)
    assert blue[2] > blue[0] + 50
    assert red[0] > red[2] + 50
    assert np.ptp(middle) <= 4
    assert middle.min() > 240


def test_a_picture_in_colours_of_its_own_is_shown_by_its_luma_in_a_table():
    picture = np.full((2, 2, 3), 90, np.uint8)
    assert to_screen(picture, "fire")[0, 0, 2::-1].tolist() == table("fire")[90].tolist()
    assert to_screen(picture)[0, 0].tolist() == [90, 90, 90, 255]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_gamma_bends_what_lies_between_and_leaves_the_ends(dtype):
    picture = np.array([[10, 60, 110]], dtype)
    levels = Levels(10, 110)
    assert to_8_bit(picture, levels).tolist() == [[0, 128, 255]]
    assert to_8_bit(picture, levels, 0.5).tolist() == [[0, 180, 255]]
    assert to_8_bit(picture, levels, 2.0).tolist() == [[0, 64, 255]]


def test_levels_of_differences_lie_evenly_around_zero_and_never_enlarge_rounding():
    picture = np.full((100, 100), 256, np.uint16)
    assert symmetric_levels(picture, 256) == Levels(256 - LEAST_REACH, 256 + LEAST_REACH)
    picture[:50] = 200
    assert symmetric_levels(picture, 256) == Levels(200, 312)
    assert to_8_bit(np.array([[100, 256]], np.uint16), Levels(-44, 556)).tolist() == [[61, 128]]
