"""What is known of a plate goes along with it."""

import numpy as np

from core.frames.frame import Frame, Layout, Planes
from core.frames.motion import Shift
from core.scene.cleaning import CLEANING_PARAMETERS
from core.session.cleaning_state import CleaningState

LAYOUT = Layout(20, 30, Planes.GREY)
PLATE = np.zeros(LAYOUT.n_values, np.uint8)


def state():
    return CleaningState(LAYOUT, {p.name: p.default for p in CLEANING_PARAMETERS})


def test_where_a_plate_was_seen_goes_with_it():
    cleaning, seen = state(), np.ones(LAYOUT.shapes[0], np.bool_)
    cleaning.take_plate(PLATE, seen)
    assert cleaning.now.seen is None, "everywhere"
    seen[3] = False
    cleaning.take_plate(PLATE, seen)
    cleaning.set("grow", 3)
    np.testing.assert_array_equal(cleaning.now.seen, seen)
    cleaning.forget_plate()
    assert cleaning.now.plate is None
    assert cleaning.now.seen is None


def test_what_comes_into_the_picture_of_a_camera_that_drifts_was_not_seen():
    cleaning = state()
    cleaning.take_plate(PLATE)
    by = Shift(4.0, -2.0)
    cleaning.rebase(Frame(0, 0.0, PLATE, LAYOUT), by)
    inside = np.zeros(LAYOUT.shapes[0], np.bool_)
    inside[4:, :28] = True
    np.testing.assert_array_equal(cleaning.now.seen, inside)
