"""The way of the Tab key through the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.app.windows import open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


def way(window, key):
    """Press a key until it leads back to where it began, and return the names on the way."""
    window.activateWindow()
    wait_for(lambda: QApplication.focusWidget() is not None, "the keys")
    began, found = QApplication.focusWidget(), []
    while len(found) < 200:
        QTest.keyClick(QApplication.focusWidget(), key)
        found.append(QApplication.focusWidget().accessibleName())
        if QApplication.focusWidget() is began:
            return found
    raise AssertionError("it never came back")


def test_tab_reaches_toolbar_panels_panes_and_timeline_in_the_order_of_the_window(tmp_path):
    expected = [
        "Open", "Export", "Source", "Sensitivity", "Background pane", "Method", "Rank K", "Preset", "Position",
    ]  # fmt: skip
    with open_window(str(write_clip(tmp_path / "clip.mkv")), tmp_path) as window:
        # Its controls are made last.
        window.commands.method.on_method("opgd")
        for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            found = way(window, key)
            begin = found.index(expected[0] if key == Qt.Key.Key_Tab else expected[-1])
            found = found[begin:] + found[:begin]
            at = [found.index(name) for name in expected]
            assert at == sorted(at, reverse=key == Qt.Key.Key_Backtab)


def test_tab_leaves_out_what_is_hidden_or_switched_off(tmp_path):
    with open_window(str(write_clip(tmp_path / "clip.mkv")), tmp_path) as window:
        window.action("method_panel").setChecked(False)
        window.parts.top.export.setEnabled(False)
        found = way(window, Qt.Key.Key_Tab)
        assert "Method" not in found
        assert "Export" not in found
        assert "Open" in found


def test_home_goes_to_the_first_frame_after_a_number_was_left_with_tab(tmp_path):
    with open_window(str(write_clip(tmp_path / "clip.mkv")), tmp_path) as window:
        wait_for(lambda: window.display is not None and window.display.index > 4, "some frames")
        control = window.parts.source.mask_form.controls["sensitivity"]
        window.activateWindow()
        wait_for(lambda: QApplication.focusWidget() is not None, "the keys")
        control.box.setFocus()
        control.box.selectAll()
        QTest.keyClicks(control.box, "60")
        QTest.keyClick(control.box, Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is control.slider
        window.worker.pause()
        QTest.keyClick(control.slider, Qt.Key.Key_Home)
        wait_for(lambda: window.display.index == 0, "the first frame")
        assert control.value == 60
