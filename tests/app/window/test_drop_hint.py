"""What shows while files are dragged over the window."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from app.window.drop_hint import DropHint
from app.window.main_window import MainWindow


class Taking(QMainWindow):
    def dragEnterEvent(self, event):
        event.acceptProposedAction()


@pytest.fixture
def window(qtbot):
    made = Taking()
    made.setAcceptDrops(True)
    qtbot.addWidget(made)
    made.resize(600, 400)
    with qtbot.waitExposed(made):
        made.show()
    return made


def dragged(path):
    data = QMimeData()
    data.setUrls([QUrl(path)])
    return data


def enter(window, data):
    event = QDragEnterEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(window, event)


def test_the_hint_covers_the_window_while_files_are_over_it(window):
    hint, data = DropHint(window), dragged("file:///clip.mp4")
    enter(window, data)
    assert hint.isVisible()
    assert hint.size() == window.size()
    assert window.childAt(300, 200) is not hint, "it takes no drop away"
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not hint.isVisible()
    enter(window, data)
    drop = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(window, drop)
    assert not hint.isVisible()


def test_what_is_no_file_shows_nothing(window):
    hint = DropHint(window)
    enter(window, dragged("https://example.org/clip.mp4"))
    assert not hint.isVisible()


def test_the_main_window_has_it(qtbot, tmp_path):
    window = MainWindow(None, tmp_path / "window.json")
    qtbot.addWidget(window)
    assert window.findChildren(DropHint)
