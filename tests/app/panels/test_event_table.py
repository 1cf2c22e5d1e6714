"""The events as a table."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from app.panels.event_table import HEADINGS, EventModel
from app.panels.events import EventsPanel
from core.events.event import Event
from core.io.input_spec import ALL_FRAMES


def column_of_lines(crossed):
    model = EventModel()
    events = [Event(n, np.array([[n, 5, 5, 4, 4, 16]], np.int32), np.zeros(1)) for n in range(1, len(crossed) + 1)]
    model.show(events, crossed, 1, timed=False)
    model.sort(len(HEADINGS) - 1)
    return [model.index(row, len(HEADINGS) - 1).data() for row in range(model.rowCount())]


def test_each_crossing_of_a_line_is_told_in_turn_and_events_are_sorted_by_them():
    assert column_of_lines([[[1, -1]], [[]], [[-1]], [[1]]]) == ["", "backward", "forward", "forward backward"]


def test_of_several_lines_those_that_are_crossed_have_their_number():
    assert column_of_lines([[[], []], [[1], [-1, 1]], [[], [1]]]) == ["", "2 forward", "1 forward, 2 backward forward"]


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("order", "numbers"), [("AscendingOrder", [2, 1, 3]), ("DescendingOrder", [3, 1, 2])])
def test_the_event_that_is_chosen_stays_so_when_the_table_is_sorted(order, numbers):
    model, table = EventModel(), QTableView()
    areas = {1: 9, 2: 4, 3: 16}
    events = [Event(n, np.array([[n, 5, 5, 4, 4, area]], np.int32), np.zeros(1)) for n, area in areas.items()]
    table.setModel(model)
    model.show(events, [[[]]] * 3, 1, timed=False)
    table.setCurrentIndex(model.index(0, 1))
    model.sort(4, Qt.SortOrder[order])
    assert [model.event_at(row).number for row in range(3)] == numbers
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, 1)


def test_one_click_chooses_an_event_once_also_where_it_is_chosen_already(qtbot):
    panel, chosen = EventsPanel(lambda _: None, 1, lambda: ALL_FRAMES, str), []
    qtbot.addWidget(panel)
    events = [Event(n, np.array([[n, 5, 5, 4, 4, 9]], np.int32), np.zeros(1)) for n in (1, 2, 3)]
    panel.model.show(events, [[[]]] * 3, 1, timed=False)
    panel.chosen.connect(lambda event: chosen.append(event.number))
    panel.show()
    second = panel.table.visualRect(panel.model.index(1, 1)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert chosen == [2]
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.RightButton, pos=second)
    assert chosen == [2]
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert chosen == [2, 2]
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert chosen == [2, 2, 3, 3]
    panel.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert chosen == [2, 2, 3, 3], "sorting goes nowhere"
