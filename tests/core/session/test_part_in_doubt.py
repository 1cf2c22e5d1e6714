"""What was hidden when a part changed is taken for the scene once it stays."""

import numpy as np

from core.scene.tuning import SETTLED_FRAMES
from core.session.part_in_doubt import PartInDoubt


def taken(ages):
    """Return the frames, from 0, in which one cell is taken for the scene, of its ages; others are in no doubt."""
    cells = np.zeros((2, 3), bool)
    cells[1, 2] = True
    part, found = PartInDoubt(cells), []
    for index, age in enumerate(ages):
        given = part.offer(np.full(cells.shape, age, np.uint16))
        if given is not None:
            np.testing.assert_array_equal(given, cells)
            found.append(index)
    return found


def still(n):
    return list(range(1, n + 1))


def test_what_stays_is_taken_once_it_has_settled():
    assert taken(still(SETTLED_FRAMES - 1)) == []
    assert taken([1, 1, 1, *still(SETTLED_FRAMES)]) == [SETTLED_FRAMES + 2]


def test_what_stays_for_longer_takes_the_place_of_what_was_taken_before():
    n, first = 15, still(SETTLED_FRAMES)
    known = [*first, *[0] * n]
    assert taken([*known, *still(SETTLED_FRAMES + n)]) == [len(first) - 1]
    assert taken([*known, *still(SETTLED_FRAMES + n + 1)]) == [len(first) - 1, len(known) + SETTLED_FRAMES + n]


def test_what_shows_the_look_from_before_for_long_keeps_it():
    assert taken([*[0] * 50, *still(SETTLED_FRAMES + 40)]) == []
