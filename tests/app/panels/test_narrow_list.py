"""A list of choices that is narrower than what is chosen in it."""

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from app.panels.narrow_list import NarrowList

NAMES = ["Short", "Microscopy, moving particles"]


@pytest.fixture
def choices(qtbot):
    made = NarrowList()
    qtbot.addWidget(made)
    made.addItems(NAMES)
    made.setToolTip("What it is for.")
    made.resize(110, 30)
    made.show()
    return made


def tip_of(choices) -> str:
    QToolTip.hideText()
    point = QPoint(5, 5)
    QApplication.sendEvent(choices, QHelpEvent(QEvent.Type.ToolTip, point, choices.mapToGlobal(point)))
    return QToolTip.text()


def test_a_name_that_has_no_room_ends_in_an_ellipsis_and_its_tip_says_it_in_full(choices):
    choices.setCurrentIndex(1)
    assert choices.shown_text.endswith("…")
    assert NAMES[1].startswith(choices.shown_text[:-1])
    assert tip_of(choices).split("\n") == [NAMES[1], "What it is for."]
    choices.resize(400, 30)
    assert choices.shown_text == NAMES[1]
    assert tip_of(choices) == "What it is for."


def test_a_name_that_has_room_is_not_cut_and_the_list_shows_all(choices):
    assert choices.shown_text == NAMES[0]
    before = choices.grab().toImage()
    choices.setCurrentIndex(1)
    assert choices.grab().toImage() != before
    choices.showPopup()
    assert choices.view().width() >= choices.view().sizeHintForColumn(0)
    choices.hidePopup()
