"""The command of the export panel: all of it in sight, broken at spaces, copied as it is."""

import pytest
from PySide6.QtWidgets import QPlainTextEdit

from app import theme
from app.panels.command_box import MOST_LINES, CommandBox, lines_of
from tests.app.view_helpers import exposed

COMMAND = (
    "cleanplate run '/films/a  b.mp4' -o /films/out --save plate,mask,cleaned --method fast --set rank=4 --passes 3"
)


@pytest.fixture
def box(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    return exposed(qtbot, CommandBox(), 300, 40)


def shown(box):
    return QPlainTextEdit.toPlainText(box)


def test_lines_are_broken_at_spaces_alone_and_nothing_is_lost():
    for room in (1, 12, 25, 60, 1000):
        lines = lines_of(COMMAND, room, len)
        assert " ".join(lines) == COMMAND
        assert all(len(line) <= room or " " not in line for line in lines)


@pytest.mark.parametrize("width", [220, 300, 460, 900])
def test_it_is_as_high_as_its_text_without_a_scrollbar(box, qtbot, width):
    box.show_command(COMMAND)
    box.resize(width, box.height())
    bar = box.verticalScrollBar()

    def left():
        """Height that the text leaves free, in lines."""
        bottom = box.blockBoundingGeometry(box.document().lastBlock()).translated(box.contentOffset()).bottom()
        return (box.viewport().height() - bottom) / box.fontMetrics().lineSpacing()

    qtbot.waitUntil(lambda: not bar.isVisible() and bar.maximum() == 0 and 0 <= left() < 1)
    assert not any(line.endswith("-") for line in shown(box).split("\n"))


def test_a_command_that_is_very_long_is_scrolled(box, qtbot):
    box.show_command(COMMAND)
    few = box.height()
    box.show_command(COMMAND * 20)
    assert few < box.height() < (MOST_LINES + 2) * box.fontMetrics().lineSpacing()
    qtbot.waitUntil(box.verticalScrollBar().isVisible)


def test_it_is_read_and_copied_in_one_line(box):
    box.show_command(COMMAND)
    assert "\n" in shown(box)
    assert box.toPlainText() == COMMAND
    box.selectAll()
    assert box.createMimeDataFromSelection().text() == COMMAND
