"""The events as a table."""

import numpy as np

from app.panels.event_table import HEADINGS, EventModel
from core.events.event import Event


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
