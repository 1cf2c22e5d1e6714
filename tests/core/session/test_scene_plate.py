"""The plate of each scene is given on as the scene ends, in the last pass, and costs nothing unless it is asked for."""

import gc
import weakref

import numpy as np
import pytest

from core.scene.clean_plate import CleanPlate
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_scenes import CUT, N, cut, empty


def ended(session):
    """Run a session; return first frame, end, frames kept and picture of each scene that ended."""
    scenes = []
    session.when_scene_ends(lambda one: scenes.append((one.first, one.end, one.n_kept, one.picture())))
    for _ in session.run():
        pass
    return scenes


@pytest.mark.parametrize("passes", [1, 2])
def test_the_plate_of_a_scene_is_given_on_when_another_begins(passes):
    session = Session(cut(), Settings(passes=passes))
    [(first, end, n_kept, plate)] = ended(session)
    assert (first, end) == (0, CUT)
    assert n_kept == CUT
    assert np.abs(plate - empty(0)).mean() < 4, "grey levels"
    last = session.scene_plate()
    assert (last.first, last.end) == (CUT, None)
    assert np.abs(last.picture() - empty(N - 1)).mean() < 4
    np.testing.assert_array_equal(last.picture(), session.plate())
    np.testing.assert_array_equal(last.confidence(), session.confidence())
    assert last.n_kept == session.scenes.now.plate.n_frames


def test_nothing_is_worked_out_in_the_last_pass_where_nobody_asks(monkeypatch):
    worked_out, samples = [], CleanPlate.samples
    monkeypatch.setattr(CleanPlate, "samples", lambda *given: worked_out.append(1) or samples(*given))
    for _ in Session(cut(60, 30), Settings(passes=2)).run():
        pass
    assert worked_out == []
    session = Session(cut(60, 30), Settings(passes=2))
    session.when_scene_ends(lambda one: one.confidence())
    for _ in session.run():
        pass
    assert worked_out == []


def test_a_session_without_plates_gives_none_on():
    assert ended(Session(cut(60, 30), Settings(passes=2), keeps_plate=False)) == []


def test_a_run_that_begins_later_begins_its_first_scene_there():
    session, firsts = Session(cut(60, 30), Settings(passes=2)), []
    session.when_scene_ends(lambda one: firsts.append(one.first))
    for _ in session.run(20):
        pass
    assert firsts == [20]
    assert session.scene_plate().first == 30


def test_what_a_plate_was_made_of_is_gone_before_the_next_scene_ends():
    session, alive = Session(cut(120, 30), Settings(passes=2)), []
    refs = []

    def take(scene):
        gc.collect()
        alive.append(sum(ref() is not None for ref in refs))
        refs.append(weakref.ref(scene.scene.plate))

    session.when_scene_ends(take)
    for _ in session.run():
        pass
    assert alive == [0, 0, 0]
