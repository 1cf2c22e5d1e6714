"""How many events there are, in words."""

import pytest

from app.event_words import totals_words
from core.events.totals import Crossings, EventTotals


@pytest.mark.parametrize(
    ("totals", "words"),
    [
        (EventTotals(0), "0 events"),
        (EventTotals(1), "1 event"),
        (EventTotals(37, (Crossings(6, 8),)), "37 events · over the line 6 forward, 8 backward"),
        (
            EventTotals(2, (Crossings(1, 0), Crossings(0, 2))),
            "2 events · over line 1: 1 forward, 0 backward · over line 2: 0 forward, 2 backward",
        ),
    ],
)
def test_lines_have_numbers_where_there_are_several(totals, words):
    assert totals_words(totals) == words
