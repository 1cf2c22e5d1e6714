"""What counts, and the counts over lines."""

import msgspec
import numpy as np
import pytest

from core.errors import CleanplateError
from core.events.event import Event
from core.events.regions import Box
from core.events.rules import FARTHEST, MOST, MOST_CORNERS, MOST_LINES, LineCounts, Rules, crossings
from core.events.totals import Crossings

UPWARD = ((50.0, 100.0), (50.0, 0.0))
"""Along it, the right side is that of larger columns."""


def event(*centres, width=20, height=20):
    """An event whose boxes have these centres, column and row, and a width and a height, or one for each frame."""
    n = len(centres)
    sizes = np.column_stack([np.broadcast_to(width, n), np.broadcast_to(height, n)])
    corners = np.array(centres) - sizes // 2
    return Event(1, np.column_stack([np.arange(n), corners, sizes, sizes.prod(axis=1)]).astype(np.int32), np.zeros(n))


def along(*columns, **sizes):
    return event(*((column, 50) for column in columns), **sizes)


@pytest.mark.parametrize(
    ("what", "ways"),
    [
        (along(10, 30, 70, 90), [1]),
        (along(90, 10), [-1]),
        (along(10, 40), []),
        (along(10), []),
        (along(10, 50, 90), [1]),
        # There and back.
        (along(10, 90, 10), [1, -1]),
        (along(10, 48, 52, 70, 52, 48, 10, 48, 52, 70), [1, -1, 1]),
        # It trembles upon the line, and is never clear of it meanwhile.
        (along(10, 48, 52, 48, 52, 48, 52, 80), [1]),
        (along(10, 48, 52, 48, 52, 48, 10), []),
        (along(10, 45, 60, 45, 61, 39), [1, -1]),
        # It comes upon the line, or ends there: what is known of it decides.
        (along(48, 52, 48, 90), [1]),
        (along(52, 48, 52, 90), []),
        (along(10, 48, 52), [1]),
        (along(10, 48, 52, 48), []),
        (along(48, 52, 48, 52), [1]),
        # Beyond an end of the line, and around it: there over the line, back beside it.
        (event((10, 150), (90, 150)), []),
        (event((10, 50), (90, 50), (90, 150), (10, 150)), [1]),
        (event((10, 50), (90, 50), (90, 150), (10, 150), (10, 50), (90, 50)), [1, 1]),
        # It is torn for a frame, and what is left of it is clear of the line.
        (along(10, 48, 54, 48, 10, width=(20, 20, 4, 20, 20)), []),
    ],
)
def test_what_crosses_a_line_counts_each_time_that_it_is_clear_of_it_again(what, ways):
    back = Event(1, what.rows[::-1], what.times_s)
    assert crossings(what, UPWARD) == ways
    assert crossings(back, UPWARD) == [-way for way in reversed(ways)]
    assert crossings(what, UPWARD[::-1]) == [-way for way in ways]


def test_how_far_is_clear_depends_on_the_side_with_which_a_box_meets_a_line():
    there = (10, 50), (70, 50), (10, 50)
    assert crossings(event(*there, width=38, height=90), UPWARD) == [1, -1]
    assert crossings(event(*there, width=42, height=10), UPWARD) == []
    slanted = ((0.0, 100.0), (100.0, 0.0))  # A square of 20 is clear of it at (60, 60), just not at (59, 59).
    assert crossings(event((30, 30), (61, 61), (30, 30)), slanted) == [1, -1]
    assert crossings(event((30, 30), (60, 60), (30, 30)), slanted) == []


def test_what_stops_upon_a_line_is_left_of_it_and_its_ends_belong_to_it():
    assert crossings(along(10, 50), UPWARD) == []
    assert crossings(along(50, 90), UPWARD) == [1]
    assert crossings(along(90, 50), UPWARD) == [-1]
    for row in (0, 100):
        assert crossings(event((10, row), (90, row)), UPWARD) == [1]


def test_a_sighting_counts_that_is_just_large_enough_and_its_centre_on_the_edge_of_the_area():
    rules = Rules(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)), smallest=6)
    assert rules.count(Box(8, 2, 4, 3, 6))
    assert not rules.count(Box(8, 2, 4, 3, 5))
    assert not rules.count(Box(9, 2, 4, 3, 6))


def test_counts_tell_both_ways_of_each_line():
    counts = LineCounts((UPWARD, ((0.0, 20.0), (100.0, 20.0))))
    assert counts.add(along(10, 90)) == [[1], []]
    assert counts.add(along(90, 10, 90)) == [[-1, 1], []]
    assert counts.add(along(90, 10)) == [[-1], []]
    assert counts.counts == [Crossings(2, 2), Crossings(0, 0)]


@pytest.mark.parametrize(
    "rules",
    [
        {"area": ((0, 0), (1, 1))},
        {"shortest": 0},
        {"smallest": -1},
        {"lines": (((1.0, 1.0), (1.0, 1.0)),)},
        {"shortest": MOST + 1},
        {"smallest": MOST + 1},
        {"lines": (((0.0, 0.0), (1.0, FARTHEST + 1.0)),)},
        {"lines": (((0.0, 0.0), (float("nan"), 1.0)),)},
        {"area": ((0.0, 0.0), (9.0, 0.0), (-FARTHEST - 1.0, 9.0))},
        {"lines": (UPWARD,) * (MOST_LINES + 1)},
        {"area": ((0.0, 0.0),) * (MOST_CORNERS + 1)},
    ],
)
def test_what_could_never_count_is_refused(rules):
    with pytest.raises(CleanplateError):
        Rules(**rules)


def test_what_counts_comes_back_from_json_and_what_could_never_count_is_refused_there():
    rules = Rules(((0.5, 0.0), (9.0, 0.0), (9.0, 9.0)), 12, 150, (UPWARD,))
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules
    assert msgspec.json.encode(Rules()) == b"{}"
    with pytest.raises(CleanplateError, match="shortest event cannot"):
        msgspec.json.decode(b'{"shortest": 1000000000000000000000}', type=Rules)
    for unlike in (b'{"lines": [[[1, 2]]]}', b'{"colour": 1}', b'{"shortest": 2.5}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(unlike, type=Rules)
