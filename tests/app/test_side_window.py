"""Windows beside another one: they fit the screen, and steps are taken back in them too."""

import ast
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget

import app
from app.command_window import CommandWindow
from app.shortcuts import Where, commands_of
from app.side_window import SideWindow
from tests.app.windows import wait_for

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Beside(SideWindow):
    """A window with a text and a button."""

    def __init__(self, parent):
        super().__init__(parent)
        self.line, self.button = QLineEdit(), QPushButton("Do")
        rows = QVBoxLayout(self)
        rows.addWidget(self.line)
        rows.addWidget(self.button)


@pytest.fixture
def done():
    """How often each command was done."""
    return Counter()


@pytest.fixture
def window(qtbot, done):
    made = CommandWindow(Where.MAIN)
    qtbot.addWidget(made)
    commands = commands_of(Where.MAIN)
    handlers = {one.key: lambda key=one.key: done.update([key]) for one in commands if not one.checkable}
    made.add_commands(handlers, {one.key: lambda _: None for one in commands if one.checkable})
    made.setCentralWidget(QWidget())
    made.show()
    return made


def shown(beside, focus):
    beside.show()
    beside.activateWindow()
    wait_for(lambda: QApplication.activeWindow() is beside, "the keys")
    focus.setFocus()


@pytest.mark.parametrize("depth", ["window", "widget", "window beside"])
def test_steps_are_taken_back_in_a_window_beside(qtbot, window, done, depth):
    parents = {
        "window": lambda: window, "widget": window.centralWidget, "window beside": lambda: Beside(window)
    }  # fmt: skip
    beside = Beside(parents[depth]())
    qtbot.addWidget(beside)
    shown(beside, beside.button)
    QTest.keyClick(beside.button, Qt.Key.Key_Z, CONTROL)
    QTest.keyClick(beside.button, Qt.Key.Key_Z, CONTROL | SHIFT)
    QTest.keyClick(beside.button, Qt.Key.Key_L, CONTROL)
    QTest.keyClick(beside.button, Qt.Key.Key_Home, CONTROL)
    assert done == {"undo": 1, "redo": 1}, "and nothing of the window itself is done here"


def test_what_is_no_matter_of_one_window_has_its_keys_in_a_window_beside(qtbot, window, done):
    beside = Beside(window)
    qtbot.addWidget(beside)
    shown(beside, beside.button)
    for keys in ("Ctrl+J", "Ctrl+E", "Ctrl+S", "Ctrl+H", "Ctrl+Shift+E", "F1", "F2", "Ctrl+/", "Ctrl+Q"):
        combination = QKeySequence(keys)[0]
        QTest.keyClick(beside.button, combination.key(), combination.keyboardModifiers())
    assert set(done) == {
        "queue", "export", "save_project", "history", "events", "words", "how_to", "shortcuts", "quit"
    }  # fmt: skip
    assert set(done.values()) == {1}
    done.clear()
    beside.line.setFocus()
    QTest.keyClicks(beside.line, "12")
    QTest.keyClick(beside.line, Qt.Key.Key_J, CONTROL)
    assert done == {"queue": 1}, "where text is typed, too: it means nothing there"


def test_text_that_is_typed_there_keeps_its_own_undo(qtbot, window, done):
    beside = Beside(window)
    qtbot.addWidget(beside)
    shown(beside, beside.line)
    QTest.keyClicks(beside.line, "12")
    QTest.keyClick(beside.line, Qt.Key.Key_Z, CONTROL)
    assert not beside.line.text()
    QTest.keyClick(beside.line, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert beside.line.text() == "12"
    assert not done


def test_one_that_would_be_larger_than_the_screen_fits_it_with_its_frame(qtbot, window, monkeypatch):
    frame = QMargins(3, 40, 3, 5)
    monkeypatch.setattr(QWindow, "frameMargins", lambda _: frame)
    beside = Beside(window)
    qtbot.addWidget(beside)
    beside.resize(9000, 9000)
    beside.show()
    screen = beside.screen().availableGeometry()
    qtbot.waitUntil(lambda: screen.contains(beside.geometry().marginsAdded(frame)))
    assert beside.height() == screen.height() - frame.top() - frame.bottom()


def test_every_dialog_is_such_a_window():
    dialogs = {
        (path.name, node.name)
        for path in Path(app.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and any("QDialog" in ast.unparse(base) for base in node.bases)
    }
    assert dialogs == {("side_window.py", "SideWindow")}
