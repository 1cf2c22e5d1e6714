"""The right panel."""

import pytest
from PySide6.QtWidgets import QApplication

from app import theme
from app.panels.method import MethodPanel
from core.catalogue import GROUPS
from core.export.preset import built_in_presets


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


def test_another_theme_leaves_nothing_cut_off(panel):
    # A new style sheet lets Qt ask every control for its size anew: a list of choices was as wide as its longest name.
    assert panel.widget().width() <= panel.viewport().width()
    for mode in ("light", "dark"):
        theme.apply_theme(QApplication.instance(), mode)
        QApplication.processEvents()
        assert panel.widget().width() <= panel.viewport().width(), mode
