"""Which frame is on its way: told from the moment that it was sought until it has come, or cannot."""

import threading

import pytest

from app.engine.presenter import Presenter
from app.engine.session_player import SessionPlayer
from app.engine.slot import NewestSlot
from app.engine.threads import Background
from app.engine.worker import Worker
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.session.settings import Settings
from tests.app.windows import write_clip, write_cut_clip


@pytest.fixture
def player(tmp_path):
    made = SessionPlayer(Presenter(NewestSlot()))
    made.start(open_source(InputSpec(str(write_clip(tmp_path / "walk.mkv")))), Settings(), play=False)
    yield made
    made.close()


def test_a_frame_is_on_its_way_until_it_is_there(player):
    player.advance()
    player.seek(20)
    assert player.going_to == 20
    player.advance()
    assert (player.looked_at, player.going_to) == (20, None)


def test_the_first_frame_of_a_run_comes_before_the_one_that_was_sought(player):
    player.seek(20)
    player.advance()
    assert player.going_to == 20
    player.advance()
    assert (player.looked_at, player.going_to) == (20, None)


def test_who_pauses_right_after_a_seek_still_sees_the_frame(player):
    player.advance()
    player.play()
    player.seek(20)
    player.pause()
    assert player.wait_s == 0, "the frame is still to come"
    player.advance()
    assert (player.looked_at, player.going_to, player.wait_s) == (20, None, None)


def test_who_learns_on_or_begins_with_another_input_waits_for_the_frame_no_more(player, tmp_path):
    player.advance()
    player.seek(20)
    player.learn_on()
    assert player.going_to is None
    player.seek(20)
    player.start(open_source(InputSpec(str(tmp_path / "walk.mkv"))), Settings())
    assert player.going_to is None


def test_a_frame_that_the_input_does_not_have_is_not_on_its_way_for_ever(tmp_path):
    player = SessionPlayer(Presenter(NewestSlot()))
    player.start(open_source(InputSpec(str(write_cut_clip(tmp_path / "cut.mkv")))), Settings())
    while not player.is_over:
        player.advance()
    player.seek(70)
    player.advance()
    assert (player.going_to, player.wait_s) == (None, None)
    player.close()


def test_a_frame_is_on_its_way_before_the_engine_has_heard_of_it(qapp):
    worker, holds = Worker(), threading.Event()
    background = Background(worker, "engine")
    worker._post(holds.wait)
    worker.seek(7)
    worker.seek(9)
    background.start()
    assert worker.going_to == 9
    holds.set()
    worker.quit()
    background.wait()
    assert worker.going_to is None, "nothing is open, and so nothing comes"
