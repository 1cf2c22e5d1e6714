from functools import partial

import numpy as np

from core.frames.frame import Layout, Planes
from core.scene.clean_plate import CleanPlate
from core.scene.plate_light import PlateLight
from tests.core.scene.test_stillest_samples import layouts, scene


def zero(layout, index):
    return layout.neutral if layout.slices[index].start >= layout.signed_from else layout.black


def in_light(layout, v, *gains):
    """A vector in the light of a gain, or of one for each plane: luma and colours from black, chroma from none."""
    out = v.copy()
    for index, at in enumerate(layout.slices):
        gain = gains[index] if len(gains) > 1 else gains[0]
        out[at] = np.rint(np.clip((v[at] - float(zero(layout, index))) * gain + zero(layout, index), 0, layout.white))
    return out


def error(layout, made, truth):
    """Mean error, shares of white."""
    return np.abs(made.astype(float) - truth).mean() / layout.white


def plate_of(layout, frames, gains, covered, *, is_told=True):
    plate = CleanPlate(layout)
    for v, gain in zip(frames, gains, strict=True):
        plate.offer(v, covered, None, background=partial(in_light, layout, scene(layout), gain) if is_told else None)
    return plate


@layouts
def test_the_plate_is_of_all_frames_whatever_their_light_in_the_light_that_is_asked_for(layout):
    gains = np.random.default_rng(2).uniform(0.5, 1.1, 60)
    nothing = np.zeros((layout.height, layout.width), np.uint8)
    frames = [in_light(layout, scene(layout), gain) for gain in gains]
    for asked in (0.55, 0.8):
        now = in_light(layout, scene(layout), asked)
        assert error(layout, plate_of(layout, frames, gains, nothing).samples(now), now) < 0.006
    now = in_light(layout, scene(layout), 0.55)
    blind = plate_of(layout, frames, gains, nothing, is_told=False).samples(now)
    assert error(layout, blind, now) > 0.03, "nothing was there to find"


@layouts
def test_a_light_that_is_switched_at_half_time_leaves_a_plate_in_one_light(layout):
    thing = np.zeros((layout.height, layout.width), np.uint8)
    thing[20:40, 20:40] = 255
    gains = [1.0] * 30 + [0.45] * 30
    frames = [in_light(layout, scene(layout), gain) for gain in gains]
    for v in frames[:28]:
        v[layout.spread(thing > 0)] = layout.white
    hidden = iter([thing] * 28 + [np.zeros_like(thing)] * 32)
    plate = CleanPlate(layout)
    for v, gain in zip(frames, gains, strict=True):
        plate.offer(v, next(hidden), None, background=partial(in_light, layout, scene(layout), gain))
    for asked in (1.0, 0.45):
        now = in_light(layout, scene(layout), asked)
        plate_now, noise = plate.samples_and_noise(now)
        assert error(layout, plate_now, now) < 0.006
        assert np.mean(noise) < 0.012 * layout.white, "frames in other light are no noise"


def test_light_of_another_colour_is_brought_too():
    rgb, video = Layout(72, 96, Planes.RGB), Layout(72, 96, Planes.YCC420)
    warm = in_light(video, scene(video), 0.6)
    for index, shift in ((1, -12), (2, 9)):
        warm[video.slices[index]] += np.uint8(shift % 256)
    for layout, other in ((rgb, in_light(rgb, scene(rgb), 0.6, 0.5, 0.4)), (video, warm)):
        light, v = PlateLight(layout), scene(layout)
        assert light.back(v) is None
        assert error(layout, light.brought(other, light.back(other), None), v) < 0.006
        assert error(layout, light.brought(v, None, light.forth(other)), other) < 0.006


@layouts
def test_frames_in_one_light_stay_as_they_are(layout):
    light, v = PlateLight(layout), scene(layout)
    dim = in_light(layout, v, 0.5)
    thing = dim.copy()
    thing[: thing.size // 8] = layout.white
    assert light.back(v) is None
    assert light.back(v.copy()) is None
    back = light.back(dim)
    assert back is not None
    assert light.brought(dim, back, light.forth(thing)) is dim, "what stands somewhere is no other light"
    assert light.brought(v, None, light.forth(v)) is v
