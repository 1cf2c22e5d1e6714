"""The panel of the method says what the input is taken for, and offers to leave choices to the program."""

import pytest

from app.panels.method import TAKEN_FOR, MethodPanel
from app.panels.parameter import AUTOMATIC
from core.catalogue import GROUPS
from core.methods.content import CONTENT


@pytest.fixture
def panel(qapp):
    shown = MethodPanel()
    shown.build(GROUPS, "opgd")
    yield shown
    shown.deleteLater()


def test_it_says_what_was_decided_and_nothing_where_nothing_was(panel):
    assert set(TAKEN_FOR) == set(CONTENT.choices)
    for content, sentence in TAKEN_FOR.items():
        panel.show_content(content)
        assert panel.content.text() == sentence
        assert not panel.content.isHidden()
    panel.show_content("")
    assert panel.content.isHidden()


def test_a_choice_may_be_left_to_the_program(panel):
    control, told = panel.form.controls["content"], []
    control.changed.connect(lambda name, value: told.append((name, value)))
    assert control.value is None
    assert control.chooser.currentText() == AUTOMATIC
    assert panel.form.chosen == {}
    control.chooser.setCurrentText("images")
    control.chooser.activated.emit(control.chooser.currentIndex())
    control.show_value(None)
    assert told == [("content", "images")]
    assert control.value is None
