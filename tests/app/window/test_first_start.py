"""At the very first start the window says why the first frame takes so long; at later ones it says nothing."""

import pytest

from app.window import first_start
from app.window.main_window import MainWindow
from core.runtime import numba_cache
from tests.app.windows import wait_for


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
    banner, state = window.parts.banner, window.parts.status.state
    assert (banner.text, banner.isHidden()) == (first_start.SENTENCE, False)
    wait_for(lambda: state.text() == "Compiling… 0 s", "the seconds")
    window.report_shown.emit()
    assert banner.isHidden()
    window.parts.status.show_state("Playing", "good")
    wait_for(lambda: True, "a tick")
    assert state.text() == "Playing"


def test_what_is_said_meanwhile_stays(window, monkeypatch):
    monkeypatch.setattr(numba_cache, "is_empty", lambda: True)
    first_start.FirstStart(window)
    window.parts.banner.show_error("There is no such file.")
    window.report_shown.emit()
    assert window.parts.banner.text == "There is no such file."
    assert not window.parts.banner.isHidden()


def test_later_starts_say_nothing(window, monkeypatch):
    monkeypatch.setattr(numba_cache, "is_empty", lambda: False)
    first_start.FirstStart(window)
    assert window.parts.banner.isHidden()
