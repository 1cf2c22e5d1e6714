"""Signals and the slot reach the window in any order, and nothing waits for a further frame while it holds."""

import os
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from app.engine.choice import Choice
from app.engine.loop import NICENESS
from app.engine.presenter import Presenter
from app.engine.session_player import SessionPlayer
from app.engine.slot import NewestSlot
from app.engine.snapshot import Shown
from app.engine.state import State
from app.engine.worker import Worker
from app.rendering.basis_thumbnails import WIDTH, basis_pictures
from core.errors import CleanplateError
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings
from tests.app.windows import open_window, poll, running_worker, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def clip(tmp_path):
    return str(write_clip(tmp_path / "walk.mkv"))


@contextmanager
def held_window(path, folder, index=5):
    """Open the window and hold on a frame."""
    with open_window(path, folder) as window:
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")
        window.worker.seek(index)
        wait_for(lambda: window.display.index == index, "the frame")
        wait_for(lambda: window.parts.status.state.text() == "Paused", "holding there")
        yield window


def start_over_unheard(window):
    """Start over, and wait until the first frame is in the slot; no signal of that has been delivered yet."""
    slot, before = window.worker.slot, window.worker.slot.run
    window.commands.method.restart()
    poll(lambda: slot.run != before and not slot.is_empty, "the first frame", lambda: None)


def test_a_frame_that_comes_before_its_signals_waits_for_them(tmp_path, clip):
    with held_window(clip, tmp_path) as window:
        start_over_unheard(window)
        window.display.tick()
        assert window.display.index == 5, "a frame of a run that the window has not heard of"
        wait_for(lambda: window.display.index == 0, "the first frame")
        assert window.views.plots.history("residual").x.size == 1, (
            "its point was cleared away with those of the last run"
        )


def test_a_slider_that_is_moved_before_the_first_frame_is_seen_stays_where_it_is(tmp_path, clip):
    with held_window(clip, tmp_path) as window:
        sensitivity = window.parts.source.mask_form.controls["sensitivity"]
        start_over_unheard(window)
        engine = threading.Event()
        window.worker.with_session(lambda _: engine.wait())  # It does not come to the change before the window looks.
        sensitivity.box.setValue(12)
        try:
            wait_for(lambda: window.display.index == 0, "the first frame, with the values before that")
            assert sensitivity.value == 12
        finally:
            engine.set()
        in_force = []
        window.worker.with_session(lambda session: in_force.append(session.control.values["sensitivity"]))
        wait_for(lambda: in_force, "the values in force")
        window.display.tick()
        assert (in_force, sensitivity.value) == ([12], 12)


def test_a_basis_image_that_is_dropped_goes_while_nothing_plays(tmp_path, clip):
    with held_window(clip, tmp_path) as window:
        assert len(window.views.basis.cards) == 3
        window.views.basis.drop_requested.emit(0)
        wait_for(lambda: len(window.views.basis.cards) == 2, "two basis images")
        assert window.display.index == 5


def test_a_basis_image_is_enlarged_in_full_size_while_nothing_plays(tmp_path):
    wide = str(write_clip(tmp_path / "wide.mkv", n_frames=8, width=2 * WIDTH))
    with held_window(wide, tmp_path) as window:
        strip = window.views.basis
        assert strip.cards[1].thumbnail.shape[1] == WIDTH
        strip.cards[1].clicked.emit(1)
        wait_for(lambda: strip.cards[1].thumbnail.shape[1] == 2 * WIDTH, "all of its pixels")
        strip.dialogs[1].close()


def test_no_progress_is_left_of_a_clip_that_ends_before_its_declared_length(tmp_path, clip):
    with held_window(clip, tmp_path) as window:
        window.commands.input.info = replace(window.commands.input.info, n_frames=1000)
        window.commands.method.restart()
        wait_for(window.parts.status.progress.isVisible, "its progress")
        window.worker.play()
        wait_for(lambda: window.display.index == 39 and window.commands.playback.state is State.FINISHED, "the end")
        assert not window.parts.status.progress.isVisible()


def test_when_playing_stops_the_basis_shown_is_the_one_that_was_learnt(clip):
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), Choice())
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        found = []
        seen.take()
        seen.worker.with_session(lambda session: found.append(basis_pictures(session.method.W, session.layout)))
        wait_for(lambda: found, "the basis")
        assert len(seen.basis) == 3
        assert all(np.array_equal(*pair) for pair in zip(seen.basis, found[0], strict=True))


def test_what_was_painted_is_known_in_the_midst_of_a_fresh_start(clip):
    """An export takes it along at any time, and is asked for on the window's thread."""
    known = []
    player = SessionPlayer(Presenter(NewestSlot()))

    class Watched(Session):
        def run(self, first=0):
            try:
                yield from super().run(first)
            finally:
                known.append(player.session is not None and bool(player.session.strokes.painted))

    source = open_source(InputSpec(clip))
    player.play_session(source, Watched(source, Settings()))
    player.advance()
    session = player.session
    session.strokes.paint(next(source.frames()), foreground=np.ones((48, 64), bool))
    assert session.strokes.painted
    player.restart(Settings())
    assert known == [True]
    assert player.session is not session
    player.close()


