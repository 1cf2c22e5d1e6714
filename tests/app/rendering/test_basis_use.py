import numpy as np

from app.rendering.basis_use import LEAST_PART, BasisUse

EQUAL = np.ones((4, 3))
"""A dictionary whose columns are as bright as each other: shares are those of the coefficients."""


def unused(use, *frames, W=EQUAL):
    for h in frames:
        use.see(np.array(h))
    return use.unused(W)


def test_an_image_that_made_part_of_a_frame_once_has_been_used():
    use = BasisUse()
    assert unused(use, [0.999, 0.001, 0.0]) == [False, True, True]
    assert unused(use, [0.9, 0.1, 0.0]) == [False, False, True]
    assert unused(use, [1.0, 0.0, 0.0]) == [False, False, True]
    assert unused(BasisUse(), [1.0, 0.0, 0.0]) == [False, True, True]


def test_frames_that_are_processed_between_two_looks_count_and_so_does_how_bright_an_image_is():
    assert unused(BasisUse(), [1, 0, 0], [0.5, 0.5, 0], [1, 0, 0]) == [False, False, True]
    dark = EQUAL * (1, 1e-4, 1)
    assert unused(BasisUse(), [0.5, 0.5, 0.5], W=dark) == [False, True, False]


def test_what_counts_goes_by_an_equal_share_and_another_rank_begins_anew():
    use, many = BasisUse(), np.ones((2, 100))
    assert unused(use, [1 / 100] * 99 + [0.5 * LEAST_PART / 100], W=many) == [False] * 99 + [True]
    assert unused(use, [1] * 100, [1, 0], W=np.ones((2, 2))) == [False, True]


def test_what_an_earlier_run_had_not_used_is_known_from_the_beginning():
    use = BasisUse((1, 2, 7))
    assert unused(use) == [False, True, True]
    assert unused(use, [0.9, 0.1, 0.0]) == [False, False, True]
    assert unused(use, W=np.ones((2, 2))) == [False, False], "of another rank nothing is known"
    assert unused(use) == [False] * 3, "nor of that one any more"


def test_where_shares_are_not_known_nothing_is_said_and_a_black_frame_uses_nothing():
    assert unused(BasisUse()) == [False] * 3
    assert unused(BasisUse(), [1, 0]) == [False] * 3
    use = BasisUse()
    assert unused(use, [0, 0, 0]) == [True] * 3
    assert unused(use) == [True] * 3, "no frame came since"
