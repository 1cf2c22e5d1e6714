"""What a project does not hold yet."""

from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from app.window.commands.project_changes import ProjectChanges, checksum
from app.window.commands.project_state import ProjectState
from core.events.rules import Rules
from core.frames.frame import Layout, Planes
from core.project.document import Document, ProjectInput
from core.scene.areas import Areas, Shape
from core.scene.masks import painted_schema
from core.scene.masks.strokes import Stroke, n_light_samples
from core.session.strokes import Strokes

LINE = ((0.0, 9.0), (9.0, 0.0))

DRAWN = Areas((Shape("never", ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0)), 0.0),))


LAYOUT = Layout(48, 64, Planes.GREY)


def stroke(level=7):
    where, look = np.ones((4, 6), bool), np.full((4, 6), level, np.uint8)
    return Stroke(True, 3, (10, 14, 20, 26), where, (look,), np.zeros(n_light_samples(LAYOUT), np.float32))


def strokes_with(*strokes):
    return Strokes(LAYOUT, strokes)


def work(**fields):
    return Document(input=ProjectInput(path="/films/clip.mp4"), **fields)


@pytest.fixture
def state():
    made = Mock(spec=ProjectState)
    made.work.return_value = work()
    return made


@pytest.fixture
def changes(worker, state):
    worker.n_of_lineage = 0
    return ProjectChanges(worker, state)


def test_nothing_is_by_hand_before_there_is_anything_to_compare_with(changes):
    assert not changes.has_begun
    assert not changes.are_by_hand


def test_settings_are_a_change_and_what_is_drawn_or_painted_is_one_by_hand(changes, state):
    changes.begin()
    assert not changes.compare()
    state.work.return_value = work(passes=3)
    assert changes.compare()
    assert (changes.is_modified, changes.are_by_hand) == (True, False)
    state.work.return_value = work(areas=DRAWN)
    assert not changes.compare(), "it is modified as before"
    assert (changes.is_modified, changes.are_by_hand) == (True, True)
    for events, is_by_hand in ((Rules(lines=(LINE,)), True), (Rules(((0.0, 0.0), *LINE)), True), (Rules((), 9), False)):
        state.work.return_value = work(events=events)
        changes.compare()
        assert (changes.is_modified, changes.are_by_hand) == (True, is_by_hand)
    state.work.return_value = work()
    assert changes.compare()
    assert not changes.is_modified
    changes.read_painted(strokes_with(stroke()))
    changes.compare()
    assert (changes.is_modified, changes.are_by_hand) == (True, True)
    changes.note_saved(changes.now, changes.run, None)
    changes.compare()
    assert not changes.is_modified
    changes.end()
    assert not changes.has_begun


def test_a_project_that_is_not_as_it_was_saved_is_modified_from_the_beginning(changes):
    for differs in (False, True):
        changes.note_opened(differs=differs)
        changes.compare()
        assert changes.is_modified == differs


@pytest.mark.parametrize(("begins_anew", "n_first"), [(True, 1), (False, 0)])
def test_frames_count_from_what_is_there_once_a_project_is_open(changes, worker, begins_anew, n_first):
    session = SimpleNamespace(learning=True, has_own_passes=False, begins_anew=begins_anew)
    worker.with_session.side_effect = lambda action: action(session)
    changes.note_opened(differs=False)
    worker.n_of_lineage = n_first
    assert changes.n_more_learnt == 0
    worker.n_of_lineage = n_first + 7
    assert changes.n_more_learnt == 7
    changes.note_saved(changes.now, changes.run, worker.n_of_lineage)
    assert changes.n_more_learnt == 0
    session.learning = False
    changes.note_opened(differs=False)
    assert changes.n_more_learnt == 0, "a model is applied: nothing is learnt"


@pytest.mark.parametrize(("goes_on", "n_first"), [(False, 1), (True, 0)])
def test_what_a_run_learns_that_begins_later_is_in_no_project(changes, worker, goes_on, n_first):
    worker.n_of_lineage = 100
    changes.note_saved(changes.now, changes.run, 100)
    changes.note_restarted(goes_on=goes_on)
    worker.n_of_lineage = n_first
    assert changes.n_more_learnt == 0
    worker.n_of_lineage = n_first + 80
    assert changes.n_more_learnt == 80


def test_what_was_saved_of_a_run_that_is_over_by_then_counts_for_that_one(changes, worker):
    run = changes.run
    changes.note_restarted(goes_on=False)
    worker.n_of_lineage = 31
    changes.note_saved(changes.now, run, 100)
    assert changes.n_more_learnt == 30
    changes.note_saved(changes.now, changes.run, 31)
    assert changes.n_more_learnt == 0


def test_a_run_that_begins_before_anything_was_saved_changes_nothing(changes, worker):
    changes.note_restarted(goes_on=False)
    worker.n_of_lineage = 80
    assert changes.n_more_learnt == 0


def test_frames_that_were_learnt_after_saving_are_unsaved_again_once_a_run_is_returned_to(changes, worker):
    worker.lineage, worker.n_of_lineage = 1, 10
    changes.note_saved(changes.now, changes.run, 10, lineage=1)
    worker.n_of_lineage = 30
    assert changes.n_more_learnt == 20
    worker.lineage, worker.n_of_lineage = 2, 1  # Another method.
    changes.note_restarted(goes_on=False)
    assert changes.n_more_learnt == 0
    worker.lineage, worker.n_of_lineage = 1, 30  # Undone.
    changes.note_restarted(goes_on=True)
    assert changes.n_more_learnt == 20


def test_what_is_painted_is_known_again_by_what_it_is(changes):
    changes.read_painted(None)
    changes.begin()
    for painted, differs in (
        (strokes_with(), False), (strokes_with(stroke()), True), (strokes_with(), False),
        (strokes_with(stroke(), stroke(8)), True),
    ):  # fmt: skip
        changes.read_painted(painted)
        changes.compare()
        assert changes.is_modified == differs
    changes.note_saved(replace(changes.now, painted_sum=checksum(strokes_with(stroke(), stroke(8)))), 0, None)
    for painted, differs in (
        (strokes_with(stroke(), stroke(8)), False), (strokes_with(stroke(8), stroke()), True),
        (strokes_with(stroke(), stroke(9)), True), (strokes_with(stroke(), stroke(8)), False), (None, True),
    ):  # fmt: skip
        changes.read_painted(painted)
        changes.compare()
        assert changes.is_modified == differs


def test_a_stroke_more_costs_no_work_on_those_before(changes, monkeypatch):
    packed, state_of = [], painted_schema.state_of

    def counting(strokes, layout):
        packed.extend(strokes)
        return state_of(strokes, layout)

    monkeypatch.setattr(painted_schema, "state_of", counting)
    first, second = stroke(), stroke(8)
    changes.read_painted(strokes_with(first))
    changes.read_painted(strokes_with(first, second))
    assert len(packed) == 2
    assert packed[0] is first
    assert packed[1] is second