def test_an_export_finds_what_was_painted_while_the_engine_starts_over(clip, monkeypatch):
    ending, may_end = threading.Event(), threading.Event()

    class Held(Session):
        """A session whose run takes long to end: the engine's thread is in the midst of its fresh start."""

        def run(self, first=0):
            try:
                yield from super().run(first)
            finally:
                ending.set()
                may_end.wait(60)

    monkeypatch.setattr("core.session.session.Session", Held)
    runs = []
    with running_worker() as seen:
        seen.worker.run_started.connect(lambda *_: runs.append(bool(seen.worker.painted)))
        try:
            seen.worker.open(InputSpec(clip), Choice(), play=False)
            wait_for(lambda: seen.indices, "the first frame")
            assert not seen.worker.painted
            seen.worker.correct(seen.reports[-1], np.ones((48, 64), bool), is_background=False)
            wait_for(lambda: seen.worker.painted, "the stroke")
            ending.clear()
            seen.worker.restart(Choice())
            wait_for(ending.is_set, "the end of the run before")
            assert not runs
            assert seen.worker.painted
        finally:
            may_end.set()
        wait_for(lambda: runs, "the fresh start")
        assert runs == [True]


class Failing(Session):
    """A session whose input cannot be read to its end."""

    def run(self, first=0):
        yield from islice(super().run(first), 3)
        raise CleanplateError("The disk went away; put it back.")


def test_the_last_frame_before_an_input_fails_is_shown(clip):
    slot = NewestSlot()
    states = []
    player = SessionPlayer(Presenter(slot))
    player.tell_states_to(states.append)
    source = open_source(InputSpec(clip))
    player.play_session(source, Failing(source, Settings()))
    for _ in range(3):
        player.advance()
    with pytest.raises(CleanplateError, match="went away"):
        player.advance()
    assert slot.take().report.frame.index == 2
    assert states[-1] is State.STOPPED
    player.close()


def test_the_last_frame_comes_with_its_counts_also_where_they_were_taken_before_its_picture(monkeypatch):
    monkeypatch.setattr("app.engine.presenter.DISPLAY_S", 3600.0)
    source = open_source(InputSpec("sample:street", size=(64, 48), frames=(1, 40)))
    session, slot = Session(source, Settings()), NewestSlot()
    presenter = Presenter(slot)
    run = session.run()
    presenter.show(next(run), session, 1, 0.0, at_once=True)
    slot.take()
    presenter.show(next(run), session, 2, 25.0, at_once=False)
    assert slot.take().report is None, "it comes too soon after the one before"
    presenter.flush(session)
    shown = slot.take()
    assert (shown.report.frame.index, shown.n_learnt, shown.fps) == (1, 2, 25.0)
    for one in (run, source):
        one.close()


def test_the_basis_comes_with_what_has_changed_over_the_frames_that_were_learnt():
    source = open_source(InputSpec("sample:street", size=(64, 48), frames=(1, 40)))
    session, slot = Session(source, Settings()), NewestSlot()
    presenter, run, told = Presenter(slot), session.run(), []
    for n, report in enumerate(islice(run, 12), 1):
        presenter.show(report, session, n, 0.0, at_once=True)
        told.append(slot.take().changes)
    assert told[0] == [None] * 3
    assert None not in told[-1]
    for one in (run, source):
        one.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads have no priority of their own here")
def test_the_engine_steps_back_behind_the_window_however_nice_the_program_is(clip):
    found = []
    with running_worker() as seen:
        seen.worker.open(InputSpec(clip), Choice(), play=False)
        wait_for(lambda: seen.indices, "the first frame")
        seen.worker.with_session(lambda _: found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())))
        wait_for(lambda: found, "its priority")
    assert found[0] == min(19, os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) + NICENESS)


def test_the_slot_gives_only_the_run_that_is_asked_for():
    slot = NewestSlot()
    slot.put(Shown(fps=1.0))
    slot.clear()
    slot.put(Shown(fps=2.0))
    assert slot.take(slot.run - 1) is None
    assert slot.take(slot.run).fps == 2.0


def test_another_picture_of_a_frame_that_is_looked_at_is_of_that_frame():
    source = open_source(InputSpec("sample:street", size=(64, 48), frames=(1, 40)))
    session, slot = Session(source, Settings()), NewestSlot()
    presenter = Presenter(slot)
    run = session.run()
    report = next(islice(run, 11, None))
    presenter.show(report, session, 12, 0.0, at_once=True)
    looked_at = session.browse(30)
    presenter.look(next(looked_at), session, at_once=True)
    slot.take()
    presenter.set_view(frozenset({"input", "mask"}), (0, 0, 20, 20))
    shown = slot.take()
    assert shown.report.frame.index == 30
    assert not shown.points, "nothing was learnt from it"
    for one in (looked_at, run, source):
        one.close()


def test_a_change_that_the_engine_does_not_take_is_none():
    """Else the panels would wait for the values after it for ever."""
    worker = Worker()
    worker.set_values({"sensitivity": 12.0})
    assert worker.n_changes == 1
    worker.quit()
    worker.set_values({"sensitivity": 13.0})
    assert worker.n_changes == 1
