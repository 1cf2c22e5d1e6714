import numpy as np

from core.scene.masks.agreement import agrees, frames_agreed
from core.scene.tuning import SETTLED_FRAMES


def painted_on(still):
    """All but the last column is painted."""
    painted = np.ones(still.shape, bool)
    painted[:, -1] = False
    return painted


def test_what_does_not_differ_or_stands_still_is_the_background():
    still = np.zeros((4, 10), np.uint16)
    still[:, 2:6] = SETTLED_FRAMES + 300
    still[0, 2] = 1
    assert (agrees(frames_agreed(painted_on(still), still)) == (still != 1)).all()


def test_the_still_inside_of_what_moves_is_not():
    still = np.zeros((4, 10), np.uint16)
    still[:, 2:6] = [1, SETTLED_FRAMES, SETTLED_FRAMES, 2]
    still[:, 9] = SETTLED_FRAMES
    found = agrees(frames_agreed(painted_on(still), still))
    np.testing.assert_array_equal(found[:, :9], still[:, :9] == 0)
    assert found[:, 9].all(), "nobody painted there"


def test_where_nothing_is_known_nothing_has_agreed():
    assert not frames_agreed(np.ones((4, 4), bool), None).any()
