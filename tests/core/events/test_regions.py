"""Regions of a mask, their boxes, and the necks at which they are cut."""

import numpy as np
import pytest

from core.events.regions import find_regions
from tests.core.events.drawn import mask


def boxes(drawn):
    found = find_regions(drawn)
    return sorted((*found.corners[i].astype(int).tolist(), int(found.areas[i])) for i in range(len(found)))


def test_regions_are_those_of_the_mask():
    assert boxes(mask((3, 4, 10, 6), (50, 60, 1, 1))) == [(3, 4, 13, 10, 60), (50, 60, 51, 61, 1)]
    assert boxes(mask()) == []


def test_labels_tell_the_region_of_each_pixel():
    drawn = mask((3, 4, 10, 6), (30, 4, 20, 20), (48, 12, 30, 3), (76, 4, 20, 20))
    found = find_regions(drawn)
    for number in range(len(found)):
        y, x = np.nonzero(found.labels == number + 1)
        assert found.corners[number].tolist() == [x.min(), y.min(), x.max() + 1, y.max() + 1]
        assert found.areas[number] == len(x)
    assert ((found.labels > 0) == (drawn > 0)).all()


@pytest.mark.parametrize("size", [12, 24, 48])
def test_two_things_that_touch_by_a_thin_neck_are_two(size):
    neck = (5 + size, 30 + size // 2, size // 6 + 2, size // 6)
    assert len(boxes(mask((5, 30, size, size), (5 + size + neck[2], 30, size, size), neck))) == 2


@pytest.mark.parametrize("size", [12, 24, 48])
def test_one_thing_with_a_broad_waist_is_one(size):
    assert len(boxes(mask((5, 5, size, size), (5, 5 + size, size * 3 // 4, 8), (5, 13 + size, size, size)))) == 1


def test_a_region_that_two_share_goes_to_the_nearer():
    found = find_regions(mask((10, 10, 40, 20)))
    left, right = found.split(0, np.array([[10, 10, 30, 30], [30, 10, 50, 30]], float))
    assert (left.x, left.width, left.area) == (10, 20, 400)
    assert (right.x, right.width, right.area) == (30, 20, 400)
    assert found.split(0, np.array([[10, 10, 50, 30], [200, 200, 210, 210]], float))[1] is None
