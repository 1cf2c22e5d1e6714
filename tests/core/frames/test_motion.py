"""Motions: there and back, against other coordinates, and as numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.frames.motion import AT_REST, NO_SHIFT, Motion, Shift

PIXELS = st.floats(-90, 90)
MOTIONS = st.builds(Motion, st.builds(Shift, PIXELS, PIXELS), st.floats(-0.5, 0.5), st.floats(-0.3, 0.3))


@given(MOTIONS, PIXELS, PIXELS)
def test_the_motion_back_brings_every_point_back(motion, down, right):
    np.testing.assert_allclose(motion.back.at(*motion.at(down, right)), (down, right), atol=1e-9)


@given(MOTIONS, st.integers(-20, 20), st.integers(-20, 20))
def test_a_scene_that_lies_elsewhere_shows_the_same(motion, down, right):
    """What lay at (5, -7) lies lower by ``down`` and further right, and is seen where it was."""
    shown = motion.rebased(Shift(down, right)).at(5 + down, -7 + right)
    np.testing.assert_allclose(shown, motion.at(5, -7), atol=1e-9)


@given(MOTIONS)
def test_a_motion_is_its_numbers(motion):
    again = Motion.of(*motion.numbers)
    np.testing.assert_allclose((*again.shift, *again[1:]), (*motion.shift, *motion[1:]), atol=1e-9)


def test_a_turn_is_counter_clockwise_and_a_zoom_enlarges():
    down, right = Motion(angle=np.pi / 2).at(0, 10)
    assert (down, right) == pytest.approx((-10, 0))
    assert Motion(zoom=np.log(2)).at(3, -4) == pytest.approx((6, -8))


def test_a_shift_is_exact_however_it_is_asked_for():
    motion = Motion(Shift(0.1, -7.3))
    assert not motion.turns
    assert motion.numbers == (0.1, -7.3, 0, 0)
    assert motion.back == Motion(Shift(-0.1, 7.3))
    assert motion.rebased(Shift(2, 4)) == Motion(Shift(0.1 - 2, -7.3 - 4))
    assert motion.extent(480, 640) == 7.3
    assert motion.turn == AT_REST
    assert AT_REST.shift == NO_SHIFT


def test_how_far_a_motion_goes_is_how_far_its_farthest_corner_does():
    motion = Motion(Shift(1.0, 2.0), 0.1, 0.05)
    corners = [(i * 49.5, j * 99.5) for i in (-1, 1) for j in (-1, 1)]
    moved = [np.abs(np.subtract(motion.at(*corner), corner)).max() for corner in corners]
    assert motion.extent(100, 200) == pytest.approx(max(moved))


def test_the_matrix_brings_points_counted_from_a_corner_to_where_they_are_seen():
    motion, middle = Motion(Shift(3.5, -2.25), 0.01, -0.02), (23.5, 31.5)
    for down, right in ((0.0, 0.0), (10.0, 40.0), (47.0, 63.0)):
        seen = motion.at(down - middle[0], right - middle[1])
        found = np.array(motion.matrix(*middle)) @ (right, down, 1)
        np.testing.assert_allclose(found, (seen.right + middle[1], seen.down + middle[0]), atol=1e-12)
