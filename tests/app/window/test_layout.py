"""The parts of the window, and where they lie."""

from PySide6.QtWidgets import QMainWindow

from app.window.layout import Parts, Views


def test_the_speed_comes_with_the_rest_of_its_bar(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    parts = Parts(window)
    assert not parts.speed.isVisibleTo(parts.timeline_bar)
    Views(parts)
    assert parts.speed.isVisibleTo(parts.timeline_bar)
