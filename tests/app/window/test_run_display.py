"""The status bar while a run goes, holds and ends."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from app.engine.snapshot import Shown
from app.engine.state import State
from app.panels.status import StatusBar
from app.window.run_display import UNKNOWN_SCENE, RunDisplay
from core.frames.frame import Layout, Planes
from core.io.sources.base import SourceInfo
from core.methods.base import WarmUp
from core.session.phase import Iteration, Phase
from tests.app.view_helpers import make_report

FILM = SourceInfo("walk.mp4", Layout(48, 64, Planes.RGB, 8), 25.0, 40)


@pytest.fixture
def told():
    """Return what the display goes by."""
    return SimpleNamespace(info=FILM, model=None, frame_s=0.0, pauses=False)


@pytest.fixture
def status(qtbot):
    made = StatusBar()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def display(status, told):
    made = RunDisplay(status, told, told, told)
    made.show_state(State.LEARNING)
    return made


def show(display, fps=2.0, n_learnt=4, frame_s=0.5, n_missed=0, **changes):
    shown = Shown(fps=fps, n_learnt=n_learnt, n_missed=n_missed, frame_s=frame_s)
    display.show(shown, replace(make_report(), **changes), has_own_passes=False)


def progress(status):
    """Return the percentage that is shown, and the time left; None where there is none."""
    return (None if status.progress.isHidden() else status.progress.value()), status.left.text()


def test_rate_count_and_progress_are_those_of_the_run(display, status):
    show(display)
    assert (status.state.text(), status.rate.text(), status.learnt.text()) == (
        "Learning", "2.0 frames/s", "learnt 4 frames",
    )  # fmt: skip
    assert progress(status) == (10, "18 s left")
    show(display, fps=40.0)
    assert progress(status) == (10, "18 s left"), "by what a frame takes, not by how many came at once"
    show(display, frame_s=0.0)
    assert progress(status) == (10, ""), "not known yet"


def test_how_many_were_learnt_is_said_once_while_it_warms_up_and_where_it_holds(display, status):
    show(display, warming=WarmUp(4, 24))
    assert status.state.text() == "Warming up: 4 frames learnt, settles at 24"
    assert status.learnt.text() == ""
    display.show_state(State.PAUSED)
    assert status.learnt.text() == "learnt 4 frames"
    show(display, n_learnt=5, warming=WarmUp(5, 24))
    assert status.learnt.text() == "learnt 5 frames", "a step"


def test_it_is_said_that_nothing_is_known_of_the_scene_of_a_frame_while_that_is_shown(display, status):
    show(display)
    display.show_state(State.PAUSED)
    status.show_state("Paused", "muted")
    show(display, phase=Phase.LOOKING, is_scene_known=False)
    assert status.state.text() == UNKNOWN_SCENE
    status.show_state("Showing, not learning", "warn")
    assert status.state.text() == UNKNOWN_SCENE
    status.show_going("Going to frame 1…")
    assert status.state.text() == "Going to frame 1…"
    status.show_going("")
    show(display, phase=Phase.LOOKING)
    assert status.state.text() == "Showing, not learning"
    show(display, phase=Phase.LOOKING, is_scene_known=False)
    display.clear()
    assert status.state.text() == "Showing, not learning"


def test_it_is_said_how_many_frames_of_a_camera_came_too_fast(display, status):
    show(display, n_missed=3)
    assert status.learnt.text() == "learnt 4 frames, 3 left out"
    display.show_state(State.PAUSED)
    assert status.learnt.text() == "learnt 4 frames, 3 left out"
    show(display)
    assert status.learnt.text() == "learnt 4 frames"


def test_of_a_camera_that_is_waited_for_no_rate_is_told(display, status, told):
    told.info = replace(FILM, n_frames=None, live=True)
    show(display, fps=16.0)
    assert status.rate.text() == "16 frames/s"
    display.show_state(State.WAITING)
    assert (status.rate.text(), status.learnt.text()) == ("", "learnt 4 frames")
    show(display, fps=16.0, n_learnt=5)  # The last that came, told late.
    assert (status.rate.text(), status.learnt.text()) == ("", "learnt 5 frames")
    display.show_state(State.LEARNING)
    show(display, fps=16.0, n_learnt=6)
    assert status.rate.text() == "16 frames/s"


def test_a_look_at_a_frame_leaves_what_is_said_of_the_run(display, status):
    show(display)
    show(display, fps=9.0, n_learnt=0, phase=Phase.LOOKING)
    assert (status.rate.text(), status.learnt.text(), progress(status)) == (
        "2.0 frames/s", "learnt 4 frames", (10, "18 s left"),
    )  # fmt: skip


@pytest.mark.parametrize("state", [State.FINISHED, State.IDLE])
def test_what_is_over_has_no_progress_though_it_ended_before_its_declared_length(display, status, state):
    show(display)
    display.show_state(state)
    assert progress(status) == (None, "")
    show(display, n_learnt=5)
    assert progress(status) == (None, "")
    assert status.learnt.text() == "learnt 5 frames"


def test_the_last_frame_and_one_of_an_unknown_length_have_no_progress(display, status, told):
    show(display)
    told.info = replace(FILM, n_frames=4)
    show(display)
    assert progress(status) == (None, "")
    told.info = FILM
    show(display)
    told.info = None
    show(display)
    assert progress(status) == (None, "")


def test_what_goes_on_from_earlier_work_counts_what_came_since(display, status):
    show(display)
    display.begin(goes_on=True)
    assert (status.rate.text(), status.learnt.text()) == ("", "")
    display.show_state(State.PAUSED)
    assert status.learnt.text() == "", "that was of the run before"
    show(display, n_learnt=1)
    assert status.learnt.text() == "learnt 1 frame more"
    display.begin(goes_on=False)
    assert status.learnt.text() == "learnt 1 frame more", "it stays until there is another"
    show(display, n_learnt=2)
    assert status.learnt.text() == "learnt 2 frames"


def test_nothing_is_said_of_what_was_open_before(display, status):
    show(display)
    display.clear()
    assert (status.rate.text(), status.learnt.text(), progress(status)) == ("", "", (None, ""))
    display.show_state(State.PAUSED)
    assert status.learnt.text() == ""


def test_what_takes_long_is_named_after_what_the_run_is_about_unless_a_camera_is_waited_for(display, status, told):
    told.frame_s = 3.0
    display.show_going(None)
    assert status.state.text() == "This frame takes long: 3 s so far"
    show(display, iteration=Iteration(7, 40, 120, 1.5))
    display.show_going(None)
    assert status.state.text() == "This iteration takes long: 3 s so far"
    told.pauses = True
    display.show_going(None)
    assert status.state.text() == "Pausing after this iteration: 3 s so far"
    told.info = replace(FILM, live=True)
    display.show_going(None)
    assert status.state.text() == "Learning: iteration 7 of 40"


def test_images_that_come_in_groups_are_told_by_what_each_takes(display, status):
    show(display, fps=31.0, is_image_set=True)
    assert (status.rate.text(), progress(status)[1]) == ("2.0 frames/s", "18 s left")
    show(display, fps=31.0, frame_s=0.0, is_image_set=True)
    assert (status.rate.text(), progress(status)[1]) == ("31 frames/s", "")


def test_no_time_left_is_told_while_a_set_is_hardly_begun(display, status, told):
    for n_frames, left in ((1000, ""), (20, "8 s left")):
        told.info = replace(FILM, n_frames=n_frames)
        show(display, is_image_set=True)
        assert progress(status)[1] == left
    told.info = replace(FILM, n_frames=1000)
    show(display)
    assert progress(status)[1] == "8 min 18 s left", "of a film, of which all frames take the same"
