"""The right panel."""

import pytest
from PySide6.QtWidgets import QApplication

from app import theme
from app.panels.method import TAKEN_FOR, MethodPanel
from app.panels.parameter import AUTOMATIC
from core.catalogue import GROUPS
from core.export.preset import built_in_presets
from core.methods.content import CONTENT


@pytest.fixture
def panel(qtbot):
    theme.apply_theme(QApplication.instance(), "dark")
    made = MethodPanel()
    qtbot.addWidget(made)
    made.resize(made.width(), 600)
    with qtbot.waitExposed(made):
        made.show()
    made.build(GROUPS, "fast")
    made.set_presets([preset.name for preset in built_in_presets().values()])
    QApplication.processEvents()
    return made


@pytest.mark.parametrize("key", ["fast", "opgd"])
def test_another_theme_leaves_nothing_cut_off(panel, key):
    # A new style sheet lets Qt ask every control for its size anew: a list of choices was as wide as its longest name.
    panel.show_method(key)
    QApplication.processEvents()
    assert panel.widget().width() <= panel.viewport().width()
    for mode in ("light", "dark"):
        theme.apply_theme(QApplication.instance(), mode)
        QApplication.processEvents()
        assert panel.widget().width() <= panel.viewport().width(), mode


def test_it_says_what_was_decided_and_nothing_where_nothing_was(panel):
    assert set(TAKEN_FOR) == set(CONTENT.choices)
    for content, sentence in TAKEN_FOR.items():
        panel.show_content(content)
        assert panel.content.text() == sentence
        assert not panel.content.isHidden()
    panel.show_content("")
    assert panel.content.isHidden()


def test_a_choice_may_be_left_to_the_program(panel):
    panel.show_method("opgd")
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
