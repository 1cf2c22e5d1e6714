import functools
import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.scene.illumination import LightChange
from core.scene.tuning import MEMORY, SETTLED_FRAMES
from core.session.session import Session
from core.session.settings import Settings

AT, SECOND = 200, 30
"""The frame at which the light changes in the drawn street, and a second of it, frames."""


def brighter(factor):
    return lambda height, width: np.full((height, width), factor, np.float32)


def lamp(height, width):
    """A lamp that comes on at the left: twice the light and more near it, none added far away."""
    y, x = np.mgrid[0:height, 0:width]
    return 1 + 1.2 * np.exp(-(((x / width - 0.25) / 0.3) ** 2 + ((y / height - 0.5) / 0.5) ** 2))


def in_light(values, layout, light):
    out = values.copy()
    for i, (height, width) in enumerate(layout.shapes):
        zero = layout.zero(i)
        lit = (layout.plane(values, i).astype(float) - zero) * light(height, width) + zero
        layout.plane(out, i)[:] = np.clip(np.rint(lit), 0, layout.white)
    return out


class Switched:
    """The drawn street, in which the light changes at once."""

    def __init__(self, light):
        self._street, self._light = open_source(InputSpec("sample:street")), light
        self.info, self.warnings = self._street.info, []

    def frames(self, first=0):
        for frame in self._street.frames(first):
            if frame.index < AT:
                yield frame
            else:
                values = in_light(frame.values, frame.layout, self._light)
                yield replace(frame, values=values, truth=replace(frame.truth, clean=None))

    def close(self):
        self._street.close()


@functools.cache
def shares_of_background(light):
    """Share of the background in the mask, frame for frame to two seconds behind the switch."""
    shares = []
    for report in Session(Switched(light), Settings()).run():
        background = report.frame.truth.mask == 0
        shares.append((report.mask[background] > 0).mean())
        if report.frame.index == AT + 2 * SECOND:
            break
    return shares


def marked_background(light):
    """Share of the background in the mask, second for second from the one before the switch on."""
    shares = shares_of_background(light)
    return [np.mean(shares[i : i + 5]) for i in (AT - 5, AT, AT + SECOND, AT + 2 * SECOND - 5)]


@pytest.mark.parametrize("factor", [1.6, 0.5])
def test_a_second_after_a_light_switch_under_a_hundredth_of_the_background_is_in_the_mask(factor):
    _, _, after, later = marked_background(brighter(factor))
    assert after < 0.01
    assert later < 0.01


def test_no_frame_is_foreground_all_over_while_a_light_is_new():
    assert max(shares_of_background(lamp)[AT : AT + 2 * SETTLED_FRAMES]) < 0.02


def test_a_lamp_that_lights_one_side_is_light_and_not_foreground():
    before, _, after, later = marked_background(lamp)
    assert after < before + 0.015
    assert later < before + 0.015


