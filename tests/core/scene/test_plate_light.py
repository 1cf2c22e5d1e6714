from functools import partial

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.clean_plate import CleanPlate
from core.scene.plate_light import PlateLight
from tests.core.scene.test_stillest_samples import LAYOUTS, scene

LIT = {**LAYOUTS, "on a pedestal": Layout(60, 80, Planes.GREY, 16, used=0.4, pedestal=8000)}
layouts = pytest.mark.parametrize("layout", LIT.values(), ids=LIT)


def in_light(layout, v, *gains):
    """A vector in the light of a gain, or of one for each plane: luma and colours from no light, chroma from none."""
    out = v.copy()
    for index, at in enumerate(layout.slices):
        gain = gains[index] if len(gains) > 1 else gains[0]
        zero = float(layout.zero(index))
        out[at] = np.rint(np.clip((v[at] - zero) * gain + zero, 0, layout.white))
    return out


def error(layout, made, truth):
    """Mean error, shares of white."""
    return np.abs(made.astype(float) - truth).mean() / layout.white


def plate_of(layout, frames, gains, covered):
    plate = CleanPlate(layout)
    for v, gain in zip(frames, gains, strict=True):
        plate.offer(v, covered, None, background=partial(in_light, layout, scene(layout), gain))
    return plate


@layouts
def test_the_plate_is_of_all_frames_whatever_their_light_in_the_middle_one(layout):
    gains = np.random.default_rng(2).uniform(0.5, 1.1, 61)
    nothing = np.zeros((layout.height, layout.width), np.uint8)
    frames = [in_light(layout, scene(layout), gain) for gain in gains]
    last, middle, first = (in_light(layout, scene(layout), gain) for gain in (gains[-1], np.median(gains), gains[0]))
    plate = plate_of(layout, frames, gains, nothing)
    assert error(layout, plate.samples(last), middle) < 0.006
    assert error(layout, plate.samples_and_noise(last)[0], middle) < 0.006
    assert min(error(layout, middle, other) for other in (first, last)) > 0.03, "there was nothing to tell apart"


@layouts
def test_a_light_that_is_switched_leaves_a_plate_in_one_light_however_often_it_is_on(layout):
    thing = np.zeros((layout.height, layout.width), np.uint8)
    thing[20:40, 20:40] = 255
    for n_bright, usual in ((32, 1.0), (28, 0.45), (55, 1.0)):
        gains = [1.0] * n_bright + [0.45] * (60 - n_bright)
        frames = [in_light(layout, scene(layout), gain) for gain in gains]
        for v in frames[: n_bright - 2]:
            v[layout.spread(thing > 0)] = layout.white
        hidden = iter([thing] * (n_bright - 2) + [np.zeros_like(thing)] * (62 - n_bright))
        plate = CleanPlate(layout)
        for v, gain in zip(frames, gains, strict=True):
            plate.offer(v, next(hidden), None, background=partial(in_light, layout, scene(layout), gain))
        last = in_light(layout, scene(layout), 0.45)
        made, (begun, noise) = plate.samples(last), plate.samples_and_noise(last)
        assert error(layout, made, in_light(layout, scene(layout), usual)) < 0.006
        np.testing.assert_array_equal(begun, made)
        assert np.mean(noise) < 0.012 * layout.white, "frames in other light are no noise"


@layouts
def test_light_that_drifts_for_few_frames_leaves_the_median_as_it_is(layout):
    gains = np.r_[np.linspace(0.98, 1.02, 53), np.linspace(0.95, 0.8, 8)]
    nothing = np.zeros((layout.height, layout.width), np.uint8)
    frames = [in_light(layout, scene(layout), gain) for gain in gains]
    plate = plate_of(layout, frames, gains, nothing).samples(in_light(layout, scene(layout), gains[-1]))
    np.testing.assert_array_equal(plate, np.sort(np.stack(frames), axis=0)[30])


def test_light_of_another_colour_is_brought_too():
    rgb, video = Layout(72, 96, Planes.RGB), Layout(72, 96, Planes.YCC420)
    warm = in_light(video, scene(video), 0.6)
    for index, shift in ((1, -12), (2, 9)):
        warm[video.slices[index]] += np.uint8(shift % 256)
    for layout, other in ((rgb, in_light(rgb, scene(rgb), 0.6, 0.5, 0.4)), (video, warm)):
        light, v = PlateLight(layout), scene(layout)
        assert light.back(v) is None
        back = light.back(other)
        assert error(layout, light.brought(other, back, None), v) < 0.006
        assert error(layout, light.brought(v, None, light.middle([None, back, back])), other) < 0.006


@layouts
def test_frames_in_one_light_stay_as_they_are(layout):
    light, v = PlateLight(layout), scene(layout)
    dim = in_light(layout, v, 0.5)
    assert light.back(v) is None
    back = light.back(dim)
    assert light.brought(dim, back, light.middle([None, back, back])) is dim
    thing = v.copy()
    thing[: thing.size // 8] = layout.white
    assert light.brought(v, light.back(thing), None) is v, "what stands somewhere is no other light"
    assert light.brought(v, None, light.middle([])) is v


@layouts
def test_a_light_is_told_by_what_is_in_sight_where_the_background_behind_a_thing_shows_something_else(layout):
    covered = np.zeros((layout.height, layout.width), np.uint8)
    covered[: 2 * layout.height // 5] = 255
    background = in_light(layout, scene(layout), 0.6)
    behind = layout.spread(covered > 0)
    background[behind] = np.random.default_rng(0).integers(0, layout.white, background[behind].size)
    light = PlateLight(layout)
    assert light.back(scene(layout)) is None
    made = light.brought(background, light.back(background, background, covered), None)
    assert error(layout, made[~behind], scene(layout)[~behind]) < 0.02
