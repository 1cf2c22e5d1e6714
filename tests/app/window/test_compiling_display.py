"""While kernels are compiled the window says so, and shows nothing of the input that was open before."""

import threading
import time
from contextlib import contextmanager
from unittest.mock import Mock

import numba
import pytest
from numba.core import event
from PySide6.QtTest import QTest

from app.engine.choice import Choice
from app.views.panes import INPUT
from app.window import compiling_display
from app.window.compiling_display import SENTENCE
from app.window.main_window import MainWindow
from core.errors import CleanplateError
from core.io.input_spec import InputSpec
from tests.app.windows import open_window, running_worker, wait_for, write_clip


@pytest.fixture
def window(qapp, tmp_path, monkeypatch):
    """A window whose engine has not begun, and which says at once what it says of compiling."""
    monkeypatch.setattr(compiling_display, "TICK_MS", 1)
    monkeypatch.setattr(compiling_display, "PATIENCE_S", 0)
    window = MainWindow(None, tmp_path / "window.json")
    yield window
    window.close()
    window.deleteLater()


@pytest.mark.parametrize(
    "end", [lambda window: window.report_shown.emit(), lambda window: window.worker.compiling.emit(False)]
)
def test_it_is_said_why_the_first_frame_takes_so_long_until_it_is_there(window, end, monkeypatch):
    monkeypatch.setattr(compiling_display, "time", Mock(monotonic=lambda: 100.0))  # However late it is looked at.
    status = window.parts.status
    status.show_state("Playing", "good")
    window.worker.compiling.emit(True)
    wait_for(lambda: status.state.text() == SENTENCE.format(0), "the seconds")
    end(window)
    QTest.qWait(20)
    assert status.state.text() == "Playing"


def test_what_goes_on_a_moment_later_is_counted_on(window, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(compiling_display.time, "monotonic", lambda: now[0])
    display = window.compiling
    for at, seconds in ((100, 0), (101, 1), (120, 0)):
        now[0] = at
        display.begin()
        display.say()
        assert window.parts.status.state.text() == SENTENCE.format(seconds)
        display.end()


def test_a_kernel_that_takes_no_time_is_not_told_of(window, monkeypatch):
    monkeypatch.setattr(compiling_display, "PATIENCE_S", 60)
    before = window.parts.status.state.text()
    window.worker.compiling.emit(True)
    QTest.qWait(20)
    assert window.parts.status.state.text() == before


def fresh_kernel():
    return numba.njit(lambda x: x + 1)


def test_the_engine_tells_of_kernels_that_it_waits_for_and_of_no_others(qapp, tmp_path):
    told, done = [], []
    with running_worker() as record:
        record.worker.compiling.connect(told.append)
        record.worker.open(InputSpec(str(write_clip(tmp_path / "clip.mkv"))), Choice(), play=False)
        wait_for(lambda: record.indices, "the first frame")
        record.worker.with_session(lambda _: done.append(1))
        wait_for(lambda: done, "the engine")
        told.clear()
        fresh_kernel()(1)  # On this thread, while the engine waits for commands.
        record.worker.with_session(lambda _: done.append(fresh_kernel()(1)))
        wait_for(lambda: False in told, "the end of it")
        assert told == [True, False]


@pytest.mark.usefixtures("qapp")
def test_nothing_is_shown_of_the_input_before_while_the_first_frame_of_another_is_on_the_way(tmp_path):
    clips = [str(write_clip(tmp_path / name, 30)) for name in ("walk.mkv", "other.mkv")]
    with open_window(clips[0], tmp_path) as window:
        parts, views = window.parts, window.views
        wait_for(lambda: parts.status.state.text() == "Finished" and len(views.basis.cards) == 3, "the end")
        assert parts.method.figures.text("Foreground").endswith("% of pixels")
        let_go = threading.Event()
        window.worker.restarted.connect(lambda *_: let_go.wait())  # On the engine's thread: no frame comes.
        try:
            window.commands.input.open_path(clips[1])
            wait_for(lambda: window.commands.input.request.path == clips[1], "the other clip")
            assert all(pane.picture is None for pane in views.panes.panes)
            pane = views.panes.panes[INPUT]
            assert pane.hint == "other.mkv is open; its first frame is on the way"
            assert not views.basis.cards
            assert parts.method.figures.text("Foreground") == "–"
            assert parts.status.learnt.text() == parts.status.rate.text() == ""
            window.action("mark_in").trigger()
            assert window.commands.export.written == (None, None), "a frame that nobody sees was marked"
            window.compiling.begin()
            window.compiling.say()
            assert pane.hint == SENTENCE.format(0) == parts.status.state.text()
            window.compiling.end()
            assert pane.hint == "other.mkv is open; its first frame is on the way"
        finally:
            let_go.set()
        wait_for(lambda: pane.picture is not None and len(views.basis.cards) == 3, "the other clip's frames")
        wait_for(lambda: parts.status.state.text() == "Finished", "the end")
        pictures = [id(pane.picture) for pane in views.panes.panes]
        window.commands.input.reopen()
        assert [id(pane.picture) for pane in views.panes.panes] == pictures, "another view of it takes no picture away"


@contextmanager
def held(what):
    """Give an event at which a thread goes on that is told of nothing meanwhile, and end it cleanly."""
    may_end = threading.Event()
    try:
        yield may_end
    finally:
        may_end.set()
        wait_for(lambda: all(thread.isFinished() for thread in what()), "the end of the threads")


def closed_after_s(window) -> float:
    """Close the window, which is hidden before anything is waited for; return how long that takes."""
    seen, wait = [], window._wait
    window._wait = lambda deadline: (seen.append(window.isVisible()), wait(deadline))
    began = time.monotonic()
    assert window.close()
    assert seen == [False]
    return time.monotonic() - began


def test_the_window_closes_at_once_while_kernels_compile(qapp, tmp_path):
    window, compiles = MainWindow("sample:street", tmp_path / "window.json"), []
    shown = []
    window.report_shown.connect(lambda: shown.append(1))
    window.show()
    wait_for(lambda: shown, "the first frame")
    with held(lambda: [window.background.thread]) as may_end:

        def compile_(_session):
            with event.trigger_event("numba:compile"):
                compiles.append(1)
                may_end.wait(30)

        window.worker.with_session(compile_)
        wait_for(lambda: compiles, "the compiler")
        assert closed_after_s(window) < 5
        assert not window.background.thread.isFinished()
    window.deleteLater()


def test_the_window_closes_soon_while_a_look_through_hears_of_nothing(qapp, tmp_path, monkeypatch):
    from core.session import overview

    looks = []
    with (
        open_window(str(write_clip(tmp_path / "clip.mkv", 20)), tmp_path) as window,
        held(lambda: [one.thread for one in window.display.activity._ending]) as may_end,
    ):

        def look(*_):
            looks.append(1)
            may_end.wait(30)
            raise CleanplateError("")

        monkeypatch.setattr(overview, "look_through", look)
        window.display.activity._look_through()
        wait_for(lambda: looks, "the look")
        assert closed_after_s(window) < 5