LAYOUTS = {
    "grey": Layout(96, 128, Planes.GREY),
    "RGB": Layout(96, 128, Planes.RGB),
    "4:2:0": Layout(97, 131, Planes.YCC420, full_range=False),
    "16 bits": Layout(96, 128, Planes.GREY, 16),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


def textured(layout, seed):
    return layout.quantise((0.2 + 0.3 * np.random.default_rng(seed).random(layout.n_values)).astype(np.float32))


def watched(layout):
    """Watches frames that show nothing, long enough."""
    change, nothing = LightChange(layout), np.zeros((layout.height, layout.width), np.uint8)
    for _ in range(MEMORY):
        assert change.offer(textured(layout, 0), textured(layout, 0), nothing) is None
    return change


def staying(change, v, background, covered):
    """The background in the light of a frame that is seen for so long that it is no flash."""
    for _ in range(SETTLED_FRAMES - 1):
        found = change.offer(v, background, covered)
        if found is None:
            return None
        assert not found.stays, "it may be a flash"
    found = change.offer(v, background, covered)
    assert found.stays
    return found.background


@layouts
def test_the_background_in_another_light_is_found(layout):
    background = textured(layout, 0)
    v = in_light(background, layout, lamp)
    covered = np.where(np.arange(layout.width) < layout.width // 2, 255, 0).astype(np.uint8)
    lit = staying(watched(layout), v, background, np.tile(covered, (layout.height, 1)))
    assert np.abs(lit.astype(float) - v).mean() / layout.white < 2 / 255


@layouts
def test_something_else_that_covers_half_the_frame_is_no_light(layout):
    covered = np.zeros((layout.height, layout.width), np.uint8)
    covered[:, : layout.width // 2] = 255
    v, background = textured(layout, 0), textured(layout, 0)
    hidden = layout.spread(covered > 0)
    v[hidden] = textured(layout, 1)[hidden]
    assert staying(watched(layout), v, background, covered) is None


@layouts
def test_light_that_does_not_stay_is_not_followed(layout):
    background, change = textured(layout, 0), watched(layout)
    everything = np.full((layout.height, layout.width), 255, np.uint8)
    for light in (lamp, brighter(0.1), lamp, brighter(0.5)) * 5:  # More frames than those after which one light stays.
        v = in_light(background, layout, light)
        found = change.offer(v, background, everything)
        assert not found.stays
        assert np.abs(found.background.astype(float) - v).mean() / layout.white < 3 / 255
    assert staying(change, in_light(background, layout, lamp), background, everything) is not None


@layouts
def test_what_is_too_bright_for_the_input_tells_nothing_of_the_light_and_is_white(layout):
    background, change = textured(layout, 0), watched(layout)
    v = in_light(background, layout, lambda height, width: 2.0 * lamp(height, width))
    full = layout.black + layout.luma_span
    for index in range(len(layout.shapes)):
        if not layout.is_signed(index):
            np.minimum(layout.plane(v, index), full, out=layout.plane(v, index))
    assert 0.15 < (layout.plane(v, layout.luma_index) == full).mean() < 0.5
    lit = staying(change, v, background, np.full((layout.height, layout.width), 255, np.uint8))
    apart = np.abs(layout.plane(lit, layout.luma_index).astype(float) - layout.plane(v, layout.luma_index))
    assert np.percentile(apart, 98) / layout.white < 4 / 255


class Flash(Switched):
    """The drawn street, lit for one frame."""

    def frames(self, first=0):
        for frame in self._street.frames(first):
            lit = frame.index == AT
            yield replace(frame, values=in_light(frame.values, frame.layout, self._light)) if lit else frame


def test_a_flash_is_in_no_mask_and_teaches_nothing():
    def share(report, label):
        return (report.mask[report.frame.truth.mask == label] > 0).mean()

    session = Session(Flash(lamp), Settings())
    before, flash, after = itertools.islice(session.run(), AT - 1, AT + 2)
    assert (before.lit, after.lit) == (None, None)
    for report in (before, flash, after):
        assert share(report, 0) < 0.015
        assert share(report, 255) > 0.85 * share(before, 255)


@layouts
def test_light_that_was_on_for_a_moment_is_followed_back(layout):
    background, change = textured(layout, 0), watched(layout)
    everything = np.full((layout.height, layout.width), 255, np.uint8)
    lit = staying(change, in_light(background, layout, lamp), background, everything)
    back = staying(change, background, lit, everything)
    assert np.abs(back.astype(float) - background).mean() / layout.white < 2 / 255


@layouts
def test_a_frame_without_the_detail_of_the_background_is_no_light(layout):
    """A dark frame, or a wall: anything is alike in so little light, and the wall in any."""
    background, rng = textured(layout, 0), np.random.default_rng(5)
    everything = np.full((layout.height, layout.width), 255, np.uint8)
    for light in (0.0, 0.05, 0.3):
        change = watched(layout)
        wall = layout.quantise(np.full(layout.n_values, 0.5, np.float32))
        wall = in_light(wall, layout, brighter(light)) + rng.integers(0, 3, layout.n_values, layout.dtype)
        assert staying(change, wall, background, everything) is None
    change = watched(layout)
    assert staying(change, in_light(background, layout, brighter(0.05)), background, everything) is not None


@layouts
def test_a_mask_that_grows_slowly_is_not_asked(layout):
    background = textured(layout, 0)
    change = watched(layout)
    for t in range(60):
        covered = np.zeros((layout.height, layout.width), np.uint8)
        covered[:, : (t * layout.width) // 240] = 255
        assert change.offer(in_light(background, layout, lamp), background, covered) is None


@layouts
def test_a_mask_that_is_often_this_large_is_not_asked(layout):
    background, change = textured(layout, 0), LightChange(layout)
    covered = np.zeros((layout.height, layout.width), np.uint8)
    for t in range(60):
        covered[:, : layout.width // 2] = 255 * (t % 3 < 2)
        assert change.offer(in_light(background, layout, lamp), background, covered) is None


@layouts
@pytest.mark.parametrize("factor", [1.5, 0.6])
def test_light_that_shows_in_a_few_scattered_pixels_only_is_found_and_not_darkness(layout, factor):
    background, change = textured(layout, 0), LightChange(layout)
    y, x = np.mgrid[: layout.height, : layout.width]
    usual = np.where((x + 2 * y) % 6, 255, 0).astype(np.uint8)
    for _ in range(MEMORY):
        assert change.offer(background, background, usual) is None
    v = in_light(background, layout, brighter(factor))
    lit = staying(change, v, background, np.full_like(usual, 255))
    assert lit is not None
    assert np.abs(lit.astype(float) - v).mean() / layout.white < 4 / 255


@pytest.mark.parametrize("n_beside", [0, 1], ids=["all of it is hidden", "a sixth of it is seen"])
def test_what_hides_most_of_a_place_tells_nothing_of_the_light_there(n_beside):
    """Something that is a little brighter than the scene in the new light stands there, before and after."""
    layout = LAYOUTS["grey"]
    background, change = textured(layout, 0), LightChange(layout)
    there, hidden = np.zeros((2, layout.height, layout.width), np.uint8)
    there[30:54, 18:42] = hidden[30:54, 18:42] = 255
    for column in range(n_beside):
        hidden[:, 18 + column : 42 : 6] = 0  # Light is measured in blocks of 6 by 6 pixels.
    for _ in range(MEMORY):
        assert change.offer(background, background, hidden) is None
    expected = in_light(background, layout, brighter(1.5))
    v = expected + np.uint8(6) * (there.ravel() > 0)
    lit = staying(change, v, background, np.full_like(hidden, 255))
    off = np.abs(lit.astype(int) - expected)
    assert off[hidden.ravel() > 0].max() <= 1
    assert off[there.ravel() == 0].max() <= 1
