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


def path(*points):
    return np.array(points, float)


@pytest.mark.parametrize(
    ("points", "count"),
    [
        (path((10, 50), (30, 50), (70, 50), (90, 50)), 1),
        (path((90, 50), (10, 50)), -1),
        (path((10, 50), (90, 50), (10, 50)), 0),
        (path((10, 50), (51, 50), (49, 50), (51, 50), (80, 50)), 1),
        (path((10, 150), (90, 150)), 0),
        (path((10, 50), (40, 50)), 0),
        (path((10, 50)), 0),
        (path((10, 50), (50, 50), (90, 50)), 1),
    ],
)
def test_a_path_crosses_a_line_as_often_one_way_as_it_says(points, count):
    assert crossings(points, UPWARD) == count
    assert crossings(points[::-1], UPWARD) == -count
    assert crossings(points, UPWARD[::-1]) == -count


def test_what_stops_upon_a_line_is_left_of_it_and_its_ends_belong_to_it():
    assert crossings(path((10, 50), (50, 50)), UPWARD) == 0
    assert crossings(path((50, 50), (90, 50)), UPWARD) == 1
    assert crossings(path((90, 50), (50, 50)), UPWARD) == -1
    for row in (0, 100):
        assert crossings(path((10, row), (90, row)), UPWARD) == 1


def test_a_sighting_counts_that_is_just_large_enough_and_its_centre_on_the_edge_of_the_area():
    rules = Rules(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)), smallest=6)
    assert rules.count(Box(8, 2, 4, 3, 6))
    assert not rules.count(Box(8, 2, 4, 3, 5))
    assert not rules.count(Box(9, 2, 4, 3, 6))


def test_counts_tell_both_ways_of_each_line():
    counts = LineCounts((UPWARD, ((0.0, 20.0), (100.0, 20.0))))
    for columns in [(10, 90), (10, 90), (90, 10)]:
        rows = np.array([[i, x, 50, 2, 2, 4] for i, x in enumerate(columns)], np.int32)
        counts.add(Event(1, rows, np.zeros(2)))
    assert counts.counts == [Crossings(2, 1), Crossings(0, 0)]


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
