"""The list of methods: every one of them under a heading, with what it is for."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app import theme
from app.panels.method_chooser import ROWS, MethodChooser
from core.catalogue import GROUPS, METHODS


@pytest.fixture
def chooser(qapp):
    made = MethodChooser()
    made.fill(GROUPS)
    return made


def rows_of(chooser):
    return [(chooser.itemData(i), chooser.model().item(i)) for i in range(chooser.count())]


def test_every_method_can_be_chosen_and_says_what_it_is_for(chooser):
    offered = {key: item for key, item in rows_of(chooser) if key is not None}
    assert list(offered) == list(METHODS)
    for key, item in offered.items():
        assert item.isSelectable()
        assert item.isEnabled()
        assert METHODS[key].summary in item.toolTip()
        assert METHODS[key].paper in item.toolTip()
        assert item.toolTip().endswith(f"--method {key}")


def test_headings_say_what_follows_and_cannot_be_chosen(chooser):
    headings = [item for key, item in rows_of(chooser) if key is None]
    assert [item.text() for item in headings] == [group.title for group in GROUPS]
    assert not any(item.isEnabled() or item.isSelectable() for item in headings)
    chooser.choose("fast")
    QTest.keyClick(chooser, Qt.Key.Key_Up)
    assert chooser.currentData() == "fast"
    chooser.choose(GROUPS[0].rows[-1].key)
    QTest.keyClick(chooser, Qt.Key.Key_Down)
    assert chooser.currentData() == GROUPS[1].rows[0].key


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_headings_are_read_as_well_as_captions_in_the_theme_of_the_moment(chooser, qapp, mode):
    theme.apply_theme(qapp, mode)
    for key, item in rows_of(chooser):
        if key is None:
            assert item.data(Qt.ItemDataRole.ForegroundRole).name() == theme.colours().muted


def test_the_list_is_no_higher_than_a_low_screen_and_shows_that_it_goes_on(chooser, qtbot):
    qtbot.addWidget(chooser)
    chooser.show()
    chooser.showPopup()
    view = chooser.view()
    qtbot.waitUntil(view.isVisible)
    assert view.height() <= ROWS * view.sizeHintForRow(0) + 8 < 720
    assert view.verticalScrollBar().isVisible()
    assert view.verticalScrollBar().maximum() > 0
    chooser.hidePopup()


def test_a_click_leaves_the_keys_to_the_window(chooser):
    window = QWidget()
    row = QHBoxLayout(window)
    other = QPushButton("other")
    row.addWidget(other)
    row.addWidget(chooser)
    window.show()
    other.setFocus()
    QTest.mouseClick(chooser, Qt.MouseButton.LeftButton)
    chooser.hidePopup()
    assert window.focusWidget() is other
    chooser.setFocus(Qt.FocusReason.TabFocusReason)
    assert window.focusWidget() is chooser
    window.close()


def test_no_method_is_in_two_groups():
    assert sum(len(group.rows) for group in GROUPS) == len(METHODS)
    for group in GROUPS[1:]:
        assert len({row.kind for row in group.rows}) == 1, group.title
