"""What is known of a plate goes along with it."""

import numpy as np

from core.frames.frame import Frame, Layout, Planes
from core.frames.motion import Shift
from core.io.sources import InputSpec, open_source
from core.scene.cleaning import CLEANING_PARAMETERS
from core.session.cleaning_state import CleaningState
from core.session.session import Session
from core.session.settings import Settings

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


def test_samples_that_are_surely_the_scene_are_those_of_the_input():
    """More than the mask is replaced, also where it is not grown: all around it that may hide the scene."""
    source = open_source(InputSpec("sample:street", frames=(1, 30)))
    n_beside = 0
    for report in Session(source, Settings("fast", values={"grow": 0, "feather": 0, "shadows": 0})).run():
        differs = (report.cleaned.image != report.frame.image()).any(axis=-1)
        assert not differs[report.hidden == 0].any()
        n_beside += int((differs & (report.finished_mask == 0)).sum())
    assert n_beside > 0
    source.close()
