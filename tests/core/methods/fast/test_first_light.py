"""The first light: what was dark shows nothing of a scene."""

import numpy as np
import pytest

from core.methods.fast.first_light import FirstLight

LEVEL = 1 / 255
FROZEN = np.inf
"""The grain of frames that do not differ."""


def seen(levels, grain=FROZEN, step=LEVEL):
    """Which frames, each of one level, are the first with light."""
    light = FirstLight(step, 1.0)
    return [i for i, level in enumerate(levels) if light.falls(np.full(4000, level * LEVEL, np.float32), grain)]


def test_light_after_black_is_the_first_however_faint_and_no_later_light_is():
    assert seen([0, 0, 0, 4, 8, 12, 200, 255]) == [3]
    assert seen([0, 0, 120, 120, 0, 0, 120]) == [2], "a scene that was seen may go dark"


def test_what_is_light_from_the_beginning_is_no_other_scene():
    assert seen([120, 120, 10, 250]) == []
    assert seen([20, 200]) == [], "a lamp is switched on in a room that is dim"


def test_the_noise_of_a_covered_lens_is_dark_and_that_of_a_camera_in_a_dim_room_is_not():
    assert seen([1.5, 1.5, 120], grain=1.2 * LEVEL) == [2]
    assert seen([20, 20, 100], grain=2 * LEVEL) == []
    assert seen([1.5, 1.5, 120], grain=1.2 * LEVEL, step=LEVEL / 257) == [2], "of 16 bits"


def test_a_change_that_has_swollen_the_grain_is_no_noise():
    assert seen([60, 60, 200, 200, 200], grain=60 * LEVEL) == []


def test_who_is_lit_before_black_is_no_scene():
    light, sample = FirstLight(LEVEL, 1.0), np.zeros(4000, np.float32)
    light.falls(sample, FROZEN)
    sample[:100] = 1
    assert not light.falls(sample, FROZEN), "a title"
    sample[:1100] = 1
    assert light.falls(sample, FROZEN), "more than a quarter is lit"


@pytest.mark.parametrize("before", [400, 900, 990])
def test_a_dark_scene_in_which_more_comes_into_the_light_stays_one(before):
    light, sample = FirstLight(LEVEL, 1.0), np.zeros(4000, np.float32)
    sample[:before] = 0.6
    assert not light.falls(sample, FROZEN)
    sample[:1100] = 0.6
    assert not light.falls(sample, FROZEN), "another cell in the dish"


def test_where_light_has_been_seen_before_none_is_the_first():
    light = FirstLight(LEVEL, 1.0)
    light.end()
    assert not light.falls(np.zeros(4000, np.float32), FROZEN)
    assert not light.falls(np.full(4000, 120 * LEVEL, np.float32), FROZEN)
