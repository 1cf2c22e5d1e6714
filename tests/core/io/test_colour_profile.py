import numpy as np
import pytest

from core.io.colour_profile import MOST_BYTES, profile_in
from tests.profiles import LAB, RGB, grey


def test_a_profile_fits_pictures_of_its_samples_alone():
    colours, greys = profile_in(RGB), profile_in(grey())
    for shape, is_grey in (((4, 5), True), ((4, 5, 3), False), ((4, 5, 4), False)):
        picture = np.zeros(shape, np.uint8)
        assert (colours.fits(picture), greys.fits(picture)) == (not is_grey, is_grey)
    assert colours.data == RGB


# Named here: a profile holds the second in which it was made, and workers have to give each test one name.
@pytest.mark.parametrize(
    "data",
    [b"", RGB[:100], LAB, b"\0" * 500, RGB + bytes(MOST_BYTES)],
    ids=["empty", "cut short", "L*a*b*", "zeros", "too large"],
)
def test_what_is_no_profile_of_grey_or_rgb_is_none(data):
    assert profile_in(data) is None
