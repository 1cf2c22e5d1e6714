"""An input that vanishes while it is played, and comes back."""

import shutil

import pytest

from app.engine.presenter import Presenter
from app.engine.session_player import SessionPlayer
from app.engine.slot import NewestSlot
from app.engine.state import State
from core.errors import CleanplateError
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.session.settings import Settings
from tests.app.windows import open_window, wait_for, write_clip

N_FRAMES, MISSING = 40, 12


class Vanishing:
    """A source of which frames from one on cannot be had while it is gone."""

    def __init__(self, inner):
        self._inner, self.info, self.warnings, self.is_gone = inner, inner.info, [], True

    def frames(self, first=0):
        for frame in self._inner.frames(first):
            if self.is_gone and frame.index >= MISSING:
                raise CleanplateError("The disk went away; put it back.")
            yield frame

    def close(self):
        self._inner.close()


@pytest.fixture
def played(tmp_path):
    source = Vanishing(open_source(InputSpec(str(write_clip(tmp_path / "walk.mkv", N_FRAMES)))))
    player, states = SessionPlayer(Presenter(NewestSlot())), []
    player.tell_states_to(states.append)
    yield player, source, states
    player.close()


def advance_often(player):
    for _ in range(3 * N_FRAMES):
        player.advance()


def fail(player):
    with pytest.raises(CleanplateError, match="went away"):
        advance_often(player)


@pytest.mark.parametrize("passes", [1, 2])
def test_learning_goes_on_with_the_frame_that_was_missing(played, passes):
    player, source, states = played
    source.is_gone = passes == 1
    player.start(source, Settings(passes=passes))
    if passes == 2:
        while player.n_learnt < N_FRAMES + 1:
            player.advance()
        source.is_gone = True
    fail(player)
    assert states[-1] is State.STOPPED
    assert (player.is_over, player.wait_s) == (False, None)
    at, n_learnt = player.index, player.n_learnt
    assert (at, n_learnt) == (MISSING - 1, (passes - 1) * N_FRAMES + MISSING)
    player.play()
    fail(player)
    assert (states[-1], player.n_learnt) == (State.STOPPED, n_learnt), "it is still gone"
    source.is_gone = False
    player.play()
    player.advance()
    assert (player.index, player.n_learnt) == (at + 1, n_learnt + 1)
    assert player.standing.pass_index == passes - 1
    while not player.is_over:
        player.advance()
    assert (player.n_learnt, states[-1]) == (passes * N_FRAMES, State.FINISHED), "each frame once in each pass"


def test_images_that_are_moved_away_stop_the_run_which_goes_on_when_they_are_back(photos, tmp_path):
    folder = shutil.copytree(photos, tmp_path / "photos")
    player, states = SessionPlayer(Presenter(NewestSlot())), []
    player.tell_states_to(states.append)
    player.start(open_source(InputSpec(str(folder))), Settings())
    player.advance()
    folder.rename(tmp_path / "away")
    with pytest.raises(CleanplateError, match="photos is gone"):
        advance_often(player)
    at = player.n_learnt
    assert (states[-1], player.is_over) == (State.STOPPED, False)
    assert at < 16
    (tmp_path / "away").rename(folder)
    player.play()
    while not player.is_over:
        player.advance()
    assert (player.n_learnt, states[-1], player.warnings) == (16, State.FINISHED, [])
    player.close()


def test_a_look_that_fails_leaves_the_run_where_it_is(played):
    player, source, states = played
    player.start(source, Settings(), play=False)
    player.advance()
    player.seek(20)
    assert player.going_to == 20
    fail(player)
    assert (states[-1], player.going_to) == (State.STOPPED, None)
    assert player.n_learnt == 1
    source.is_gone = False
    player.step()
    player.advance()
    assert (player.looked_at, player.learns_on_at) == (20, 1)
    player.learn_on()
    player.advance()
    assert (player.index, player.n_learnt, states[-1]) == (1, 2, State.LEARNING)


def test_the_message_goes_once_the_input_is_back(tmp_path, monkeypatch, qapp):
    clip, gone = write_clip(tmp_path / "walk.mkv", N_FRAMES), []
    opened = open_source

    def open_vanishing(*args, **named):
        gone.append(Vanishing(opened(*args, **named)))
        return gone[-1]

    monkeypatch.setattr("core.io.sources.open_source", open_vanishing)
    with open_window(str(clip), tmp_path) as window:
        status, banner = window.parts.status, window.parts.banner
        wait_for(lambda: status.state.text() == "Stopped", "the frame that is missing")
        wait_for(lambda: banner.text == "The disk went away; put it back.", "the message")
        for source in gone:
            source.is_gone = False
        window.action("play").trigger()
        wait_for(lambda: status.state.text() == "Finished", "the end")
        assert banner.text == ""
        assert window.worker.n_learnt == N_FRAMES
