"""The parts of the window, and where they lie."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QMainWindow, QWidget

from app.window.layout import Parts, Views


def test_the_speed_comes_with_the_rest_of_its_bar(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    parts = Parts(window)
    assert not parts.speed.isVisibleTo(parts.timeline_bar)
    Views(parts)
    assert parts.speed.isVisibleTo(parts.timeline_bar)


def test_no_view_is_a_window_while_the_views_are_made(qapp):
    shown = []

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                shown.append(type(watched).__name__)
            return False

    window, watch = QMainWindow(), Watch()
    parts = Parts(window)
    qapp.installEventFilter(watch)
    try:
        Views(parts)
    finally:
        qapp.removeEventFilter(watch)
    assert not shown
