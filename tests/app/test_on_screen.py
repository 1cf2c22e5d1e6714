"""Windows lie on the screen with their frame, of which Qt knows nothing before they are shown."""

import pytest
from PySide6.QtCore import QMargins, QSize
from PySide6.QtGui import QWindow

from app import on_screen
from app.command_window import CommandWindow
from app.on_screen import room_of
from app.shortcuts import Where
from tests.app.panels.test_export import planned_panel

FRAME = QMargins(3, 40, 3, 5)


def command_window(_folder):
    made = CommandWindow(Where.MAIN)
    made.resize_on_screen(QSize(9000, 9000))
    return made


@pytest.mark.parametrize("make", [command_window, lambda folder: planned_panel(folder, 100)], ids=["window", "export"])
def test_a_window_lies_on_the_screen_with_its_frame_as_soon_as_that_is_known(qtbot, tmp_path, monkeypatch, make):
    window = make(tmp_path)
    qtbot.addWidget(window)
    screen = window.screen().availableGeometry()
    window.move(screen.topLeft())
    known = [QMargins()]
    monkeypatch.setattr(QWindow, "frameMargins", lambda _window: known[0])
    window.show()
    assert window.height() == screen.height(), "there is no frame yet"
    known[0] = FRAME
    qtbot.waitUntil(lambda: window.height() <= screen.height() - FRAME.top() - FRAME.bottom())
    assert screen.contains(window.geometry().marginsAdded(FRAME))
    assert room_of(window) == screen.marginsRemoved(FRAME)


def test_a_maximised_window_is_left_to_the_desktop(qtbot, monkeypatch):
    window = command_window(None)
    qtbot.addWidget(window)
    kept = []
    monkeypatch.setattr(on_screen, "keep_on_screen", kept.append)
    window.showMaximized()
    qtbot.wait(max(on_screen.FRAMED_MS) + 50)
    assert not kept
    window.showNormal()
    window.hide()
    window.show()
    qtbot.waitUntil(lambda: bool(kept))


def test_a_window_that_goes_before_it_has_its_frame_leaves_nothing_behind(qtbot):
    for _ in range(20):
        window = command_window(None)
        window.show()
        window.deleteLater()
        del window
    qtbot.wait(max(on_screen.FRAMED_MS) + 50)
