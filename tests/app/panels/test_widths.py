"""What stands in the panels beside the panes fits into them, also behind "More": they scroll downwards only."""

import pytest
from PySide6.QtCore import QCoreApplication, QPoint

from app import theme
from app.panels.brush import BrushBar
from app.panels.method import MethodPanel
from app.panels.slider import SliderControl
from app.panels.source import SourcePanel
from core import catalogue


@pytest.fixture(autouse=True)
def _theme(qapp):
    theme.apply_theme(qapp, "light")


def overhang(panel):
    """Return by how many pixels the contents are wider than the panel, at its least width and scrolled."""
    QCoreApplication.processEvents()
    room = panel.minimumWidth() - panel.verticalScrollBar().sizeHint().width()
    return panel.widget().minimumSizeHint().width() - room


def test_the_mask_fits_with_more_shown(qtbot):
    panel = SourcePanel()
    qtbot.addWidget(panel)
    panel.build_mask((*catalogue.MASK_PARAMETERS, *catalogue.CLEANING_PARAMETERS))
    panel.mask_form.more.click()
    panel.show()
    assert overhang(panel) <= 0


@pytest.mark.parametrize("key", ["fast", "opgd", "oadmm", "onmfo"])
def test_a_method_fits_with_more_shown(qtbot, key):
    panel = MethodPanel()
    qtbot.addWidget(panel)
    panel.build(catalogue.GROUPS, key)
    panel.form.more.click()
    panel.show()
    assert overhang(panel) <= 0


def test_the_size_of_a_brush_can_be_dragged_where_there_is_little_room(qtbot):
    bar = BrushBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.resize(bar.minimumSizeHint())
    QCoreApplication.processEvents()
    assert bar.slider.width() >= 60
    assert bar.kind.visibleRegion().boundingRect() == bar.kind.rect(), "nothing is cut"
    assert bar.kind.mapTo(bar, QPoint()).y() < bar.slider.mapTo(bar, QPoint()).y(), "the size has a row of its own"


def test_a_small_number_is_shown_whole(qtbot):
    control = SliderControl(catalogue.parameters(catalogue.row("fast"))["lam"])
    qtbot.addWidget(control)
    control.show()
    control.show_automatic(0.00898)
    QCoreApplication.processEvents()
    edit = control.box.lineEdit()
    assert control.box.text() == "0.00898 of white"
    assert edit.fontMetrics().horizontalAdvance(control.box.text()) < edit.width()
