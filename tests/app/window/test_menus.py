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


def test_the_cameras_that_are_there_are_offered_each_time_anew(menus, monkeypatch):
    menus, _ = menus
    found = []
    monkeypatch.setattr("app.window.menus.camera_numbers", lambda: found)
    menus.cameras.aboutToShow.emit()
    assert [(entry.text(), entry.isEnabled()) for entry in menus.cameras.actions()] == [("None found", False)]
    found[:] = [0, 2]
    menus.cameras.aboutToShow.emit()
    assert [entry.text() for entry in menus.cameras.actions()] == ["Camera 0", "Camera 2"]
    assert [entry.toolTip() for entry in menus.cameras.actions()] == ["camera:0", "camera:2"]


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
