"""The box that a question stands in."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QMessageBox, QWidget
from shiboken6 import isValid

from app.panels.question_box import question_box


@pytest.mark.parametrize("word", ["Yes", "No"])
def test_it_is_gone_once_it_is_answered_and_the_answer_has_been_acted_on(qtbot, word):
    window, heard = QWidget(), []
    qtbot.addWidget(window)
    box = question_box(window, "Sure?", "Is this meant?", "It matters.")
    box.addButton("Yes", QMessageBox.ButtonRole.AcceptRole)
    box.addButton("No", QMessageBox.ButtonRole.RejectRole)
    answer = next(button for button in box.buttons() if button.text() == word)
    answer.clicked.connect(lambda: heard.append(box.text()))
    box.open()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert isValid(box)
    answer.click()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert heard == ["Is this meant?"]
    assert not isValid(box)
    assert not window.findChildren(QMessageBox)
