"""What is marked of a frame."""

import numpy as np

from core.scene.masks.marks import Marks


def test_where_nothing_is_ever_foreground_nothing_is_marked_and_nothing_painted():
    full, never = np.full((4, 6), 255, np.uint8), np.zeros((4, 6), bool)
    never[:, 2:] = True
    marks = Marks(full, full, full, None, full)
    found = marks.without(never)
    for array in (found.mask, found.covered, found.may_hide, found.painted):
        np.testing.assert_array_equal(array, np.where(never, 0, 255))
    assert full.all(), "what it was given is as it was"
    assert Marks(full, full, full).without(never).painted is None
    assert marks.without(None) is marks
