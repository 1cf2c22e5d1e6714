"""Windows are never smaller than what is in them, where the screen has the room."""

import pytest
from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QLabel

from app import command_window
from app.command_window import CommandWindow
from app.shortcuts import Where


@pytest.fixture
def window(qtbot, monkeypatch):
    monkeypatch.setattr(command_window, "LEAST_SIZE", QSize(120, 100))
    made = CommandWindow(Where.MAIN)
    qtbot.addWidget(made)
    return made


def test_a_window_follows_what_is_in_it(window):
    label = QLabel("what is shown")
    window.setCentralWidget(label)
    window.show()
    for width in (300, 520, 200):
        label.setMinimumWidth(width)
        QCoreApplication.processEvents()
        window.resize(100, 100)
        assert window.width() == width


def test_a_window_asks_for_no_more_than_the_screen_has(window):
    label = QLabel("what is shown")
    label.setMinimumWidth(5000)
    window.setCentralWidget(label)
    window.show()
    QCoreApplication.processEvents()
    assert window.minimumWidth() < window.screen().availableSize().width()
