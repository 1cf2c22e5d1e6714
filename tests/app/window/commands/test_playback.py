"""Playing, holding, stepping and skipping."""

from unittest.mock import Mock

import pytest

from app.engine.state import State
from app.panels.controls import Segmented
from app.panels.status import StatusBar
from app.window.commands.playback import PlaybackCommands
from app.window.shown_frame import ShownFrame
from core.io.input_spec import InputSpec


@pytest.fixture
def speed():
    return Mock(spec=Segmented)


@pytest.fixture
def status():
    return Mock(spec=StatusBar)


@pytest.fixture
def playback(worker, input_, speed, status, remembered):
    return PlaybackCommands(worker, input_, ShownFrame(index=60), speed, status, remembered)


@pytest.mark.parametrize(
    ("state", "role", "plays"),
    [(State.LEARNING, "good", True), (State.APPLYING, "good", True), (State.PAUSED, "muted", False),
     (State.PREPARING, "warn", False), (State.STOPPED, "bad", False), (State.FINISHED, "muted", False)],
)  # fmt: skip
def test_a_state_is_said_and_the_space_bar_does_the_opposite(playback, worker, status, state, role, plays):
    playback.on_state(state)
    assert status.show_state.call_args.args == (state.value, role)
    assert playback.is_playing == plays
    assert playback.is_preparing == (state is State.PREPARING)
    playback.toggle()
    will_play = plays or state is State.PREPARING  # Its first frame may be on the screen already.
    assert (worker.pause.called, worker.play.called) == (will_play, not will_play)


def test_a_skip_needs_an_input_that_can_be_searched(playback, worker, input_, clip_info, camera_info):
    playback.forward()
    input_.on_opened(camera_info, InputSpec("camera:0"))
    playback.forward()
    assert not worker.seek.called
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    playback.back()
    playback.forward()
    assert [made.args for made in worker.seek.call_args_list] == [(0,), (99,)]


def test_the_first_frame_is_gone_to_where_the_input_can_be_searched(playback, worker, input_, clip_info, camera_info):
    playback.first()
    input_.on_opened(camera_info, InputSpec("camera:0"))
    playback.first()
    assert not worker.seek.called
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    playback.first()
    worker.seek.assert_called_once_with(0)
    assert not worker.restart.called


def test_a_step_back_holds_at_the_frame_before(worker, input_, speed, status, remembered, clip_info, camera_info):
    shown = ShownFrame(index=1)
    playback = PlaybackCommands(worker, input_, shown, speed, status, remembered)
    playback.step_back()
    input_.on_opened(camera_info, InputSpec("camera:0"))
    playback.step_back()
    assert not worker.seek.called
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    playback.step_back()
    assert worker.pause.called
    assert worker.seek.call_args.args == (0,)
    shown.index = 0
    playback.step_back()
    assert worker.seek.call_count == 1, "there is none before the first"


def test_a_skip_begins_at_the_frame_that_is_on_its_way(worker, input_, speed, status, remembered, clip_info):
    shown = ShownFrame(index=60)
    playback = PlaybackCommands(worker, input_, shown, speed, status, remembered)
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    told = []
    playback.sought.connect(told.append)
    playback.first()
    playback.step_back()
    assert told == [0], "there is none before the first"
    playback.seek(70)
    playback.step_back()
    assert (told, shown.index) == ([0, 70, 69], 60)


def test_a_skip_needs_a_frame_that_is_shown(worker, input_, speed, status, remembered, clip_info):
    playback = PlaybackCommands(worker, input_, ShownFrame(), speed, status, remembered)
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    playback.forward()
    assert not worker.seek.called


def test_step_loop_and_speed_reach_the_engine_and_the_speed_is_remembered(playback, worker, speed, remembered):
    playback.step()
    playback.set_loop(True)
    playback.set_real_time(False)
    assert worker.step.called
    assert worker.set_loop.call_args.args == (True,)
    assert worker.set_real_time.call_args.args == (False,)
    assert remembered.real_time is False
    assert speed.choose.call_args.args == (1,)


def test_it_is_told_when_a_person_has_said_whether_it_is_to_play(playback, input_, clip_info, qtbot):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    for use in (playback.toggle, playback.step, playback.step_back, playback.learn_on):
        with qtbot.waitSignal(playback.used):
            use()
    with qtbot.assertNotEmitted(playback.used):
        playback.on_state(State.PAUSED)
        playback.back()
