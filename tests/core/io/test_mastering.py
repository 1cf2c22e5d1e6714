"""What films say of the display that they were made on, as libav has it and as encoders take it."""

import struct
from fractions import Fraction

import pytest

from core.io.mastering import Mastering, MasteringDisplay, mastering_of

TOLD = [35400, 50000, 14600, 50000, 8500, 50000, 39850, 50000, 6550, 50000, 2300, 50000, 15635, 50000, 16450, 50000]
"""Chromaticities of BT.2020 and its white in parts of 50000."""

LUMINANCE = [50, 10000, 1000, 1]


def display_data(*, luminance=LUMINANCE, told=(1, 1), **changed):
    numbers = [*TOLD, *luminance, *told]
    for place, number in changed.items():
        numbers[int(place[2:])] = number
    return {"MASTERING_DISPLAY_METADATA": struct.pack("=22i", *numbers)}


def test_a_display_is_what_the_film_says_of_it():
    found = mastering_of(display_data() | {"CONTENT_LIGHT_LEVEL": struct.pack("=2I", 900, 200)})
    assert found.light == (900, 200)
    assert found.display == MasteringDisplay(
        (Fraction(708, 1000), Fraction(292, 1000)), (Fraction(17, 100), Fraction(797, 1000)),
        (Fraction(131, 1000), Fraction(46, 1000)), (Fraction(3127, 10000), Fraction(329, 1000)), Fraction(1, 200),
        Fraction(1000),
    )  # fmt: skip
    x265 = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)"
    assert found.display.told(50_000, 10_000, 0) == x265
    svt = "G(0.170,0.797)B(0.131,0.046)R(0.708,0.292)WP(0.313,0.329)L(1000.000,0.005)"
    assert found.display.told(1, 1, 3) == svt


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"CONTENT_LIGHT_LEVEL": b"\1"},
        {"CONTENT_LIGHT_LEVEL": struct.pack("=2I", 0, 0)},
        {"CONTENT_LIGHT_LEVEL": struct.pack("=2I", 1 << 20, 5)},
        {"MASTERING_DISPLAY_METADATA": b"\1" * 40},
        display_data(told=(0, 1)),
        display_data(told=(1, 0)),
        display_data(luminance=[1000, 1, 50, 10000]),
        display_data(luminance=[0, 1, 10001, 1]),
        display_data(luminance=[-1, 1, 1000, 1]),
        display_data(at0=60000),
        display_data(at2=-1),
        display_data(at1=0),
    ],
)
def test_what_cannot_be_is_not_said_again(data):
    assert mastering_of(data) is None


def test_one_of_the_two_is_enough():
    assert mastering_of({"CONTENT_LIGHT_LEVEL": struct.pack("=2I", 900, 200)}) == Mastering(None, (900, 200))
    assert mastering_of(display_data()).light is None
