"""By how much a picture has moved against one that is known, found and judged."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.frames.motion import AT_REST, Motion, Shift
from core.scene.registration import Registration, extent
from tests.core.scene.test_stabiliser import layouts, turned_values, values

LARGEST = 20


def pair(layout, down, right):
    """A scene that has moved, and as it is known."""
    return [layout.plane(v, layout.luma_index) for v in (values(layout, down, right), values(layout, seed=1))]


def registration_of(layout, known):
    made = Registration(layout)
    assert not made.has_points
    made.choose_points(known)
    assert made.has_points
    return made


@layouts
def test_what_a_coarse_search_finds_is_followed_to_a_tenth_of_a_pixel(layout):
    now, known = pair(layout, 6.3, -4.7)
    registration = registration_of(layout, known)
    copies = registration.copies(now, known)
    coarse = registration.coarsely(copies, LARGEST)
    part = now.shape[0] // copies[-1][0].shape[0]
    assert extent((coarse.down - 6.3, coarse.right + 4.7)) <= part
    fine = registration.finely(copies, coarse)
    assert extent((fine.down - 6.3, fine.right + 4.7)) < 0.1


@layouts
def test_one_step_hints_at_a_small_movement_and_at_none_where_there_is_none(layout):
    for down, right in ((0.0, 0.0), (1.0, -0.6)):
        now, known = pair(layout, down, right)
        assert registration_of(layout, known).may_have_moved(now, known) == (down > 0)


@layouts
def test_a_shift_explains_a_picture_in_all_regions_and_quarters_and_another_in_none(layout):
    now, known = pair(layout, 3.0, 2.0)
    registration, found, other = registration_of(layout, known), Motion(Shift(3.0, 2.0)), Motion(Shift(-3.0, -2.0))
    assert registration.share_explained(now, known, found, 0.9) > 0.9
    assert registration.share_explained(now, known, other, 0.9) < 0.5
    assert registration.n_quarters(now, known, found) == 4
    assert registration.n_quarters(now, known, other) < 3
    left, unmoved = (
        registration.clipped(registration.differences(now, known, motion)).mean() for motion in (found, AT_REST)
    )
    assert left < 0.5 * unmoved < registration.by_chance(now, known, 10.0)


def test_a_point_beyond_the_border_differs_by_more_than_any_that_is_seen():
    layout = Layout(96, 128, Planes.GREY)
    now, known = pair(layout, 0, 0)
    registration = registration_of(layout, known)
    far = registration.differences(now, known, Motion(Shift(40.0, 0.0)))
    assert 0.2 < np.isinf(far).mean() < 0.8
    assert registration.clipped(far).max() == pytest.approx(24)


def test_a_picture_without_edges_has_no_points():
    made = Registration(Layout(96, 128, Planes.GREY))
    made.choose_points(np.full((96, 128), 100, np.uint8))
    assert not made.has_points


MOTION = Motion(Shift(4.3, -2.7), 0.013, -0.012)


def off(found, motion, layout):
    """How far the farthest corner is from where it should be, pixels."""
    y, x = layout.height / 2, layout.width / 2
    corners = [(i * y, j * x) for i in (-1, 1) for j in (-1, 1)]
    return max(extent(np.subtract(found.at(*corner), motion.at(*corner))) for corner in corners)


@layouts
@pytest.mark.parametrize("covered", [0, 1 / 3])
def test_turn_and_zoom_are_found_to_a_part_of_a_pixel_though_a_third_of_the_picture_moves(layout, covered):
    now, known = (layout.plane(v, layout.luma_index) for v in (turned_values(layout, MOTION), values(layout, seed=1)))
    now = now.copy()
    width = round(covered * layout.width)
    other = layout.plane(values(layout, seed=9)[::-1].copy(), layout.luma_index)
    now[:, 20 : 20 + width] = other[: now.shape[0], 20 : 20 + width]
    registration = registration_of(layout, known)
    copies = registration.copies(now, known)
    shift = Motion(registration.finely(copies, registration.coarsely(copies, LARGEST)))
    assert off(registration.turned(copies, shift), MOTION, layout) < 0.3 < off(shift, MOTION, layout)


@layouts
def test_a_turn_is_hinted_at_and_explains_the_picture_better_than_a_shift(layout):
    shift = Motion(MOTION.shift)
    now, known = (layout.plane(v, layout.luma_index) for v in (turned_values(layout, MOTION), values(layout, seed=1)))
    registration = registration_of(layout, known)
    assert registration.may_have_turned(now, known, MOTION.shift)
    assert registration.share_explained(now, known, MOTION, 0.9, than=shift) > 0.6
    assert registration.share_explained(now, known, shift, 0.9, than=MOTION) < 0.2
    assert registration.n_quarters(now, known, MOTION, than=shift) == 4
    other_way = Motion(MOTION.shift, -MOTION.angle, -MOTION.zoom)
    assert registration.n_quarters(now, known, other_way, than=shift) < 3
    only_moved = layout.plane(values(layout, *MOTION.shift), layout.luma_index)
    assert not registration.may_have_turned(only_moved, known, MOTION.shift)


@layouts
def test_a_turn_about_the_middle_is_a_hint_of_movement(layout):
    now, known = (
        layout.plane(v, layout.luma_index) for v in (turned_values(layout, Motion(angle=0.02)), values(layout, seed=1))
    )
    assert registration_of(layout, known).may_have_moved(now, known)
