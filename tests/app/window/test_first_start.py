"""At the very first start the window says why the first frame takes so long; at later ones it says nothing."""

import pytest
from PySide6.QtTest import QTest

from app.views.panes import INPUT
from app.window import first_start
from app.window.main_window import MainWindow
from core.runtime import numba_cache
from tests.app.windows import open_window, wait_for


@pytest.fixture
def window(qapp, tmp_path, monkeypatch):
    """A window whose engine has not begun."""
    monkeypatch.setattr(first_start, "TICK_MS", 1)
    window = MainWindow(None, tmp_path / "window.json")
    yield window
    window.close()
    window.deleteLater()


def test_a_first_start_says_why_it_takes_so_long_until_the_frame_is_there(window, monkeypatch):
    monkeypatch.setattr(numba_cache, "is_empty", lambda: True)
    first_start.FirstStart(window)
    status = window.parts.status
    wait_for(lambda: status.state.text() == first_start.SENTENCE.format(0), "the seconds")
    window.report_shown.emit()
    status.show_state("Playing", "good")
    QTest.qWait(20)
    assert status.state.text() == "Playing"


def test_the_pane_of_the_input_says_so_too_and_names_the_input_while_its_first_frame_is_on_the_way(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(numba_cache, "is_empty", lambda: True)
    with open_window("sample:street", tmp_path) as window:
        pane = window.views.panes.panes[INPUT]
        assert pane.hint == "Street is open; its first frame is on the way"
        first_start.FirstStart(window).say()  # At once: the frame may come with the next events.
        assert pane.hint == first_start.SENTENCE.format(0) == window.parts.status.state.text()


def test_later_starts_say_nothing(window, monkeypatch):
    monkeypatch.setattr(numba_cache, "is_empty", lambda: False)
    first_start.FirstStart(window)
    before = window.parts.status.state.text()
    QTest.qWait(20)
    assert window.parts.status.state.text() == before
