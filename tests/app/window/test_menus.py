"""The menus of the main window."""

from collections import defaultdict

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.window.menus import Menus
from app.window.settings import Remembered


@pytest.fixture
def menus(qapp, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    actions = defaultdict(lambda: QAction(window))
    return Menus(window, actions.__getitem__, lambda _path: None, Remembered()), actions


def test_what_opens_and_what_saves_are_groups_of_their_own(menus):
    menus, actions = menus
    groups = [[]]
    for entry in menus.by_title["File"].actions():
        if entry.isSeparator():
            groups.append([])
        else:
            groups[-1].append(entry)
    opening, saving = groups[:2]
    assert menus.recent.menuAction() in opening
    assert menus.samples.menuAction() in opening
    assert saving == [actions["save_project"], actions["save_project_as"]]
